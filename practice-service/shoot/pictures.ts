import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** One picture of the sample shoot. */
export interface ShootPicture {
  /** Path inside the shoot, with forward slashes: `Rings/Solitaire/R1183-front.jpg`. */
  readonly name: string
  /** Path of its address on the practice service. */
  readonly path: string
  /** Where it lies on disk. */
  readonly file: string
}

const folder = join(import.meta.dirname, 'pictures')
let known: ReadonlyMap<string, ShootPicture> | undefined

/** Every picture of the shoot, by name. */
export function shootPictures(): readonly ShootPicture[] {
  return [...byPath().values()]
}

/** The picture at an address, or undefined; only what the shoot has can be found, so no path leads out of it. */
export function pictureAt(path: string): ShootPicture | undefined {
  return byPath().get(path)
}

function byPath(): ReadonlyMap<string, ShootPicture> {
  known ??= new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((entry) => entry.replaceAll('\\', '/'))
      .filter((entry) => /\.jpe?g$/i.test(entry))
      .sort()
      .map((name) => {
        const path = `/shoot/${name.split('/').map(encodeURIComponent).join('/')}`
        return [path, { name, path, file: join(folder, name) }]
      }),
  )
  return known
}
