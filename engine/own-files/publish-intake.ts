import { stat } from 'node:fs/promises'
import { basename, extname, resolve } from 'node:path'
import type { PublishedFolder } from '../../shared/own-files.ts'
import type { Clock } from '../clock.ts'
import { displayText } from '../intake/display-text.ts'
import { fileTrouble } from '../intake/file-trouble.ts'
import type { Duplicate, FoundImage, Intake, IntakeProblem, LocalPicture } from '../intake/found.ts'
import type { DownloadTransport } from '../service/download-transport.ts'
import type { OwnFileTable } from '../store/own-files.ts'
import { contentOf } from './content-of.ts'
import { ownSource } from './own-source.ts'
import { mediaTypeOf, whyNotSent } from './picture-formats.ts'
import { lookAtPublished, publishedLinkOf } from './published-folder.ts'
import { say } from '../../shared/language/say.ts'

/** How local pictures of one intake are published. */
export interface PublishingWays {
  readonly published: PublishedFolder | null
  /** Whether a storage takes what is in no published folder. */
  readonly storage: boolean
}

export interface PublishIntakeParts {
  readonly table: OwnFileTable
  /** Fetches as results are fetched (link-guard.ts). */
  readonly downloads: DownloadTransport
  readonly clock: Clock
  readonly signal?: AbortSignal | undefined
  /** Called once a picture. */
  readonly onProgress?: ((done: number, of: number, shown: string) => void) | undefined
  /** Takes a picture again each time it lies somewhere. */
  readonly keepDuplicates?: boolean
}

/** An intake whose local pictures have become images where there is a way for them. */
export interface PublishedIntake extends Intake {
  /** Of its images, those that are uploaded, and their files' bytes. */
  readonly uploads: { readonly images: number; readonly bytes: number }
  /** Of its images, those that lie in a published folder. */
  readonly addresses: number
}

/**
 * Makes images of the pictures of this computer that an intake found: after those that have an address, in their order.
 * What is in a published folder has its address there, the first of which is looked at before anything begins; the rest
 * is read for its content, and uploaded when its turn comes. Formats that the service does not read are named.
 */
export async function publishIntake(
  intake: Intake,
  ways: PublishingWays,
  parts: PublishIntakeParts,
): Promise<PublishedIntake> {
  const into = new Taking(intake, parts)
  if (!ways.published && !ways.storage) return into.result(intake.localPictures)
  const left: LocalPicture[] = []
  let trouble: ((shown: string) => string) | undefined
  for (const [index, picture] of intake.localPictures.entries()) {
    if (parts.signal?.aborted) break
    parts.onProgress?.(index, intake.localPictures.length, picture.shown)
    const path = resolve(picture.path)
    if (mediaTypeOf(path) === undefined) {
      into.refuse(picture, (shown) => whyNotSent(shown, path))
      continue
    }
    const link = ways.published ? await publishedLinkOf(ways.published, path) : undefined
    if (link !== undefined) {
      // The first stands for all: a folder is published as a whole, or it is not.
      if (into.addresses === 0 && trouble === undefined) {
        const wrong = await lookAtPublished(link, path, parts)
        if (wrong !== undefined)
          trouble = (shown) => say`${shown} is not to be had under ${displayText(link, 500)}: ${wrong}`
      }
      if (trouble === undefined) into.take(picture, { url: link })
      else into.refuse(picture, trouble)
    } else if (ways.storage) await takeForUpload(picture, path, into, parts)
    else left.push(picture)
  }
  return into.result(left)
}

async function takeForUpload(
  picture: LocalPicture,
  path: string,
  into: Taking,
  { table, signal }: PublishIntakeParts,
) {
  try {
    const about = await stat(path)
    const found = { path, bytes: about.size, modified: Math.trunc(about.mtimeMs) }
    if (about.size === 0) {
      into.refuse(
        picture,
        (shown) =>
          say`${shown} is empty; a page in the browser takes pictures up to 60 MB, the command line larger ones.`,
      )
      return
    }
    const content = table.contentOf(found) ?? (await contentOf(path, signal))
    table.note({ ...found, content })
    into.take(picture, { url: ownSource(content), bytes: about.size })
  } catch (error) {
    if (!signal?.aborted) into.problem(picture, fileTrouble(displayText(picture.shown, 300), error))
  }
}

/** What an intake becomes. */
class Taking {
  readonly #intake: Intake
  readonly #keepDuplicates: boolean
  readonly #images: FoundImage[]
  readonly #duplicates: Duplicate[]
  readonly #problems: IntakeProblem[] = []
  readonly #seen: Map<string, FoundImage>
  #uploads = 0
  #bytes = 0
  addresses = 0

  constructor(intake: Intake, { keepDuplicates = false }: PublishIntakeParts) {
    this.#intake = intake
    this.#keepDuplicates = keepDuplicates
    this.#images = [...intake.images]
    this.#duplicates = [...intake.duplicates]
    this.#seen = new Map(intake.images.map((image) => [image.url, image]))
  }

  take(picture: LocalPicture, { url, bytes }: { readonly url: string; readonly bytes?: number }) {
    const image: FoundImage = {
      url,
      folder: picture.folder,
      name: basename(picture.path, extname(picture.path)),
      origin: { file: displayText(picture.shown, 1000) },
    }
    const first = this.#seen.get(url)
    if (first) this.#duplicates.push({ image, first })
    else this.#seen.set(url, image)
    if (!first || this.#keepDuplicates) this.#images.push(image)
    if (first) return
    if (bytes === undefined) this.addresses += 1
    else {
      this.#uploads += 1
      this.#bytes += bytes
    }
  }

  refuse(picture: LocalPicture, why: (shown: string) => string) {
    this.problem(picture, why(displayText(picture.shown, 300)))
  }

  problem({ shown }: LocalPicture, reason: string) {
    this.#problems.push({ file: displayText(shown, 1000), reason })
  }

  result(left: readonly LocalPicture[]): PublishedIntake {
    const { problems, problemCount } = this.#intake
    return {
      ...this.#intake,
      images: this.#images,
      duplicates: this.#duplicates,
      problems: [...problems, ...this.#problems],
      problemCount: problemCount + this.#problems.length,
      localPictures: left,
      uploads: { images: this.#uploads, bytes: this.#bytes },
      addresses: this.addresses,
    }
  }
}
