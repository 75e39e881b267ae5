import { createHash } from 'node:crypto'
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../clock.ts'
import { createDelivery } from './create-delivery.ts'
import type { Delivery, Placement } from './delivery.ts'
import type { Files } from './files.ts'
import { nodeFiles } from './node-files.ts'

let picture: Buffer
beforeAll(async () => {
  const noise = Array.from({ length: 600 }, (_, n) =>
    createHash('sha256').update(`${n}`).digest().subarray(0, 30),
  )
  picture = await sharp(Buffer.concat(noise), { raw: { width: 60, height: 100, channels: 3 } })
    .png()
    .toBuffer()
})

let outDir = ''
beforeEach(async () => {
  outDir = await mkdtemp(join(tmpdir(), 'vitrine-power-'))
})
afterEach(async () => await rm(outDir, { recursive: true, force: true }))

/** What of a file is on the disk whatever happens, and what was written to it. */
interface Content {
  written: Buffer
  flushed: Buffer
}

/** What a failure of the power leaves of names and bytes that were not flushed. */
type Left = 'names without bytes' | 'names with half of the bytes' | 'neither names nor bytes'

/**
 * Real files on a disk whose power fails right before its n-th change: from then on nothing is done any more. Flushed
 * are the bytes of a file by its own flush, and a name by the flush of its folder.
 */
class FailingDisk {
  readonly files: Files
  changes = 0
  readonly #at: number
  /** By the names that they have at present. */
  readonly #contents = new Map<string, Content>()
  /** How changes of names are taken back, the oldest first. */
  #names: { readonly folder: string; readonly takeBack: () => Promise<void> }[] = []

  constructor(at: number, base: Files) {
    this.#at = at
    this.files = {
      ...base,
      create: (path) => this.#create(base, path),
      link: async (from, to) => {
        this.#change()
        await base.link(from, to)
        this.#contents.set(to, this.#contents.get(from)!)
        this.#named(to, () => this.#forget(to))
      },
      rename: async (from, to) => {
        this.#change()
        await base.rename(from, to)
        const [moved, replaced] = [this.#contents.get(from)!, this.#contents.get(to)]
        this.#contents.delete(from)
        this.#contents.set(to, moved)
        this.#named(to, async () => {
          await this.#forget(to)
          await this.#put(from, moved)
          if (replaced) await this.#put(to, replaced)
        })
      },
      remove: async (path) => {
        this.#change()
        await base.remove(path)
        const content = this.#contents.get(path)
        this.#contents.delete(path)
        if (content) this.#named(path, () => this.#put(path, content))
      },
      syncFolder: async (folder) => {
        this.#change()
        await base.syncFolder(folder)
        this.#names = this.#names.filter((one) => one.folder !== folder)
      },
    }
  }

  async #create(base: Files, path: string) {
    this.#change()
    const file = await base.create(path)
    const content: Content = { written: Buffer.alloc(0), flushed: Buffer.alloc(0) }
    this.#contents.set(path, content)
    this.#named(path, () => this.#forget(path))
    return {
      write: async (chunks: readonly Uint8Array[]) => {
        this.#change()
        await file.write(chunks)
        content.written = Buffer.concat([content.written, ...chunks])
      },
      restart: () => file.restart(),
      sync: async () => {
        this.#change()
        await file.sync()
        content.flushed = content.written
      },
      close: () => file.close(),
    }
  }

  #change() {
    this.changes += 1
    if (this.changes >= this.#at) throw Object.assign(new Error('The power has failed.'), { code: 'EIO' })
  }

  #named(path: string, takeBack: () => Promise<void>) {
    this.#names.push({ folder: dirname(path), takeBack })
  }

  async #forget(path: string) {
    this.#contents.delete(path)
    await rm(path, { force: true })
  }

  async #put(path: string, content: Content) {
    this.#contents.set(path, content)
    await writeFile(path, content.written)
  }

  /** What is found when there is power again. */
  async restore(left: Left) {
    if (left === 'neither names nor bytes') {
      for (const { takeBack } of this.#names.toReversed()) await takeBack()
    }
    for (const [path, { written, flushed }] of this.#contents) {
      const half = written.subarray(0, Math.max(flushed.length, written.length >>> 1))
      await writeFile(path, left === 'names with half of the bytes' ? half : flushed)
    }
  }
}

function deliveryOn(files: Files): Delivery {
  const body = async function* () {
    yield await Promise.resolve(picture.subarray(0, 5000))
    yield picture.subarray(5000)
  }
  const headers = { 'content-length': String(picture.length) }
  const downloads = { open: () => Promise.resolve({ status: 200, headers, body: body() }) }
  return createDelivery({ downloads, clock: systemClock, files })
}

/** One result from link to name; `record` is what the queue has committed before. */
async function deliverOnce(delivery: Delivery, record: (placement: Placement) => void) {
  const url = 'https://files.example/a'
  const { part, bytes, sha256 } = await delivery.fetchToPart({ url, outDir, folder: 'Rings', isVideo: false })
  const wanted = { outDir, relative: 'Rings/a.png', onConflict: 'rename', bytes, sha256 } as const
  const name = await delivery.settleName({ ...wanted, claimed: () => false })
  const placement = { outDir, part, relative: name.relative, bytes, sha256, replace: false }
  record(placement)
  return await delivery.placePart(placement)
}

const noLinks: Files = {
  ...nodeFiles,
  link: () => Promise.reject(Object.assign(new Error('ENOTSUP'), { code: 'ENOTSUP' })),
}

test.each([
  ['with links', 'names without bytes', nodeFiles],
  ['with links', 'names with half of the bytes', nodeFiles],
  ['with links', 'neither names nor bytes', nodeFiles],
  ['without links', 'names without bytes', noLinks],
  ['without links', 'names with half of the bytes', noLinks],
  ['without links', 'neither names nor bytes', noLinks],
] as const)(
  'power that fails at any change of a disk %s, and leaves %s: what counts as placed is there, else it comes once',
  async (_, left, files) => {
    const path = join(outDir, 'Rings/a.png')
    let failures = 0
    for (let at = 1, done = false; !done; at += 1) {
      const disk = new FailingDisk(at, files)
      let recorded: Placement | undefined
      const placed = await deliverOnce(deliveryOn(disk.files), (placement) => (recorded = placement)).catch(
        (error: unknown) => error,
      )
      done = disk.changes < at
      if (!done) failures += 1
      await disk.restore(left)
      const found = await readFile(path).catch(() => undefined)
      // An empty file is what a placing without links leaves when it is cut short.
      if (found && found.length > 0) expect(found.equals(picture), `change ${at}`).toBe(true)
      if (placed === 'placed') expect(found?.equals(picture), `change ${at}`).toBe(true)

      // The next start: what was recorded is settled, else it is fetched again.
      const delivery = deliveryOn(nodeFiles)
      const settled =
        placed === 'placed' ? placed : recorded ? await delivery.recoverPlacement(recorded) : 'fetch-again'
      if (settled !== 'placed') expect(await deliverOnce(delivery, () => {})).toBe('placed')
      await delivery.removeStaleParts(dirname(path), new Set())
      expect(await readdir(dirname(path))).toEqual(['a.png'])
      expect((await readFile(path)).equals(picture)).toBe(true)
      await rm(dirname(path), { recursive: true })
    }
    expect(failures).toBeGreaterThanOrEqual(6)
  },
)
