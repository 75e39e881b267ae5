import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Conversion } from '../../shared/own-files.ts'
import { dataFolder } from '../data-folder.ts'
import type { PictureWorkers } from '../pictures/picture-workers.ts'

export interface Converting {
  readonly workers: PictureWorkers
  /** Data folder, absolute. */
  readonly home: string
  readonly signal: AbortSignal
}

/**
 * Writes a picture upright, in sRGB, in another format and no larger than wanted, into the data folder; one that is
 * there already is from an upload that was broken off, and is gone on with.
 * @throws PictureTrouble with a sentence
 */
export async function convertPicture(
  { workers, home, signal }: Converting,
  { content, path }: { readonly content: string; readonly path: string },
  { format, longestSide }: Conversion,
): Promise<{ readonly file: string; readonly type: string }> {
  const folder = folderIn(home)
  const file = join(folder, `${content}-${longestSide ?? 'full'}.${format === 'jpeg' ? 'jpg' : 'png'}`)
  const type = `image/${format}`
  if (await stat(file).catch(() => undefined)) return { file, type }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = `${file}.part`
  try {
    const work = workers.work(
      { kind: 'convert', file: path, to: draft, format, longestSide },
      { ahead: true },
    )
    await unlessEnded(work, signal)
    // It is under its name only when it is whole.
    await rename(draft, file)
  } finally {
    await rm(draft, { force: true })
  }
  return { file, type }
}

/** Names of the converted pictures that are there; each begins with the content that it was made of. */
export async function convertedFiles(home: string): Promise<readonly string[]> {
  return await readdir(folderIn(home)).catch(() => [])
}

export async function removeConverted(home: string, name: string): Promise<void> {
  await rm(join(folderIn(home), name), { force: true })
}

function folderIn(home: string): string {
  return dataFolder(home).uploads
}

/** The work, unless the signal aborts before: a program that ends does not wait for a large picture. */
async function unlessEnded<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const done = new AbortController()
  const ended = new Promise<never>((_, reject) => {
    const end = () => reject(new Error('The work has ended.'))
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { signal: done.signal })
  })
  try {
    return await Promise.race([work, ended])
  } finally {
    done.abort()
  }
}
