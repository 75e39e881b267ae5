import { join } from 'node:path'
import sharp from 'sharp'
import { changesPictures, metadataParts, type MetadataParts } from '../../shared/metadata.ts'
import { plainText } from '../../shared/plain-text.ts'
import type { Clock } from '../clock.ts'
import { DeliveryError } from '../delivery/delivery-error.ts'
import type { Delivery, FetchedPart } from '../delivery/delivery.ts'
import type { Files } from '../delivery/files.ts'
import type { DownloadTransport } from '../service/download-transport.ts'
import type { Batch, Image } from '../store/rows.ts'
import type { MetadataTool } from './exiftool.ts'
import { orientationFor, type Lie } from './orientation.ts'
import { runXmp, type RunFacts } from './run-xmp.ts'
import { openScratch, type Scratch } from './scratch.ts'
import { fetchSource, SourceTrouble } from './source-file.ts'
import { say } from '../../shared/language/say.ts'

export interface OutputMetadataParts {
  readonly tool: MetadataTool
  readonly delivery: Delivery
  /** The guarded way by which results are fetched too; it has no key. */
  readonly downloads: DownloadTransport
  readonly files: Files
  readonly clock: Clock
  /** A folder of the data folder for files that are worked on. */
  readonly scratch: string
  /** Hears one sentence where a picture is delivered without its metadata. */
  readonly tell: (message: string) => void
}

/** What the settings say, for all files of a run. */
export type ImageFacts = Omit<RunFacts, 'output'>

/** Writes metadata into downloaded files before they get their names, where a batch wants it. Never fails a delivery. */
export interface OutputMetadata {
  /** Begins with the files of one image; undefined where its batch wants none of them changed. */
  begin(batch: Batch, image: Image, facts: ImageFacts): ImageMetadata | undefined
  /** Puts the sidecar beside a placed file, where the batch wants one and it is not there yet. */
  placeSidecar(batch: Batch, image: Image, about: RunFacts & { readonly relative: string }): Promise<void>
  /** Ends what it has started. */
  close(): Promise<void>
}

/** One image: its source is fetched once, for all of its files. */
export interface ImageMetadata {
  /**
   * Takes a part that is whole and gives back the one to be placed: with its metadata, or as it came where that could
   * not be written.
   * @throws DeliveryError where the output folder cannot be written, or the work is broken off
   */
  carry(fetched: FetchedPart, about: CarryRequest): Promise<FetchedPart>
  /** Removes what it has fetched. */
  end(): Promise<void>
}

interface CarryRequest {
  /** The service's word for the file. */
  readonly output: string
  /** Of the file, below the output folder. */
  readonly folder: string
  readonly signal: AbortSignal
}

/** Kinds of pictures that metadata is written into, and those among them that hold IPTC. */
const writable = new Set(['jpg', 'png', 'webp', 'tif', 'gif', 'avif'])
const holdIptc = new Set(['jpg', 'tif', 'png'])
/** Of one batch so many pictures are named; then the rest is told of once. */
const mostNamed = 3

export function createOutputMetadata(parts: OutputMetadataParts): OutputMetadata {
  const told = new Map<number, number>()
  const scratch = openScratch(parts.scratch)
  const tell: Tell = (batch, image, why) => {
    const n = (told.get(batch.seq) ?? 0) + 1
    told.set(batch.seq, n)
    if (n <= mostNamed) parts.tell(say`${plainText(image.title, 80)}: ${plainText(why, 400)}`)
    else if (n === mostNamed + 1) {
      parts.tell(
        say`More pictures of batch ${batch.id} are delivered without their metadata; they are whole.`,
      )
    }
  }
  return {
    begin(batch, image, facts) {
      if (!changesPictures(batch.metadata)) return undefined
      const wanted = metadataParts(batch.metadata)
      return new OneImage({ ...parts, wanted, batch, image, facts, scratch, tell })
    },
    async placeSidecar(batch, image, about) {
      if (metadataParts(batch.metadata).run !== 'beside') return
      try {
        const left = await sidecar(parts.delivery, batch, about)
        if (left !== undefined) tell(batch, image, left)
      } catch (error) {
        if (!(error instanceof DeliveryError)) throw error
        tell(batch, image, say`its sidecar could not be written: ${error.message}`)
      }
    },
    async close() {
      // What stays of it the next program clears away.
      await parts.tool.close().catch(() => {})
      await scratch.remove().catch(() => {})
    },
  }
}

type Tell = (batch: Batch, image: Image, why: string) => void

interface OneImageParts extends Omit<OutputMetadataParts, 'scratch' | 'tell'> {
  readonly wanted: MetadataParts
  readonly batch: Batch
  readonly image: Image
  readonly facts: ImageFacts
  readonly scratch: Scratch
  readonly tell: Tell
}

class OneImage implements ImageMetadata {
  readonly #parts: OneImageParts
  #folder: Promise<string> | undefined
  #source: Promise<string | undefined> | undefined

  constructor(parts: OneImageParts) {
    this.#parts = parts
  }

  async carry(fetched: FetchedPart, about: CarryRequest): Promise<FetchedPart> {
    if (!writable.has(fetched.extension)) return fetched
    const { delivery, tool, batch, image } = this.#parts
    try {
      const trouble = await tool.trouble()
      if (trouble !== undefined) {
        this.#parts.tell(batch, image, say`it is delivered without its metadata. ${trouble}`)
        return fetched
      }
      const written = await this.#write(fetched, about)
      if (written === undefined) return fetched
      const content = this.#parts.files.read(written)
      const { outDir } = batch
      const part = await delivery.writePart({ outDir, folder: about.folder, content, picture: true })
      await delivery.discardPart(fetched.part)
      return { ...fetched, ...part }
    } catch (error) {
      const fault = about.signal.aborted
        ? new DeliveryError('aborted', say`The delivery was broken off.`)
        : error
      // What was written is no picture any more: that is no fault of the output folder.
      if (fault instanceof DeliveryError && fault.kind !== 'not-an-image') {
        await delivery.discardPart(fetched.part).catch(() => {})
        throw fault
      }
      this.#parts.tell(batch, image, say`its metadata could not be written; it is delivered without.`)
      return fetched
    }
  }

  async end() {
    // Not before a fetch under way has let go of the folder.
    await this.#source?.catch(() => {})
    const folder = await this.#folder?.catch(() => undefined)
    if (folder !== undefined) await this.#parts.scratch.discard(folder).catch(() => {})
  }

  /** The changed file; undefined where there is nothing to write. */
  async #write(fetched: FetchedPart, { output, signal }: CarryRequest): Promise<string | undefined> {
    const { tool, wanted, scratch, facts, files } = this.#parts
    const folder = await (this.#folder ??= scratch.make())
    const source = wanted.source ? await (this.#source ??= this.#fetch(folder, signal)) : undefined
    signal.throwIfAborted()
    if (source === undefined && wanted.run !== 'inside') return undefined
    const picture = join(folder, `picture.${fetched.extension}`)
    await scratch.copy(files.read(fetched.part), picture)
    const run = wanted.run === 'inside' ? join(folder, 'run.xmp') : undefined
    if (run !== undefined) await scratch.copy([Buffer.from(runXmp({ ...facts, output }))], run)
    const before = await lieOf(picture)
    const orientation =
      source === undefined || before === undefined ? undefined : await this.#orientation(source, before)
    const holdsIptc = holdIptc.has(fetched.extension)
    const outcome = await tool.write({ picture, source, run, orientation, holdsIptc })
    if (outcome === 'unchanged') return undefined
    const after = await lieOf(picture)
    // A profile that came with the picture has to be there to the byte, whatever was written.
    if (!before || !after || !sameProfile(before.icc, after.icc))
      throw new Error(say`The colour profile changed.`)
    return picture
  }

  async #orientation(source: string, output: Lie): Promise<number | undefined> {
    const lie = await lieOf(source)
    return lie && orientationFor(lie, output)
  }

  /** Once; undefined where it is not to be had, which was told then. */
  async #fetch(folder: string, signal: AbortSignal): Promise<string | undefined> {
    const { downloads, clock, batch, image } = this.#parts
    const path = join(folder, 'source')
    try {
      await fetchSource({ downloads, clock }, image.source, path, signal)
      return path
    } catch (error) {
      if (!(error instanceof SourceTrouble) || signal.aborted) throw error
      const { message } = error
      this.#parts.tell(
        batch,
        image,
        say`its source could not be read for its metadata: ${message} It is delivered without.`,
      )
      return undefined
    }
  }
}

/** How a picture lies in its file, and its colour profile; undefined where it cannot be read. */
async function lieOf(path: string): Promise<(Lie & { readonly icc: Buffer | undefined }) | undefined> {
  // From memory, for a file that is held open cannot be replaced on Windows.
  sharp.cache(false)
  try {
    const { width, height, orientation, icc } = await sharp(path, { limitInputPixels: false }).metadata()
    return { width, height, orientation, icc }
  } catch {
    return undefined
  }
}

function sameProfile(a: Buffer | undefined, b: Buffer | undefined): boolean {
  return a === undefined || b === undefined ? a === b : a.equals(b)
}

/** A sentence where another file has the name; a person may have written into it, so it stays. */
async function sidecar(
  delivery: Delivery,
  { outDir, onConflict }: Batch,
  about: RunFacts & { readonly relative: string },
): Promise<string | undefined> {
  const relative = `${about.relative}.xmp`
  const folder = relative.split('/').slice(0, -1).join('/')
  const content = [Buffer.from(runXmp(about))]
  const { part, bytes, sha256 } = await delivery.writePart({ outDir, folder, content, picture: false })
  const name = await delivery
    .settleName({
      outDir,
      relative,
      onConflict: onConflict === 'overwrite' ? 'overwrite' : 'skip',
      bytes,
      sha256,
      claimed: () => false,
    })
    .catch(async (error: unknown) => {
      await delivery.discardPart(part).catch(() => {})
      throw error
    })
  const { kind } = name
  const placed =
    kind === 'free'
      ? await delivery.placePart({ outDir, part, relative, bytes, sha256, replace: name.replace })
      : 'name-taken'
  if (placed === 'placed') return undefined
  await delivery.discardPart(part)
  return kind === 'already' ? undefined : say`another file stands at ${relative}, so no sidecar was written.`
}
