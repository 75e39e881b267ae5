/** What intake is given and what it finds (the program's design, sections 1, 6 and 9). */

/** One thing a person pointed at. */
export type Source =
  | {
      readonly kind: 'path'
      /** A folder, a list file or a shortcut, as the file system knows it. */
      readonly path: string
      /** What a person calls it, where that is not its path: what a browser handed over lies in a folder of ours. */
      readonly shown?: string
    }
  | { readonly kind: 'url'; readonly url: string }
  | {
      readonly kind: 'text'
      /** Pasted or dropped text: a list in any format, prose with addresses in it, or HTML. */
      readonly text: string
      /** What a person calls it, such as "pasted text". */
      readonly shown: string
    }
  | {
      readonly kind: 'stream'
      /** Read to its end; its iterator is closed when reading stops early. */
      readonly bytes: AsyncIterable<Uint8Array>
      readonly shown: string
    }

/** Where an image was named. */
interface Origin {
  /** The file as a person would name it, or what the text was called. */
  readonly file: string
  /** Counted from 1, as an editor counts; absent where the file has one address only. */
  readonly line?: number
}

/** One image that was found. */
export interface FoundImage {
  /** The address byte for byte as given, without what stood around it. */
  readonly url: string
  /** Folder of the list or shortcut relative to the source, with forward slashes; '' for a URL, text or stdin. */
  readonly folder: string
  /** From a name or SKU column, as given: not yet safe as a file name. */
  readonly name?: string
  readonly origin: Origin
}

/** A picture that lies on this computer. */
export interface LocalPicture {
  /** As a person would name it. */
  readonly shown: string
  readonly path: string
  /** Its folder relative to the source, as of `FoundImage`. */
  readonly folder: string
}

/** Something that was not taken, said so that a person can put it right. */
export interface IntakeProblem {
  readonly file: string
  readonly line?: number
  /** What stood there, without control characters and cut to 200 characters. */
  readonly text?: string
  /** One sentence: what is wrong and what would be right. */
  readonly reason: string
  /** What would safely put the line right. Only an offer: nothing is repaired without a person. */
  readonly repair?: Repair
}

export interface Repair {
  readonly label: string
  readonly url: string
}

/** An image whose address stood somewhere before. */
export interface Duplicate {
  readonly image: FoundImage
  readonly first: FoundImage
}

/** Everything that was found in all sources, in order. */
export interface Intake {
  readonly images: readonly FoundImage[]
  /** Listed even when `keepDuplicates` put them among the images as well. */
  readonly duplicates: readonly Duplicate[]
  /** At most `PROBLEMS_PER_FILE` of one file; `problemCount` counts all. */
  readonly problems: readonly IntakeProblem[]
  readonly problemCount: number
  /** Sentences on choices that were made, such as which of two address columns was read. */
  readonly notes: readonly string[]
  /** Pictures that lie on this computer, which the service cannot read there. */
  readonly localPictures: readonly LocalPicture[]
  /** Files and folders passed over silently: system litter, hidden files, sidecars, what was seen before. */
  readonly passedOver: number
  /** Lists and shortcuts that were read. */
  readonly listsRead: number
  /** True when the signal ended the reading: what stands here is what was found until then. */
  readonly stopped: boolean
}

/** How far the reading is. */
export interface IntakeProgress {
  readonly files: number
  readonly images: number
  readonly duplicates: number
  readonly problems: number
  readonly localPictures: number
  /** The file being read, as a person would name it. */
  readonly current: string
}

/** So many problems of one file are kept; the others are only counted. */
export const PROBLEMS_PER_FILE = 1000
