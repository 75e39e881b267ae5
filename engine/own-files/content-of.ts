import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

/** SHA-256 of a file's bytes, hexadecimal. @throws Node's error where it cannot be read */
export async function contentOf(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, {
    highWaterMark: 1024 * 1024,
    ...(signal ? { signal } : {}),
  })) {
    hash.update(chunk as Buffer)
  }
  return hash.digest('hex')
}
