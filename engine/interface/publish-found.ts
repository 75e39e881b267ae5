import type { Intake } from '../intake/found.ts'
import { publishIntake, type PublishedIntake, type PublishIntakeParts } from '../own-files/publish-intake.ts'
import type { InterfaceParts } from './parts.ts'
import type { Workplace } from './workplace.ts'

export interface PublishFoundParts {
  readonly parts: InterfaceParts
  readonly workplace: Workplace
}

/** Pictures of this computer become images where own files are set up. */
export async function publishFound(
  { parts, workplace }: PublishFoundParts,
  intake: Intake,
  how: Pick<PublishIntakeParts, 'signal' | 'onProgress' | 'keepDuplicates'>,
): Promise<PublishedIntake> {
  const { published, storage } = parts.preferences.read().ownFiles
  const downloads = parts.openDownloads(
    workplace.bench?.session.client.baseUrl ?? published?.address ?? 'https://nobody.invalid',
  )
  try {
    return await publishIntake(
      intake,
      { published, storage: storage !== null },
      { table: parts.store.ownFiles, downloads, clock: parts.clock, ...how },
    )
  } finally {
    await downloads.close()
  }
}
