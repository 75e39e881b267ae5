import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Picture } from '../batches/add-batch.ts'
import type { Clock } from '../clock.ts'
import { hasPictureExtension } from '../intake/file-kinds.ts'
import type { Intake } from '../intake/found.ts'
import { gather } from '../intake/gather.ts'
import { nothingFoundSentence, problemSentence } from '../intake/sentences.ts'
import { mediaTypeOf } from '../own-files/picture-formats.ts'
import { publishIntake } from '../own-files/publish-intake.ts'
import type { PreferenceStore } from '../preferences/preferences.ts'
import type { Downloads } from '../service/undici-downloads.ts'
import type { HotFolder } from '../store/hot-folders.ts'
import type { Store } from '../store/store.ts'
import type { ListedFile } from './listing.ts'
import { say } from '../../shared/language/say.ts'

/** A file of a hot folder, as it was read. */
export interface ReadFile {
  readonly file: ListedFile
  readonly content: string
  readonly pictures: readonly Picture[]
  /** `list`: it has images, be it one picture. `picture`: one that is not sent. */
  readonly outcome: 'list' | 'problem' | 'picture'
  readonly sentence: string | null
}

export interface ReadFileParts {
  readonly store: Store
  readonly preferences: PreferenceStore
  readonly clock: Clock
  /** Fetches links of a connection with this base address. */
  readonly openDownloads: (baseUrl: string) => Downloads
}

/** A published folder that other programs bring to the web may be so late, in milliseconds. */
const publishingMs = 600_000

/**
 * Reads a file that has settled.
 * @returns undefined where its content is known, it changed or went meanwhile, or it is not on the web yet
 */
export async function readSettled(
  parts: ReadFileParts,
  folder: HotFolder,
  file: ListedFile,
): Promise<ReadFile | undefined> {
  const { store, preferences } = parts
  const path = join(folder.path, ...file.path.split('/'))
  const { published, storage } = preferences.read().ownFiles
  const isSent = (published !== null || storage !== null) && mediaTypeOf(path) !== undefined
  const content = await (isSent ? hashOf(path) : contentOf(path, file)).catch(() => undefined)
  if (content === undefined) return undefined
  if (store.hotFolders.fileOf(folder.id, file.path, content)) {
    store.hotFolders.touch({ hotFolderId: folder.id, content, ...file })
    return undefined
  }
  const picture = { file, content, pictures: [], outcome: 'picture', sentence: null } as const
  if (hasPictureExtension(path) && !isSent) return picture
  const found = await gather([{ kind: 'path', path, shown: file.path }])
  const intake = isSent ? await publishedIn(parts, folder, found) : found
  const after = await stat(path).catch(() => undefined)
  if (!after || after.size !== file.size || Math.trunc(after.mtimeMs) !== file.modified) return undefined
  if (intake.localPictures.length > 0) return picture
  if (isSent && intake.images.length === 0 && parts.clock.now() - file.modified < publishingMs)
    return undefined
  return { file, content, ...readingOf(intake, file) }
}

function readingOf(intake: Intake, file: ListedFile): Pick<ReadFile, 'pictures' | 'outcome' | 'sentence'> {
  const nothing = nothingFoundSentence(intake, [file.path])
  const [first] = intake.problems
  const bad =
    intake.problemCount === 1 && first && intake.images.length === 0
      ? problemSentence(first)
      : intake.problemCount > 0
        ? say`${file.path}: ${badLines(intake.problemCount)}`
        : null
  const within = file.path.split('/').slice(0, -1).join('/')
  return {
    pictures: intake.images.map(({ url, name }) => ({ source: url, folder: within, name: name ?? null })),
    outcome: nothing === undefined ? 'list' : 'problem',
    sentence: nothing ?? bad,
  }
}

/** The same intake, its picture published as own files are set up. */
async function publishedIn(
  { store, preferences, clock, openDownloads }: ReadFileParts,
  { connectionId }: HotFolder,
  intake: Intake,
): Promise<Intake> {
  const { published, storage } = preferences.read().ownFiles
  const downloads = openDownloads(store.connections.byId(connectionId).baseUrl)
  try {
    const ways = { published, storage: storage !== null }
    return await publishIntake(intake, ways, { table: store.ownFiles, downloads, clock })
  } finally {
    await downloads.close()
  }
}

function badLines(n: number): string {
  return n === 1
    ? say`1 line is no image address and was left out.`
    : say`${n} lines are no image addresses and were left out.`
}

/** What makes a file the same as one that was taken: its content; of a picture that is only named size and time. */
export async function contentOf(path: string, file: ListedFile): Promise<string> {
  return hasPictureExtension(path) ? `${file.size}:${file.modified}` : await hashOf(path)
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
