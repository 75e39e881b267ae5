import { checkAddress } from './address.ts'
import { displayText } from './display-text.ts'
import { PROBLEMS_PER_FILE } from './found.ts'
import type {
  Duplicate,
  FoundImage,
  Intake,
  IntakeProblem,
  IntakeProgress,
  LocalPicture,
  Repair,
} from './found.ts'
import { say } from '../../shared/language/say.ts'

export interface CollectorOptions {
  readonly signal?: AbortSignal | undefined
  readonly keepDuplicates?: boolean | undefined
  readonly onProgress?: ((progress: IntakeProgress) => void) | undefined
}

/** Gathers what the readers find, finds duplicates by address and keeps the number of problems in bounds. */
export class Collector {
  readonly images: FoundImage[] = []
  readonly duplicates: Duplicate[] = []
  readonly problems: IntakeProblem[] = []
  readonly notes: string[] = []
  readonly localPictures: LocalPicture[] = []
  problemCount = 0
  passedOver = 0
  listsRead = 0
  files = 0
  readonly #options: CollectorOptions
  readonly #seen = new Map<string, FoundImage>()

  constructor(options: CollectorOptions) {
    this.#options = options
  }

  get stopped(): boolean {
    return this.#options.signal?.aborted ?? false
  }

  add(image: FoundImage): void {
    const first = this.#seen.get(image.url)
    if (first) this.duplicates.push({ image, first })
    else this.#seen.set(image.url, image)
    if (!first || this.#options.keepDuplicates) this.images.push(image)
  }

  /** A problem of a whole file or folder. */
  addProblem(file: string, reason: string): void {
    this.problemCount++
    if (this.problems.length < 100 * PROBLEMS_PER_FILE)
      this.problems.push({ file: displayText(file, 1000), reason })
  }

  progress(current: string): void {
    this.#options.onProgress?.({
      files: this.files,
      images: this.images.length,
      duplicates: this.duplicates.length,
      problems: this.problemCount,
      localPictures: this.localPictures.length,
      current: displayText(current, 1000),
    })
  }

  result(): Intake {
    const {
      images,
      duplicates,
      problems,
      problemCount,
      notes,
      localPictures,
      passedOver,
      listsRead,
      stopped,
    } = this
    return {
      images,
      duplicates,
      problems,
      problemCount,
      notes,
      localPictures,
      passedOver,
      listsRead,
      stopped,
    }
  }
}

/** What one list adds to a collector. Problems are held back until `finish`, which may sum them up in one. */
export class ListReading {
  /** As a person would name it. */
  readonly file: string
  readonly collector: Collector
  readonly #folder: string
  readonly #problems: IntakeProblem[] = []
  #problemCount = 0
  #attempts = 0
  #addresses = 0

  constructor(collector: Collector, file: string, folder: string) {
    this.collector = collector
    this.file = displayText(file, 1000)
    this.#folder = folder
  }

  /** True once the person has asked to stop. */
  get stopped(): boolean {
    return this.collector.stopped
  }

  /** Takes an address, or reports why it is none. */
  take(
    raw: string,
    at: { line?: number | undefined; name?: string | undefined; text?: string | undefined },
  ): void {
    const check = checkAddress(raw)
    if (!check.ok) {
      this.bad(at.line, at.text ?? raw, check.reason, { repair: check.repair, attempt: check.attempt })
      return
    }
    this.#addresses++
    const name = cleanName(at.name)
    this.collector.add({
      url: check.url,
      folder: this.#folder,
      ...(name !== undefined && { name }),
      origin: { file: this.file, ...(at.line !== undefined && { line: at.line }) },
    })
  }

  bad(
    line: number | undefined,
    text: string,
    reason: string,
    about: { repair?: Repair | undefined; attempt?: boolean } = {},
  ): void {
    this.#problemCount++
    if (about.attempt ?? true) this.#attempts++
    if (this.#problems.length >= PROBLEMS_PER_FILE) return
    const shown = displayText(text)
    this.#problems.push({
      file: this.file,
      ...(line !== undefined && { line }),
      ...(shown !== '' && { text: shown }),
      reason,
      ...(about.repair && { repair: about.repair }),
    })
  }

  note(text: string | undefined): void {
    if (text !== undefined && this.collector.notes.length < PROBLEMS_PER_FILE) this.collector.notes.push(text)
  }

  /**
   * Hands the problems on. A file that lay in a folder and in which nobody meant to write an address (a read-me)
   * becomes one problem instead of one a line.
   */
  finish(inFolder: boolean): void {
    const { collector } = this
    collector.listsRead++
    if (this.stopped && this.#problemCount === 0) return
    if (this.#addresses === 0 && this.#problemCount === 0) {
      collector.addProblem(
        this.file,
        say`${this.file} holds no image address; a list has one address a line.`,
      )
    } else if (this.#addresses === 0 && this.#attempts === 0 && inFolder) {
      collector.addProblem(
        this.file,
        say`${this.file} is text without an image address; a list has one address a line.`,
      )
    } else {
      collector.problemCount += this.#problemCount
      for (const problem of this.#problems) {
        if (collector.problems.length < 100 * PROBLEMS_PER_FILE) collector.problems.push(problem)
      }
    }
  }
}

const MAX_NAME = 500

function cleanName(name: string | undefined): string | undefined {
  const clean = name === undefined ? '' : displayText(name, MAX_NAME)
  return clean === '' ? undefined : clean
}
