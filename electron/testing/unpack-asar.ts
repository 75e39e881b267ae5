import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

interface Entry {
  readonly files?: Readonly<Record<string, Entry>>
  readonly size?: number
  readonly offset?: string
  readonly unpacked?: boolean
}

/**
 * Lays the files of a packed program out in a folder, those beside the archive with them.
 * @returns their paths, with forward slashes
 */
export function unpackAsar(archive: string, folder: string): string[] {
  const bytes = readFileSync(archive)
  // Chromium's pickles: sizes of 4 bytes each, the last of them that of the JSON.
  const header = JSON.parse(bytes.toString('utf8', 16, 16 + bytes.readUInt32LE(12))) as Entry
  const start = 8 + bytes.readUInt32LE(4)
  const paths: string[] = []
  const lay = (entry: Entry, path: string) => {
    for (const [name, one] of Object.entries(entry.files ?? {}))
      lay(one, path === '' ? name : `${path}/${name}`)
    if (entry.size === undefined) return
    paths.push(path)
    const target = join(folder, path)
    mkdirSync(dirname(target), { recursive: true })
    const from = start + Number(entry.offset)
    if (entry.unpacked) copyFileSync(join(`${archive}.unpacked`, path), target)
    else writeFileSync(target, bytes.subarray(from, from + entry.size))
  }
  lay(header, '')
  return paths
}
