import { dropLimits } from '../../shared/contract/drops.ts'

/** What a drag or a paste held, taken out before the event is over (afterwards a browser forgets it). */
export interface Dropped {
  /** Files and folders as the system gave them; a desktop shell finds their paths. */
  readonly files: readonly File[]
  /** For a page in a browser: folders and files to walk through. */
  readonly entries: readonly FileSystemEntry[]
  /** Addresses and text. */
  readonly text: string
}

/** A file of a drop with its place in it, forward slashes between folders. */
export interface NamedFile {
  readonly name: string
  readonly file: Blob
}

/** Reads a transfer at once; what it names is opened later. */
export function takeTransfer(transfer: DataTransfer): Dropped {
  const entries: FileSystemEntry[] = []
  for (const item of transfer.items) {
    const entry = item.kind === 'file' ? item.webkitGetAsEntry() : null
    if (entry) entries.push(entry)
  }
  const files = [...transfer.files]
  // A link dragged from a browser comes with its picture as a file in some; the address says more.
  const text = files.length > 0 && entries.length > 0 ? '' : addressesOf(transfer)
  return { files, entries, text }
}

function addressesOf(transfer: DataTransfer): string {
  const list = transfer
    .getData('text/uri-list')
    .split(/\r?\n/)
    .filter((line) => line !== '' && !line.startsWith('#'))
  return list.length > 0 ? list.join('\n') : transfer.getData('text/plain')
}

/** How many things a drag holds, as far as a page may know before it ends. */
export function countItems(transfer: DataTransfer | null): number {
  if (!transfer) return 0
  const files = [...transfer.items].filter((item) => item.kind === 'file').length
  return files > 0 ? files : transfer.items.length > 0 ? 1 : 0
}

/** Whether a drag is something that could become a batch. */
export function isTakeable(transfer: DataTransfer | null): boolean {
  return transfer?.types.some((type) => ['Files', 'text/uri-list', 'text/plain'].includes(type)) ?? false
}

/** A page hands over larger files by their names alone: one request holds no more. */
export const largestFile = dropLimits.bytes - 2 * 1024 * 1024

const listEndings = /\.(?:txt|csv|tsv|json|jsonl|ndjson|url|webloc|desktop|vitrinepreset)$/i

/** Of what is no list only the name counts, unless pictures are uploaded from here: they may be large. */
function contentOf(file: File, withPictures: boolean): Blob {
  const isSent = listEndings.test(file.name) || (withPictures && file.size <= largestFile)
  return isSent ? file : new Blob([])
}

export interface Walking {
  readonly signal: AbortSignal
  /** What pictures hold is taken too. */
  readonly withPictures: boolean
  readonly onProgress: (files: number) => void
}

/** Walks folders to any depth. Ends early, with what it has, when the signal does or `most` is reached. */
export async function walkEntries(
  entries: readonly FileSystemEntry[],
  most: number,
  { signal, withPictures, onProgress }: Walking,
): Promise<readonly NamedFile[]> {
  const found: NamedFile[] = []
  const queue = [...entries]
  for (let entry = queue.shift(); entry && found.length < most && !signal.aborted; entry = queue.shift()) {
    if (isFolder(entry)) queue.push(...(await readFolder(entry)))
    else if (isFile(entry)) {
      const file = await fileOf(entry)
      if (file) found.push({ name: entry.fullPath.replace(/^\//, ''), file: contentOf(file, withPictures) })
      onProgress(found.length)
    }
  }
  return found
}

/** Files of a folder that was chosen in the browser's own dialog. */
export function namedFiles(files: readonly File[], withPictures: boolean): readonly NamedFile[] {
  return files.map((file) => ({
    name: file.webkitRelativePath || file.name,
    file: contentOf(file, withPictures),
  }))
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile
}

async function readFolder(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  // A reader gives a hundred at a time, and an empty list at the end.
  for (;;) {
    const some = await new Promise<readonly FileSystemEntry[]>((resolve) =>
      reader.readEntries(resolve, () => resolve([])),
    )
    if (some.length === 0) return all
    all.push(...some)
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File | undefined> {
  return new Promise((resolve) => entry.file(resolve, () => resolve(undefined)))
}
