import { join } from 'node:path'
import type { ImageState } from '../../shared/states.ts'
import type { Clock } from '../clock.ts'
import { diskFault } from './disk-fault.ts'
import type { Files, OpenFile } from './files.ts'
import { liveManifestParts, partNameOf } from './output-folder.ts'

/** One image of a batch in `manifest.jsonl` (design, section 9). */
export interface ManifestLine {
  readonly source: string
  readonly batch: string
  readonly runId: string | null
  readonly status: ImageState
  readonly credits: number | null
  readonly outputs: readonly ManifestOutput[]
  /** The service's own text. */
  readonly error: string | null
  /** What a person thought of it, where that was said. */
  readonly mark?: string
  /** The preset that its settings were taken from, where there is one. */
  readonly preset?: string
}

export interface ManifestOutput {
  readonly label: string
  readonly slug: string
  /** Relative to the output folder, with forward slashes. */
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}

/** A batch whose lines stand in its output folder's manifest. */
export interface ManifestBatch {
  readonly outDir: string
  readonly batch: string
  /** The batch's lines as they are now, in the order of its images; read anew at each rewrite, from memory or in pages. */
  readonly lines: () => Iterable<ManifestLine> | AsyncIterable<ManifestLine>
}

/** Keeps manifests up to date at a bounded cost. */
export interface ManifestWriter {
  /** Something that the manifest shows has changed; it is written soon. */
  changed(batch: ManifestBatch): void
  /**
   * Writes at once what is not yet written, of one output folder or of all.
   * @throws DeliveryError
   */
  flush(outDir?: string): Promise<void>
}

export interface ManifestParts {
  readonly files: Files
  readonly clock: Clock
  readonly randomName: () => string
  /** A rewrite in the background failed; it is tried again at the next change and at `flush`. */
  readonly onError: (error: Error) => void
}

export const manifestName = 'manifest.jsonl'

const leastPauseMs = 1000
/** A rewrite may take at most a twentieth of the time. */
const pausePerWrite = 20
const writeSize = 256 * 1024

interface Folder {
  readonly dirty: Map<string, ManifestBatch>
  /** Rewrites of one folder follow each other, or one would undo the other. */
  writing: Promise<void>
  scheduled: boolean
  notBefore: number
}

/** At most one rewrite of a folder's manifest in a second, or in twenty times what the last one took. */
export function createManifestWriter(parts: ManifestParts): ManifestWriter {
  const { clock } = parts
  const folders = new Map<string, Folder>()

  async function writeDirty(folder: Folder) {
    // A copy: what changes meanwhile has its own turn.
    for (const [id, batch] of Array.from(folder.dirty)) {
      folder.dirty.delete(id)
      const startedAt = clock.monotonic()
      try {
        await rewriteManifest(parts, batch)
      } catch (error) {
        if (!folder.dirty.has(id)) folder.dirty.set(id, batch)
        throw error
      } finally {
        const now = clock.monotonic()
        folder.notBefore = now + Math.max(leastPauseMs, pausePerWrite * (now - startedAt))
      }
    }
  }

  function write(folder: Folder): Promise<void> {
    const work = folder.writing.then(() => writeDirty(folder))
    folder.writing = work.catch(() => {})
    return work
  }

  async function writeLater(folder: Folder) {
    await clock.sleep(Math.max(0, folder.notBefore - clock.monotonic()))
    folder.scheduled = false
    if (folder.dirty.size > 0) await write(folder)
  }

  return {
    changed(batch) {
      let folder = folders.get(batch.outDir)
      if (!folder) {
        // The first change waits too: others are about to follow.
        const notBefore = clock.monotonic() + leastPauseMs
        folder = { dirty: new Map(), writing: Promise.resolve(), scheduled: false, notBefore }
        folders.set(batch.outDir, folder)
      }
      folder.dirty.set(batch.batch, batch)
      if (folder.scheduled) return
      folder.scheduled = true
      writeLater(folder).catch((error: unknown) => parts.onError(error as Error))
    },
    async flush(outDir) {
      for (const [path, folder] of folders) if (outDir === undefined || path === outDir) await write(folder)
    },
  }
}

/**
 * Rewrites one batch's lines in its folder's manifest, whole and at once (temporary file, flush, rename). Lines of
 * other batches, and lines that nobody understands, stay byte for byte where they are.
 * @throws DeliveryError
 */
export async function rewriteManifest(
  parts: Omit<ManifestParts, 'onError'>,
  batch: ManifestBatch,
): Promise<void> {
  const { files } = parts
  const path = join(batch.outDir, manifestName)
  const temporary = join(batch.outDir, partNameOf(parts.randomName()))
  liveManifestParts.add(temporary)
  try {
    const exists = (await files.stat(path))?.kind === 'file'
    const file = await files.create(temporary)
    try {
      try {
        await writeLines(new LineWriter(file), batch, exists ? files.read(path) : [])
        await file.sync()
      } finally {
        await file.close()
      }
      await files.rename(temporary, path)
    } catch (error) {
      await files.remove(temporary).catch(() => {})
      throw error
    }
    await files.syncFolder(batch.outDir)
  } catch (error) {
    throw diskFault(error, path, batch.outDir)
  } finally {
    liveManifestParts.delete(temporary)
  }
}

async function writeLines(
  out: LineWriter,
  batch: ManifestBatch,
  old: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
) {
  let written = false
  const ours = async () => {
    written = true
    for await (const line of batch.lines()) await out.add(`${JSON.stringify(ordered(line))}\n`, 'utf8')
  }
  for await (const line of linesOf(old)) {
    if (!belongsTo(line, batch.batch)) await out.add(line, 'latin1')
    else if (!written) await ours()
  }
  if (!written) await ours()
  await out.end()
}

/** The fields in the order of the design, and no others. */
function ordered({
  source,
  batch,
  runId,
  status,
  credits,
  outputs,
  error,
  mark,
  preset,
}: ManifestLine): ManifestLine {
  const files = outputs.map(({ label, slug, path, bytes, sha256 }) => ({ label, slug, path, bytes, sha256 }))
  const line = { source, batch, runId, status, credits, outputs: files, error }
  return {
    ...line,
    ...(mark === undefined ? {} : { mark }),
    ...(preset === undefined ? {} : { preset }),
  }
}

/** Lines with their ends, a character for each byte, so that whatever they hold can be written as it was. */
async function* linesOf(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + Buffer.from(chunk).toString('latin1')).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield `${line}\n`
  }
  // A last line without its end would run into the next.
  if (rest !== '') yield `${rest}\n`
}

function belongsTo(line: string, batch: string): boolean {
  // Cheap for the lines of others, of which there may be very many.
  const written = JSON.stringify(batch).slice(1, -1)
  if (!line.includes(Buffer.from(written, 'utf8').toString('latin1'))) return false
  try {
    const json = JSON.parse(Buffer.from(line, 'latin1').toString('utf8')) as { batch?: unknown } | null
    return json?.batch === batch
  } catch {
    return false
  }
}

/** Joins lines to large writes. */
class LineWriter {
  readonly #file: OpenFile
  #chunks: Buffer[] = []
  #bytes = 0

  constructor(file: OpenFile) {
    this.#file = file
  }

  async add(line: string, encoding: 'utf8' | 'latin1') {
    const chunk = Buffer.from(line, encoding)
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    if (this.#bytes >= writeSize) await this.end()
  }

  async end() {
    if (this.#bytes === 0) return
    const whole = Buffer.concat(this.#chunks)
    this.#chunks = []
    this.#bytes = 0
    await this.#file.write([whole])
  }
}
