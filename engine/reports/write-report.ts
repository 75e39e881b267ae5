import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { link, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/**
 * Writes a report under its name only when it is whole.
 * @param replace false: an existing file stays as it is
 * @returns false where the name is taken and `replace` is not given
 * @throws what the file system says; nothing of it is left then
 */
export async function writeReport(
  path: string,
  chunks: AsyncIterable<string | Uint8Array>,
  { replace }: { readonly replace: boolean },
): Promise<boolean> {
  const part = join(dirname(path), `.vitrine-report-${randomBytes(6).toString('hex')}.part`)
  try {
    await pipeline(Readable.from(chunks, { objectMode: false }), createWriteStream(part, { flags: 'wx' }))
    if (replace) await rename(part, path)
    else return await placeNew(part, path)
    return true
  } finally {
    await rm(part, { force: true })
  }
}

/** A link fails where the name is taken; without links an empty file of our own takes the name first. */
async function placeNew(part: string, path: string): Promise<boolean> {
  const taken = (error: unknown) => (error as NodeJS.ErrnoException).code === 'EEXIST'
  try {
    await link(part, path)
    return true
  } catch (error) {
    if (taken(error)) return false
  }
  try {
    await (await open(path, 'wx')).close()
  } catch (error) {
    if (taken(error)) return false
    throw error
  }
  await rename(part, path)
  return true
}
