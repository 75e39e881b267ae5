import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { thumbnailSizes, type ThumbnailSize } from '../../shared/contract/pictures.ts'
import { sniff, sniffLength } from '../delivery/sniff.ts'
import { fileResponse } from '../pictures/file-response.ts'
import { PictureCache } from '../pictures/picture-cache.ts'
import { PictureTrouble } from '../pictures/picture-trouble.ts'
import type { PictureWorkers } from '../pictures/picture-workers.ts'
import { Thumbnails } from '../pictures/thumbnails.ts'
import type { InterfaceParts } from './parts.ts'
import { PictureSources } from './picture-sources.ts'
import type { Workplace } from './workplace.ts'
import { say } from '../../shared/language/say.ts'

const thumbnailBytes = 512 * 1024 * 1024
/** A report goes on without a picture that takes longer. */
const mostWaitMs = 90_000

/** What small pictures are made and kept with; opened when the first one is asked for. */
interface Opened {
  readonly sources: PictureSources
  readonly thumbnails: Thumbnails
}

/** What a desk needs of the interface's parts. */
type DeskParts = Pick<InterfaceParts, 'home' | 'clock' | 'store' | 'openDownloads' | 'preferences'>

/** Answers for the addresses of thumbnails and files (shared/contract/pictures.ts), the same for every shell. */
export class PictureDesk {
  readonly #parts: DeskParts
  readonly #workplace: Pick<Workplace, 'bench'>
  #opened: Promise<Opened> | undefined

  readonly #workers: PictureWorkers

  constructor(parts: DeskParts, workplace: Pick<Workplace, 'bench'>, workers: PictureWorkers) {
    this.#parts = parts
    this.#workers = workers
    this.#workplace = workplace
  }

  /** @throws where the data folder cannot be used */
  #open(): Promise<Opened> {
    this.#opened ??= this.#start()
    return this.#opened
  }

  async close() {
    const opened = await this.#opened?.catch(() => undefined)
    await opened?.sources.close()
  }

  async clearThumbnails() {
    await (await this.#open()).thumbnails.clear()
  }

  /** A small picture of an image, as WebP; undefined where it cannot be had, or is turned off. */
  async small(image: number, which: string, size: ThumbnailSize): Promise<Uint8Array | undefined> {
    const { chosen } = this.#parts.preferences.read()
    if (which === 'source' && chosen.thumbnails === false) return undefined
    const { sources, thumbnails } = await this.#open()
    try {
      const source = await sources.thumbnailOf(image, which)
      const made = await thumbnails.get(source, size, AbortSignal.timeout(mostWaitMs))
      return made.kind === 'made' ? await readFile(made.path) : undefined
    } catch (error) {
      if (error instanceof PictureTrouble) return undefined
      throw error
    }
  }

  /** The same as JPEG on white, for paper: PDF knows no WebP. */
  async smallJpeg(image: number, which: string, size: ThumbnailSize): Promise<Uint8Array | undefined> {
    const webp = await this.small(image, which, size)
    if (!webp) return undefined
    const folder = await mkdtemp(join(tmpdir(), 'vitrine-print-'))
    const [file, to] = [join(folder, 'small.webp'), join(folder, 'small.jpg')]
    try {
      await writeFile(file, webp)
      await this.#workers.work({ kind: 'convert', file, to, format: 'jpeg', longestSide: null })
      return await readFile(to)
    } catch (error) {
      if (error instanceof PictureTrouble) return undefined
      throw error
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  readonly answer = async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url)
    const address = addressOf(pathname)
    if (!address) return refusal(say`There is no such picture.`)
    const opened = await this.#open()
    try {
      if (address.kind === 'thumb') return await this.#thumbnail(opened, address, request)
      const path = await opened.sources.outputPath(address.image, address.which)
      return await fileResponse(request, { path, type: await contentTypeOf(path) }, searchParams.has('v'))
    } catch (error) {
      if (error instanceof PictureTrouble) return refusal(error.message)
      throw error
    }
  }

  async #thumbnail(
    { sources, thumbnails }: Opened,
    address: ThumbAddress,
    request: Request,
  ): Promise<Response> {
    const fetched = 'run' in address || address.which === 'source'
    if (fetched && this.#parts.preferences.read().chosen.thumbnails === false) {
      return refusal(say`Small pictures are turned off in the preferences.`)
    }
    const source =
      'run' in address
        ? sources.thumbnailOfRun(address.run)
        : await sources.thumbnailOf(address.image, address.which)
    const made = await thumbnails.get(source, address.size, request.signal)
    if (made.kind === 'trouble') return refusal(made.sentence)
    return await fileResponse(request, { path: made.path, type: 'image/webp' }, true)
  }

  async #start(): Promise<Opened> {
    const { home, clock } = this.#parts
    const cache = await PictureCache.open(join(home, 'thumbnails'), thumbnailBytes)
    return {
      sources: new PictureSources(this.#parts, this.#workplace),
      thumbnails: new Thumbnails({ cache, workers: this.#workers, now: () => clock.monotonic() }),
    }
  }
}

type ThumbAddress =
  | { readonly kind: 'thumb'; readonly run: string; readonly size: ThumbnailSize }
  | { readonly kind: 'thumb'; readonly image: number; readonly which: string; readonly size: ThumbnailSize }
type Address = ThumbAddress | { readonly kind: 'file'; readonly image: number; readonly which: string }

/** Takes an address of a thumbnail or a file apart; undefined for any other. */
function addressOf(path: string): Address | undefined {
  const [, image, run, which, size] =
    /^\/pictures\/(?:(\d{1,15})|run\/([^/]{1,600}))(?:\/([^/]{1,600}))?\/(?:thumb-(\d{3})|file)$/.exec(
      path,
    ) ?? []
  if (image === undefined && run === undefined) return undefined
  const wanted = thumbnailSizes.find((one) => String(one) === size)
  if (size !== undefined && wanted === undefined) return undefined
  try {
    if (run !== undefined) {
      return which === undefined && wanted
        ? { kind: 'thumb', run: decodeURIComponent(run), size: wanted }
        : undefined
    }
    if (which === undefined) return undefined
    const named = { image: Number(image), which: decodeURIComponent(which) }
    return wanted ? { kind: 'thumb', ...named, size: wanted } : { kind: 'file', ...named }
  } catch {
    return undefined
  }
}

function refusal(sentence: string): Response {
  return new Response(sentence, {
    status: 404,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  })
}

const contentTypes: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  tif: 'image/tiff',
  mov: 'video/quicktime',
}

/** By the file's first bytes; what is no picture and no video is not handed out. */
async function contentTypeOf(path: string): Promise<string> {
  const file = await open(path)
  try {
    const head = new Uint8Array(sniffLength)
    await file.read(head, 0, sniffLength, 0)
    const type = sniff(head)
    if (!type) throw new PictureTrouble(say`This file is no picture any more.`)
    return contentTypes[type.extension] ?? `${type.kind}/${type.extension}`
  } finally {
    await file.close()
  }
}
