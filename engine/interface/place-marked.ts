import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { isAbsolute, join, relative as relativePath, sep } from 'node:path'
import { z } from 'zod'
import { Fault } from '../../shared/rpc/fault.ts'
import type { Clock } from '../clock.ts'
import { DeliveryError } from '../delivery/delivery-error.ts'
import type { Files } from '../delivery/files.ts'
import { fileIn, folderIn, partNameOf } from '../delivery/output-folder.ts'
import { placePart, settleName } from '../delivery/place.ts'
import { foldName, safeName } from '../delivery/safe-name.ts'
import type { Batch, Output } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import { placedOutputs } from './compare-originals.ts'
import { say } from '../../shared/language/say.ts'

export interface PlaceMarkedParts {
  readonly store: Store
  readonly files: Files
  readonly clock: Clock
  /** Where records of placings are kept, so that one can be taken back; absolute. */
  readonly records: string
  /** Paths of a batch have changed: its manifest is to be written anew. */
  readonly onPathsChanged: (batchSeq: number) => void
}

export interface PlaceRequest {
  readonly batch: string
  readonly what: 'kept' | 'rejected'
  readonly how: 'copy' | 'move'
  readonly to: { readonly folder: string } | { readonly path: string }
}

const placedSchema = z.object({
  imageId: z.number(),
  slug: z.string(),
  from: z.string(),
  to: z.string(),
  bytes: z.number(),
  sha256: z.string(),
})
const recordSchema = z.object({
  batchSeq: z.number(),
  how: z.enum(['copy', 'move']),
  /** The folder that was written to: nothing outside it is removed. */
  root: z.string(),
  files: z.array(placedSchema),
})
type PlacingRecord = z.infer<typeof recordSchema>
type Placed = z.infer<typeof placedSchema>

const mostProblems = 50
const page = 500

/**
 * Puts the files of marked images into a folder. Nothing is overwritten, and nothing is written outside the folder
 * that was chosen; a moved file stays within its batch's output folder, where it is found again.
 */
export class PlaceMarked {
  readonly #parts: PlaceMarkedParts

  constructor(parts: PlaceMarkedParts) {
    this.#parts = parts
  }

  /** @throws Fault with what stands in the way of all of it */
  async place(request: PlaceRequest) {
    const batch = this.#parts.store.batches.byId(request.batch)
    if (!batch) throw new Fault('gone', say`This batch is not there any more.`)
    const place = await this.#target(batch, request)
    const record: PlacingRecord = { batchSeq: batch.seq, how: request.how, root: place.root, files: [] }
    const problems: string[] = []
    for (const { image, output } of chosenFiles(this.#parts.store, batch, request.what)) {
      try {
        if (request.how === 'move' && output.imageId !== image.id) {
          throw new Fault(
            'refused',
            say`${image.title} was delivered by another batch; its file stays where it is.`,
          )
        }
        const placed = await this.#one(output, place)
        if (!placed) continue
        if (request.how === 'move') await this.#moved(batch, output, placed)
        record.files.push(placed)
      } catch (error) {
        if (!(error instanceof DeliveryError || error instanceof Fault)) throw error
        if (problems.length < mostProblems) problems.push(error.message)
        if (error instanceof DeliveryError && error.stopsBatch) break
      }
    }
    if (request.how === 'move' && record.files.length > 0) this.#parts.onPathsChanged(batch.seq)
    return { record: await this.#keep(record), files: record.files.length, problems }
  }

  /** Takes a placing back as far as the files are still those that were placed. */
  async takeBack(id: string) {
    const record = await this.#read(id)
    const problems: string[] = []
    let files = 0
    for (const placed of record.files) {
      try {
        await this.#back(record, placed)
        files += 1
      } catch (error) {
        if (!(error instanceof DeliveryError || error instanceof Fault)) throw error
        if (problems.length < mostProblems) problems.push(error.message)
      }
    }
    if (record.how === 'move' && files > 0) this.#parts.onPathsChanged(record.batchSeq)
    await rm(join(this.#parts.records, `${id}.json`), { force: true })
    return { files, problems }
  }

  async #target(batch: Batch, { how, to }: PlaceRequest): Promise<Target> {
    const { files } = this.#parts
    if ('folder' in to) {
      const folder = safeName(to.folder)
      await folderIn(files, batch.outDir, folder)
      return { root: batch.outDir, folder }
    }
    if (how === 'move')
      throw new Fault('refused', say`Files are moved within the output folder; elsewhere they are copied.`)
    if (!isAbsolute(to.path)) throw new Fault('refused', say`Give the whole path of the folder.`)
    const root = await realpath(to.path).catch(() => undefined)
    const facts = root === undefined ? undefined : await stat(root)
    if (root === undefined || facts?.isDirectory() !== true) {
      throw new Fault('refused', say`This folder does not exist; choose one that is there.`)
    }
    return { root, folder: '' }
  }

  /** One file under a free name; undefined where this very file stands there already. */
  async #one(output: Output, { root, folder }: Target): Promise<Placed | undefined> {
    const { store, files, clock } = this.#parts
    const from = await this.#source(output)
    const name = output.path.slice(Math.max(output.path.lastIndexOf('/'), output.path.lastIndexOf(sep)) + 1)
    const wanted = folder === '' ? name : `${folder}/${name}`
    const part = join(await folderIn(files, root, folder), partNameOf(randomBytes(9).toString('hex')))
    const { bytes, sha256 } = await this.#copy(from, part)
    try {
      for (let tries = 0; tries < 20; tries += 1) {
        const claimed = (path: string) => store.outputs.owner(`${root}\n${foldName(path)}`) !== undefined
        const about = {
          outDir: root,
          relative: wanted,
          bytes,
          sha256,
          onConflict: 'rename' as const,
          claimed,
        }
        const settled = await settleName(files, about)
        if (settled.kind !== 'free') return undefined
        const placement = { outDir: root, part, relative: settled.relative, bytes, sha256, replace: false }
        if ((await placePart({ files, clock }, placement)) === 'placed') {
          return {
            imageId: output.imageId,
            slug: output.slug,
            from: output.path,
            to: settled.path,
            bytes,
            sha256,
          }
        }
      }
      throw new Fault('refused', say`No free name was found for ${name}.`)
    } finally {
      await files.remove(part)
    }
  }

  async #source(output: Output): Promise<string> {
    const { store, files } = this.#parts
    const { outDir } = store.batches.bySeq(store.images.byId(output.imageId)!.batchSeq)
    return fileIn(files, outDir, relativePath(outDir, output.path).split(sep).join('/'), false)
  }

  async #copy(from: string, part: string) {
    const { files } = this.#parts
    const facts = await files.stat(from)
    if (facts?.kind !== 'file') throw new Fault('gone', say`The file ${from} is not there any more.`)
    const handle = await files.create(part)
    const hash = createHash('sha256')
    let bytes = 0
    try {
      for await (const chunk of files.read(from)) {
        hash.update(chunk)
        bytes += chunk.length
        await handle.write([chunk])
      }
      await handle.sync()
    } finally {
      await handle.close()
    }
    return { bytes, sha256: hash.digest('hex') }
  }

  /** First the record of where it is, then the old name goes: a crash between leaves one file too many, not too few. */
  async #moved(batch: Batch, output: Output, placed: Placed) {
    this.#setPath(batch, output, placed.to)
    await this.#parts.files.remove(placed.from)
  }

  #setPath(batch: Batch, output: Output, path: string) {
    const { store } = this.#parts
    const inside = relativePath(batch.outDir, path).split(sep).join('/')
    store.transaction(() => {
      store.outputs.name({ ...output, path, part: null }, `${batch.outDir}\n${foldName(inside)}`)
      store.outputs.placed(output.imageId, output.slug)
    })
  }

  async #back(record: PlacingRecord, placed: Placed) {
    const { store, files } = this.#parts
    const inside = relativePath(record.root, placed.to).split(sep).join('/')
    const file = await fileIn(files, record.root, inside, false)
    if (!(await this.#isSame(file, placed))) {
      throw new Fault('refused', say`${inside} was changed or is not there any more, so it stays as it is.`)
    }
    if (record.how === 'copy') return files.remove(file)
    const batch = store.batches.bySeq(record.batchSeq)
    const output = store.outputs.ofImage(placed.imageId).find(({ slug }) => slug === placed.slug)
    if (!output || output.path !== placed.to)
      throw new Fault('refused', say`${inside} belongs to another result now.`)
    const home = await fileIn(
      files,
      batch.outDir,
      relativePath(batch.outDir, placed.from).split(sep).join('/'),
    )
    if (await files.stat(home)) throw new Fault('refused', say`Another file stands at ${placed.from} now.`)
    // A second name first: what stands there is never replaced, whoever puts it there in this moment.
    await files.link(file, home)
    this.#setPath(batch, output, placed.from)
    await files.remove(file)
  }

  async #isSame(file: string, { bytes, sha256 }: Placed): Promise<boolean> {
    const { files } = this.#parts
    const facts = await files.stat(file)
    if (facts?.kind !== 'file' || facts.bytes !== bytes) return false
    const hash = createHash('sha256')
    for await (const chunk of files.read(file)) hash.update(chunk)
    return hash.digest('hex') === sha256
  }

  async #keep(record: PlacingRecord): Promise<string | null> {
    if (record.files.length === 0) return null
    const id = randomUUID()
    await mkdir(this.#parts.records, { recursive: true })
    await writeFile(join(this.#parts.records, `${id}.json`), JSON.stringify(record))
    return id
  }

  async #read(id: string): Promise<PlacingRecord> {
    const text = /^[0-9a-f-]{36}$/.test(id)
      ? await readFile(join(this.#parts.records, `${id}.json`), 'utf8').catch(() => undefined)
      : undefined
    if (text === undefined) throw new Fault('gone', say`This was taken back already.`)
    return recordSchema.parse(JSON.parse(text))
  }
}

interface Target {
  readonly root: string
  /** Below `root`; empty for `root` itself. */
  readonly folder: string
}

function* chosenFiles(store: Store, batch: Batch, what: PlaceRequest['what']) {
  for (let after = -1; ;) {
    const images = store.images.page(batch.seq, after, page)
    for (const image of images) {
      const outputs = placedOutputs(store, image)
      const kept =
        image.mark === 'keep-1' ? outputs.slice(0, 1) : image.mark === 'keep-2' ? outputs.slice(1, 2) : []
      const files = what === 'kept' ? kept : image.mark === 'reject' ? outputs : []
      for (const output of files) yield { image, output }
    }
    if (images.length < page) return
    after = images.at(-1)!.position
  }
}
