import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import type { FoundRecord } from '../../shared/contract/intake-records.ts'
import { Fault } from '../../shared/rpc/fault.ts'
import type { Picture } from '../batches/add-batch.ts'
import { displayText } from '../intake/display-text.ts'
import type { FoundImage, Source } from '../intake/found.ts'
import { contentOfSource } from '../own-files/own-source.ts'
import type { PublishedIntake } from '../own-files/publish-intake.ts'
import { localPicturesSentence, nothingFoundSentence } from '../intake/sentences.ts'
import { say } from '../../shared/language/say.ts'

/** Drafts that are kept at a time; a person has one open, or two windows one each. */
const mostDrafts = 6
const mostFolders = 5000
const mostShown = 200

/** What was found in sources, until a batch is made of it or it is given up. */
export interface Draft {
  readonly id: string
  readonly intake: PublishedIntake
  /** Images whose address stood somewhere before; they are among the intake's images too. */
  readonly again: ReadonlySet<FoundImage>
}

/** Which part of a draft a person takes. */
export interface DraftPart {
  readonly without: readonly string[]
  readonly repairs: readonly number[]
  readonly includeDuplicates: boolean
}

/** The drafts of this program, in memory alone: nothing of them is worth keeping. */
export class Drafts {
  readonly #drafts = new Map<string, Draft>()

  /** @param intake gathered with its duplicates kept, so that they can be taken at their place */
  add(intake: PublishedIntake): Draft {
    const draft: Draft = {
      id: randomUUID(),
      intake,
      again: new Set(intake.duplicates.map(({ image }) => image)),
    }
    this.#drafts.set(draft.id, draft)
    const [oldest] = this.#drafts.keys()
    if (this.#drafts.size > mostDrafts && oldest !== undefined) this.#drafts.delete(oldest)
    return draft
  }

  /** @throws Fault `gone` */
  find(id: string): Draft {
    const draft = this.#drafts.get(id)
    if (!draft) throw new Fault('gone', say`What was dropped is not known any more; drop it again.`)
    return draft
  }

  discard(id: string) {
    this.#drafts.delete(id)
  }
}

/** The pictures of a draft that a person takes, in the order in which they were found; repaired lines come last. */
export function picturesOf({ intake, again }: Draft, part: DraftPart): Picture[] {
  const without = new Set(part.without)
  const pictures: Picture[] = []
  for (const image of intake.images) {
    if (without.has(image.folder) || (!part.includeDuplicates && again.has(image))) continue
    pictures.push({ source: image.url, folder: image.folder, name: image.name ?? null })
  }
  const taken = new Set(pictures.map(({ source }) => source))
  for (const index of new Set(part.repairs)) {
    const url = intake.problems[index]?.repair?.url
    if (url === undefined || (taken.has(url) && !part.includeDuplicates)) continue
    taken.add(url)
    pictures.push({ source: url, folder: '', name: null })
  }
  return pictures
}

/** What a person is shown of a draft. */
export function foundRecord(
  { id, intake, again }: Draft,
  sources: readonly Source[],
  shown: readonly string[],
): FoundRecord {
  const folders = new Map<string, number>()
  for (const image of intake.images) {
    if (!again.has(image)) folders.set(image.folder, (folders.get(image.folder) ?? 0) + 1)
  }
  return {
    draft: id,
    images: intake.images.length - again.size,
    folders: [...folders].slice(0, mostFolders).map(([folder, images]) => ({ folder, images })),
    listsRead: intake.listsRead,
    duplicates: intake.duplicates
      .slice(0, mostShown)
      .map(({ image, first }) => ({ url: displayText(shownAddress(image), 500), first: placeOf(first) })),
    duplicateCount: intake.duplicates.length,
    problems: intake.problems.slice(0, mostShown).map((problem, index) => ({
      index,
      file: problem.file,
      line: problem.line ?? null,
      text: problem.text ?? null,
      reason: problem.reason,
      repair: problem.repair?.label ?? null,
    })),
    problemCount: intake.problemCount,
    notes: intake.notes.map((note) => displayText(note, 500)),
    localPictures: intake.localPictures.length,
    localPicturesSentence: localPicturesSentence(intake) ?? null,
    ownPictures: {
      uploads: intake.uploads.images,
      bytes: intake.uploads.bytes,
      published: intake.addresses,
    },
    nothing: nothingFoundSentence(intake, shown) ?? null,
    stopped: intake.stopped,
    suggestedName: suggestedName(sources, shown),
  }
}

/** A picture of this computer has no address that tells a person anything. */
function shownAddress({ url, origin }: FoundImage): string {
  return contentOfSource(url) === undefined ? url : origin.file
}

function placeOf({ origin }: FoundImage): string {
  return origin.line === undefined ? origin.file : say`${origin.file}, line ${origin.line}`
}

/** The name of what was dropped, where it was one thing with a name. */
function suggestedName(sources: readonly Source[], shown: readonly string[]): string {
  const [first] = sources
  // A page in a browser hands a large folder over in several parts.
  const isOne = sources.every(
    (one) => one.kind === 'path' && one.shown !== undefined && one.shown === shown[0],
  )
  if (first?.kind !== 'path' || (sources.length !== 1 && !isOne))
    return shown[0] === 'Sample shoot' ? shown[0] : ''
  const name = basename(first.path).replace(
    /\.(?:txt|csv|tsv|tab|json|jsonl|ndjson|url|webloc|desktop)$/i,
    '',
  )
  return displayText(name, 100)
}
