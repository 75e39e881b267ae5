import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { echoPicture, echoVideo } from './echo-pictures.ts'

/** A file of a finished run. `echo` marks one that is made again whenever it is read, and so costs no room. */
export interface StoredOutput {
  readonly label: string
  readonly slug: string
  /** File format and extension: jpg, png, mp4. */
  readonly format: string
  readonly echo: boolean
}

/** A file made by the image work, before it is stored. */
export interface MadeOutput {
  readonly label: string
  readonly slug: string
  readonly format: string
  readonly data: Buffer
}

/** The bytes of an output with its strong ETag. */
export interface OutputFile {
  readonly data: Buffer
  readonly contentType: string
  readonly etag: string
}

const contentTypes: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  mp4: 'video/mp4',
}

/** Keeps output files in a folder; they are read when they are asked for. */
export class Outputs {
  readonly #folder: () => Promise<string>

  /** `folder` is asked once something has to be written or read. */
  constructor(folder: () => Promise<string>) {
    this.#folder = folder
  }

  async store(runId: string, made: MadeOutput): Promise<StoredOutput> {
    const folder = join(await this.#folder(), runId)
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, `${made.slug}.${made.format}`), made.data)
    return { label: made.label, slug: made.slug, format: made.format, echo: false }
  }

  async load(runId: string, output: StoredOutput): Promise<OutputFile> {
    const data = output.echo
      ? output.format === 'mp4'
        ? echoVideo(runId)
        : echoPicture(`${runId}/${output.slug}`)
      : await readFile(join(await this.#folder(), runId, `${output.slug}.${output.format}`))
    return {
      data,
      contentType: contentTypes[output.format] ?? 'application/octet-stream',
      etag: etagOf(data),
    }
  }
}

/** A strong ETag: the same bytes always have the same one. */
export function etagOf(data: Buffer): string {
  return `"${createHash('sha256').update(data).digest('hex').slice(0, 32)}"`
}
