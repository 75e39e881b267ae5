import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Conversion } from '../../shared/own-files.ts'
import type { PictureWorkers } from '../pictures/picture-workers.ts'

/**
 * Writes a picture upright, in sRGB, in another format and no larger than wanted, into the data folder; one that is
 * there already is from an upload that was broken off, and is gone on with.
 * @throws PictureTrouble with a sentence
 */
export async function convertPicture(
  { workers, home }: { readonly workers: PictureWorkers; readonly home: string },
  { content, path }: { readonly content: string; readonly path: string },
  { format, longestSide }: Conversion,
): Promise<{ readonly file: string; readonly type: string }> {
  const folder = join(home, 'uploads')
  const file = join(folder, `${content}-${longestSide ?? 'full'}.${format === 'jpeg' ? 'jpg' : 'png'}`)
  const type = `image/${format}`
  if (await stat(file).catch(() => undefined)) return { file, type }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = `${file}.part`
  try {
    await workers.work({ kind: 'convert', file: path, to: draft, format, longestSide }, { ahead: true })
    // It is under its name only when it is whole.
    await rename(draft, file)
  } finally {
    await rm(draft, { force: true })
  }
  return { file, type }
}
