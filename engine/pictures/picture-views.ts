import { access, open, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import {
  lookSchema,
  type ItemBox,
  type Look,
  type Measure,
  type Subject,
} from '../../shared/contract/compare-records.ts'
import { sniff, sniffLength, type FileType } from '../delivery/sniff.ts'
import type { PictureCache } from './picture-cache.ts'
import { PictureTrouble, troubleOf } from './picture-trouble.ts'
import type { Pace, PictureWorkers } from './picture-workers.ts'
import { say } from '../../shared/language/say.ts'

/** A file that is to be shown. */
export interface Original {
  /** Absolute path. */
  readonly file: string
  /** 32 hexadecimal digits that change with the file's content: where its levels are kept. */
  readonly key: string
}

/** Where the files of a comparison are. */
export interface Originals {
  /**
   * The file of an output or a source; it is fetched where it is not here.
   * @throws PictureTrouble with a sentence where it cannot be had.
   */
  find(of: Subject, which: string): Promise<Original>
}

/** What an address leads to. */
export interface PictureFile {
  readonly path: string
  /** Content type. */
  readonly type: string
}

/** Raised when what is kept would be made otherwise by this version of the program. */
const edition = 2
const named = (name: string) => `${edition}-${name}`

/** Makes and finds what is drawn of pictures: facts, first level, tiles, measures. Never rejects but for our own faults. */
export class PictureViews {
  readonly #originals: Originals
  readonly #cache: PictureCache
  readonly #workers: PictureWorkers
  /** Work that is going on, by what it makes: two askers wait for one making. */
  readonly #making = new Map<string, { readonly made: Promise<unknown>; readonly pace: Pace }>()
  /** Originals that were looked at lately: tiles are asked for by the dozen. */
  readonly #known = new Map<string, Original>()

  constructor(parts: { originals: Originals; cache: PictureCache; workers: PictureWorkers }) {
    this.#originals = parts.originals
    this.#cache = parts.cache
    this.#workers = parts.workers
  }

  async look(of: Subject, which: string, ahead = false): Promise<Look> {
    let format: string | null = null
    try {
      const original = await this.#find(of, which)
      const type = await typeOf(original.file)
      format = type.extension.toUpperCase()
      if (type.kind === 'video') return await videoLook(original, type)
      const stored = await this.#open(original, ahead)
      return { ...stored, info: { ...stored.info, stamp: original.key } }
    } catch (error) {
      const known = error instanceof OtherFormat ? error.format : format
      return { kind: 'trouble', sentence: troubleOf(error).message, format: known }
    }
  }

  /** Makes the tiles of a picture; where it needs none there is nothing to do. */
  async tiles(of: Subject, which: string, ahead = false) {
    try {
      const original = await this.#find(of, which)
      const { info } = await this.#open(original, ahead)
      if (info.levels > 0) {
        await this.#once(`${original.key} tiles`, ahead, (pace) =>
          this.#cache.use(original.key, async (folder) => {
            if (await exists(join(folder, named('tiles')))) return
            const order = {
              kind: 'tiles',
              file: original.file,
              folder: join(folder, named('tiles')),
            } as const
            await this.#workers.work({ ...order, levels: info.levels }, pace)
            await this.#cache.settle(original.key)
          }),
        )
      }
      return { kind: 'ready' as const }
    } catch (error) {
      return { kind: 'trouble' as const, sentence: troubleOf(error).message }
    }
  }

  async measure(of: Subject, a: string, b: string): Promise<Measure> {
    try {
      const [first, second] = [await this.#find(of, a), await this.#find(of, b)]
      return await this.#kept(second.key, `measure-${first.key}.json`, measured, () =>
        this.#workers.work({ kind: 'measure', a: first.file, b: second.file }),
      )
    } catch (error) {
      return { kind: 'trouble', sentence: troubleOf(error).message }
    }
  }

  /** The item's box in fractions of the picture; null where it is not clear, or cannot be had. */
  async item(of: Subject, which: string, ahead = false): Promise<ItemBox | null> {
    try {
      const original = await this.#find(of, which)
      await this.#open(original, ahead)
      const found = await this.#once(`${original.key} item`, ahead, (pace) =>
        this.#kept(original.key, 'item.json', boxed, () =>
          this.#cache.use(original.key, (folder) =>
            this.#workers.work({ kind: 'item', file: join(folder, named('quick.png')) }, pace),
          ),
        ),
      )
      return found.box
    } catch {
      return null
    }
  }

  /**
   * The file behind an address of a comparison; undefined for any other address, and for what is not there.
   * @param path `/pictures/…` without the query, as it stands in the request.
   * @param stamp the address's `v`.
   */
  async file(path: string, stamp: string): Promise<PictureFile | undefined> {
    const address = parsed(path)
    if (!address) return undefined
    const original = await this.#find(address.of, address.which, stamp).catch(() => undefined)
    if (!original || original.key !== stamp) return undefined
    if (address.level === 'whole') {
      const type = await typeOf(original.file).catch(() => undefined)
      return type && { path: original.file, type: contentType(type) }
    }
    return this.#cache.use(original.key, async (folder) => {
      const file = join(
        folder,
        address.level === 'quick' ? named('quick.png') : join(named('tiles'), address.level),
      )
      return (await exists(file)) ? { path: file, type: 'image/png' } : undefined
    })
  }

  async #find(of: Subject, which: string, stamp?: string): Promise<Original> {
    const name = JSON.stringify([of, which])
    const known = this.#known.get(name)
    // A stamp names one content of the file: what was found for it need not be found again.
    if (known && known.key === stamp) return known
    const original = await this.#originals.find(of, which)
    this.#known.delete(name)
    this.#known.set(name, original)
    if (this.#known.size > 300) this.#known.delete(this.#known.keys().next().value!)
    return original
  }

  async #open(original: Original, ahead: boolean): Promise<Extract<Look, { kind: 'picture' }>> {
    await typeOf(original.file)
    const look = await this.#once(`${original.key} open`, ahead, (pace) =>
      this.#kept(original.key, 'look.json', lookSchema, () =>
        this.#cache.use(original.key, async (folder) => {
          const order = {
            kind: 'open',
            file: original.file,
            quick: join(folder, named('quick.png')),
          } as const
          const info = await this.#workers.work(order, pace)
          return { kind: 'picture' as const, info: { ...info, stamp: original.key } }
        }),
      ),
    )
    if (look.kind !== 'picture') throw new PictureTrouble(say`This file is no picture.`)
    return look
  }

  /** An answer that is kept beside the picture's levels, as JSON. */
  async #kept<T>(key: string, name: string, schema: z.ZodType<T>, make: () => Promise<T>): Promise<T> {
    return this.#cache.use(key, async (folder) => {
      const file = join(folder, named(name))
      const text = await readFile(file, 'utf8').catch(() => undefined)
      const stored = text === undefined ? undefined : schema.safeParse(asJson(text)).data
      if (stored !== undefined) return stored
      const made = await make()
      const draft = `${file}-${randomUUID()}`
      await writeFile(draft, JSON.stringify(made))
      await rename(draft, file)
      await this.#cache.settle(key)
      return made
    })
  }

  async #once<T>(name: string, ahead: boolean, make: (pace: Pace) => Promise<T>): Promise<T> {
    const going = this.#making.get(name)
    if (going) {
      if (!ahead) going.pace.ahead = false
      return (await going.made) as T
    }
    const pace = { ahead }
    const made = make(pace).finally(() => this.#making.delete(name))
    this.#making.set(name, { made, pace })
    return made
  }
}

const measured = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('measure'),
    changed: z.number(),
    pixels: z.number(),
    largest: z.number(),
    outside: z.number().nullable(),
  }),
  z.object({ kind: z.literal('sizes') }),
])

const box = z.object({ left: z.number(), top: z.number(), width: z.number(), height: z.number() })
const boxed = z.object({ box: box.nullable() })

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

/**
 * What a file is by its first bytes. Only what is known here goes on to be decoded: no vector pictures and documents,
 * which can hold scripts and links.
 * @throws PictureTrouble
 */
async function typeOf(file: string): Promise<FileType> {
  const handle = await open(file)
  try {
    const head = new Uint8Array(sniffLength)
    await handle.read(head, 0, sniffLength, 0)
    const type = sniff(head)
    if (type) return type
    const start = String.fromCodePoint(...head)
    const name = otherFormats.find(([pattern]) => pattern.test(start))?.[1]
    throw name === undefined
      ? new PictureTrouble(say`This file is in a format that is not shown here.`)
      : new OtherFormat(name)
  } finally {
    await handle.close()
  }
}

class OtherFormat extends PictureTrouble {
  readonly format: string
  constructor(format: string) {
    super(say`Pictures in ${format} format are not shown here.`)
    this.format = format
  }
}

const otherFormats: readonly (readonly [RegExp, string])[] = [
  [/^[\s\S]{4}ftyp(?:hei|hev|mif1|msf1)/, 'HEIC'],
  [/^8BPS/, 'Photoshop'],
  [/^%PDF/, 'PDF'],
  [/^(?:\u00ff\n|[\s\S]{4}JXL )/, 'JPEG XL'],
  [/^[\s\S]{4}jP {2}/, 'JPEG 2000'],
  [/^BM/, 'BMP'],
]

async function videoLook({ file, key }: Original, type: FileType): Promise<Look> {
  const { size } = await stat(file)
  return { kind: 'video', format: type.extension.toUpperCase(), bytes: size, stamp: key }
}

const contentTypes: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  tif: 'image/tiff',
  mov: 'video/quicktime',
}

function contentType({ kind, extension }: FileType): string {
  return contentTypes[extension] ?? `${kind}/${extension}`
}

/** Takes an address of a comparison apart (shared/contract/pictures.ts). */
function parsed(path: string): { of: Subject; which: string; level: string } | undefined {
  const match =
    /^\/pictures\/(?:(\d{1,15})|run\/([^/]+))\/([^/]+)\/(?:(quick|whole)|tile-(\d{1,2})-(\d{1,4})-(\d{1,4}))$/.exec(
      path,
    )
  if (!match) return undefined
  const [, image, run, which, name, level, x, y] = match
  try {
    return {
      of: image === undefined ? { run: decodeURIComponent(run!) } : { image: Number(image) },
      which: decodeURIComponent(which!),
      level: name ?? join(level!, `${x}_${y}.png`),
    }
  } catch {
    return undefined
  }
}
