import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { contentOfSource } from '../own-files/own-source.ts'
import { fetchPicture, type FetchBounds } from '../pictures/fetch-picture.ts'
import { PictureTrouble } from '../pictures/picture-trouble.ts'
import type { ThumbnailSource } from '../pictures/thumbnails.ts'
import { outputsOf } from '../queue/offered-outputs.ts'
import type { DownloadTransport } from '../service/download-transport.ts'
import type { Downloads } from '../service/undici-downloads.ts'
import type { Image, Output } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import { failureSentence } from './service-words.ts'
import type { InterfaceParts } from './parts.ts'
import type { Workplace } from './workplace.ts'
import { say } from '../../shared/language/say.ts'

/** A larger picture is not worth its download for a row. */
const bounds: FetchBounds = { mostBytes: 200 * 1024 * 1024, wholeMs: 60_000 }

const notThere = say`The file is not there any more.`

/**
 * Where the pictures of images and runs are: outputs on the disk, sources and runs of elsewhere behind links. An image
 * is named by its number, never by a path, and a path that is recorded is judged again before it is read (docs/reliability.md,
 * T24).
 */
export class PictureSources {
  readonly #store: Store
  readonly #openDownloads: InterfaceParts['openDownloads']
  readonly #workplace: Pick<Workplace, 'bench'>
  /** By base address of the connection; it decides how near a link may lead. */
  readonly #downloads = new Map<string, Downloads>()

  constructor(
    { store, openDownloads }: Pick<InterfaceParts, 'store' | 'openDownloads'>,
    workplace: Pick<Workplace, 'bench'>,
  ) {
    this.#store = store
    this.#openDownloads = openDownloads
    this.#workplace = workplace
  }

  async close() {
    for (const downloads of this.#downloads.values()) await downloads.close()
  }

  /** What a thumbnail of an image's source or output is made of. @throws PictureTrouble */
  async thumbnailOf(image: number, which: string): Promise<ThumbnailSource> {
    if (which === 'source') return this.#sourceOf(image)
    const path = await this.outputPath(image, which)
    return { kind: 'file', path, identity: await identityOf(path) }
  }

  /** As `thumbnailOf`, of a run's first output. */
  thumbnailOfRun(runId: string): ThumbnailSource {
    const session = this.#workplace.bench?.session
    if (!session) throw new PictureTrouble(say`No account is connected.`)
    const { client, saved } = session
    return {
      kind: 'fetch',
      identity: `run ${saved.id} ${runId}`,
      fetch: async (path, signal) => {
        const answer = await client.run(runId, signal)
        if (answer.kind !== 'ok') throw new PictureTrouble(failureSentence(answer))
        const [output] = outputsOf(answer.value)
        if (!output) throw new PictureTrouble(say`This run has no picture.`)
        await fetchPicture(this.#downloadsOf(saved.baseUrl), output.url, path, { bounds, signal })
      },
    }
  }

  /** The file of an output, as it was delivered. @throws PictureTrouble */
  async outputPath(imageId: number, slug: string): Promise<string> {
    const image = this.#store.images.byId(imageId)
    const from = image?.state === 'skipped' ? this.#earlier(image) : image
    const output = from && this.#placed(from, slug)
    if (!from || !output) throw new PictureTrouble(notThere)
    return await checkedPath(this.#store.batches.bySeq(from.batchSeq).outDir, output.path)
  }

  #earlier(image: Image): Image | undefined {
    return image.earlierImageId === null ? undefined : this.#store.images.byId(image.earlierImageId)
  }

  #placed(image: Image, slug: string): Output | undefined {
    return this.#store.outputs.ofImage(image.id).find((one) => one.slug === slug && one.state === 'placed')
  }

  #sourceOf(imageId: number): ThumbnailSource {
    const image = this.#store.images.byId(imageId)
    if (!image) throw new PictureTrouble(say`This image is not there any more.`)
    const { connectionId } = this.#store.batches.bySeq(image.batchSeq)
    const { baseUrl } = this.#store.connections.byId(connectionId)
    const own = contentOfSource(image.source)
    if (own !== undefined) {
      const path = this.#store.ownFiles.picture(own)?.path
      if (path === undefined) throw new PictureTrouble(notThere)
      return { kind: 'file', path, identity: `source ${image.source}` }
    }
    return {
      kind: 'fetch',
      identity: `source ${image.source}`,
      fetch: (path, signal) =>
        fetchPicture(this.#downloadsOf(baseUrl), image.source, path, { bounds, signal }),
    }
  }

  #downloadsOf(baseUrl: string): DownloadTransport {
    let downloads = this.#downloads.get(baseUrl)
    if (!downloads) {
      downloads = this.#openDownloads(baseUrl)
      this.#downloads.set(baseUrl, downloads)
    }
    return downloads
  }
}

async function identityOf(path: string): Promise<string> {
  const about = await stat(path).catch(() => undefined)
  if (!about?.isFile()) throw new PictureTrouble(notThere)
  return `${path}\0${about.size}\0${about.mtimeMs}`
}

/** The path of an output, if it really lies in the output folder, however it was recorded. */
async function checkedPath(outDir: string, path: string): Promise<string> {
  try {
    const [root, folder] = await Promise.all([realpath(outDir), realpath(dirname(path))])
    if (folder !== root && !folder.startsWith(root.endsWith(sep) ? root : root + sep)) {
      throw new PictureTrouble(
        say`The recorded place of this file is not in its output folder; it is not opened.`,
      )
    }
    const file = await realpath(join(folder, basename(path)))
    if (dirname(file) !== folder)
      throw new PictureTrouble(say`A link stands where the file should be; it is not opened.`)
    return file
  } catch (error) {
    if (error instanceof PictureTrouble) throw error
    throw new PictureTrouble(notThere)
  }
}
