import { basename, dirname, join } from 'node:path'
import type { Cut, Named, Step, Written } from './disk-log.ts'

/** What stands on a disk: contents by path, and the folders. */
export interface Left {
  readonly files: ReadonlyMap<string, Buffer>
  readonly folders: readonly string[]
}

type Change = (Written | Cut) & { readonly at: number }
type Naming = Named & { readonly at: number }

/** What reaches the disk of that which was not flushed when the power failed, in its order: of one file, of one folder. */
export interface Fate {
  readonly changes: (pending: readonly Change[]) => readonly (Written | Cut)[]
  readonly names: (pending: readonly Naming[]) => readonly Named[]
}

/** Smallest piece of which a disk writes all or nothing, in bytes. */
const sector = 512

/**
 * A disk that promises only what is flushed: bytes by a flush of their file, names by a flush of their folder. Of the
 * rest any part may be there, in any order, each write in pieces.
 */
export class LostDisk {
  readonly #bytes: Buffer[] = []
  readonly #changes: Change[][] = []
  /** A number is a file, null a folder. */
  readonly #folders = new Map<string, { names: Map<string, number | null>; pending: Naming[] }>()

  /** @param folders all that it has in it, those above others first */
  constructor(folders: readonly string[]) {
    for (const path of folders) this.#folder(dirnameOf(path)).names.set(basename(path), null)
  }

  take(step: Step) {
    if (step.kind === 'written' || step.kind === 'cut') (this.#changes[step.file] ??= []).push(step)
    else if (step.kind === 'named') {
      const paths = [step.given?.path, step.taken].filter((path) => path !== undefined)
      const folders = new Set(paths.map((path) => dirnameOf(path)))
      if (folders.size !== 1)
        throw new Error(`A name that moves between folders is not foreseen: ${paths.join(', ')}`)
      this.#folder([...folders][0]!).pending.push(step)
    } else if (step.kind === 'flushed') {
      const { what, since } = step
      const isOlder = ({ at }: { at: number }) => at < since
      if ('file' in what) {
        const pending = this.#changes[what.file] ?? []
        this.#bytes[what.file] = changed(this.#bytes[what.file], pending.filter(isOlder))
        this.#changes[what.file] = pending.filter((change) => !isOlder(change))
      } else {
        const folder = this.#folder(what.folder)
        renameAll(folder.names, folder.pending.filter(isOlder))
        folder.pending = folder.pending.filter((naming) => !isOlder(naming))
      }
    }
  }

  /** What is found once the power is back. */
  left({ changes, names }: Fate): Left {
    const files = new Map<string, Buffer>()
    const folders: string[] = []
    const contents = new Map<number, Buffer>()
    const walk = (path: string) => {
      folders.push(path)
      const folder = this.#folder(path)
      const entries = new Map(folder.names)
      renameAll(entries, names(folder.pending))
      for (const [name, file] of entries) {
        const at = join(path, name)
        if (file === null) walk(at)
        else {
          const pending = this.#changes[file] ?? []
          if (!contents.has(file)) contents.set(file, changed(this.#bytes[file], changes(pending)))
          files.set(at, contents.get(file)!)
        }
      }
    }
    walk('')
    return { files, folders }
  }

  #folder(path: string) {
    let folder = this.#folders.get(path)
    if (!folder) this.#folders.set(path, (folder = { names: new Map(), pending: [] }))
    return folder
  }
}

function dirnameOf(path: string): string {
  const folder = dirname(path)
  return folder === '.' ? '' : folder
}

function renameAll(names: Map<string, number | null>, namings: readonly Named[]) {
  for (const { given, taken } of namings) {
    if (taken !== undefined) names.delete(basename(taken))
    if (given !== undefined) names.set(basename(given.path), given.file ?? null)
  }
}

function changed(before: Buffer = Buffer.alloc(0), changes: readonly (Written | Cut)[]): Buffer {
  if (changes.length === 0) return before
  let length = before.length
  let most = length
  for (const change of changes) {
    length = change.kind === 'cut' ? change.length : Math.max(length, change.from + change.bytes.length)
    most = Math.max(most, length)
  }
  const after = Buffer.alloc(most)
  before.copy(after)
  let end = before.length
  for (const change of changes) {
    if (change.kind === 'cut') {
      after.fill(0, change.length, Math.max(end, change.length))
      end = change.length
    } else {
      change.bytes.copy(after, change.from)
      end = Math.max(end, change.from + change.bytes.length)
    }
  }
  return after.subarray(0, end)
}

/** The pieces of a write that reach the disk as a whole or not at all. */
function piecesOf({ kind, file, from, bytes }: Written): Written[] {
  const pieces: Written[] = []
  for (let at = 0; at < bytes.length;) {
    const end = Math.min(bytes.length, at + sector - ((from + at) % sector))
    pieces.push({ kind, file, from: from + at, bytes: bytes.subarray(at, end) })
    at = end
  }
  return pieces
}

export const fateKinds = ['nothing', 'everything', 'the first', 'some', 'torn'] as const
export type FateKind = (typeof fateKinds)[number]

/** A fate of this kind; those that have a choice take it by `random`, which is uniform in [0, 1). */
export function fateOf(kind: FateKind, random: () => number): Fate {
  const first = <T>(pending: readonly T[]) => pending.slice(0, Math.floor(random() * (pending.length + 1)))
  // Often all or nothing of a file: what the disk keeps of one file and not of another is of interest too.
  const some = <T>(pending: readonly T[]) => {
    const share = Math.min(1, Math.max(0, random() * 2 - 0.5))
    return pending.filter(() => random() < share)
  }
  switch (kind) {
    case 'nothing':
      return { changes: () => [], names: () => [] }
    case 'everything':
      return { changes: (pending) => pending, names: (pending) => pending }
    case 'the first':
      return { changes: first, names: first }
    case 'some':
      return { changes: some, names: some }
    case 'torn':
      return {
        changes: (pending) => {
          const kept = random() < 0.5 ? first(pending) : some(pending)
          const torn = kept.length > 0 && random() < 0.5 ? kept.at(-1) : undefined
          return kept.flatMap((change): readonly (Written | Cut)[] => {
            if (change.kind === 'cut' || (torn && change !== torn)) return [change]
            const pieces = piecesOf(change)
            return random() < 0.5 ? first(pieces) : some(pieces)
          })
        },
        names: some,
      }
  }
}
