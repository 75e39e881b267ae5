import { foldName, numberedName, safeName } from '../delivery/safe-name.ts'
import type { Launch } from './launch.ts'

/** By this word an entry is known to be ours; nothing without it is ever replaced or removed. */
export const entryMark = 'Written by Vitrine (file-manager)'

/** One thing that a person can choose in the file manager. */
export interface Wish {
  /** Null for the preset that new batches begin with. */
  readonly preset: string | null
}

/** What has to be known of a computer to write entries for it. */
export interface Desk {
  readonly platform: NodeJS.Platform
  /** The person's own folder. */
  readonly userHome: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Starts the program with files. */
  readonly launch: Launch
}

/** A file to be written. `link` is one that only Windows can write: `text` is then the PowerShell that does it. */
export interface EntryFile {
  readonly path: string
  readonly text: string
  readonly mode: number
  readonly kind: 'file' | 'link'
}

/** A file manager, and where its entries lie. */
export interface Place {
  readonly id: string
  readonly title: string
  /** Programs by which it is known to be there. */
  readonly programs: readonly string[]
  /** Where our entries lie; whatever carries our mark there is ours. */
  readonly folder: string
  readonly files: (wishes: readonly Wish[]) => EntryFile[]
}

/** A file name for each entry: safe, and none twice where presets are called nearly the same. */
export function entryNames(wishes: readonly Wish[]): { readonly wish: Wish; readonly name: string }[] {
  const taken = new Set<string>()
  return wishes.map((wish) => {
    const wanted = safeName(wishTitle(wish))
    let name = wanted
    for (let n = 2; taken.has(foldName(name)) && n <= wishes.length + 1; n += 1)
      name = numberedName(wanted, n)
    taken.add(foldName(name))
    return { wish, name }
  })
}

/** What stands in the menu. */
export function wishTitle({ preset }: Wish): string {
  return preset === null ? 'Process with Vitrine' : `Process with Vitrine - ${preset}`
}
