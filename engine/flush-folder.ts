import { closeSync, fsyncSync, openSync } from 'node:fs'

/** What drives and systems answer that cannot flush a folder, or do not let it be read; nothing better is to be had there. */
const notToBeHad = new Set(['EINVAL', 'ENOTSUP', 'ENOSYS', 'EBADF', 'EISDIR', 'EACCES', 'EPERM', 'EROFS'])

/**
 * Makes the names in a folder durable: a flushed file in a folder whose own name is lost is lost with it. Windows has
 * no such thing.
 * @throws what the file system said
 */
export function flushFolder(folder: string) {
  if (process.platform === 'win32') return
  let fd: number | undefined
  try {
    fd = openSync(folder, 'r')
    fsyncSync(fd)
  } catch (error) {
    if (!notToBeHad.has((error as NodeJS.ErrnoException).code ?? '')) throw error
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}
