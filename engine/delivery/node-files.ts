import { link, lstat, mkdir, open, readdir, realpath, rename, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { createReadStream } from 'node:fs'
import type { Files, OpenFile } from './files.ts'

const readSize = 1024 * 1024

/** The machine's own files. */
export const nodeFiles: Files = {
  async create(path) {
    return openedFile(await open(path, 'wx'))
  },
  async slice(path, offset, length) {
    const handle = await open(path, 'r')
    try {
      const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(length), position: offset })
      return buffer.subarray(0, bytesRead)
    } finally {
      await handle.close()
    }
  },
  read: (path) => createReadStream(path, { highWaterMark: readSize }) as AsyncIterable<Uint8Array>,
  async stat(path) {
    try {
      const facts = await lstat(path)
      const kind = facts.isFile() ? 'file' : facts.isDirectory() ? 'folder' : 'other'
      return { kind, bytes: facts.size, changed: facts.mtimeMs }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
      throw error
    }
  },
  list: (folder) => readdir(folder),
  async makeFolder(folder) {
    try {
      await mkdir(folder)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  },
  realpath: (path) => realpath(path),
  link: (from, to) => link(from, to),
  rename: (from, to) => rename(from, to),
  remove: (path) => rm(path, { force: true }),
  async syncFolder(folder) {
    if (process.platform === 'win32') return
    const handle = await open(folder, 'r')
    try {
      await handle.sync()
    } catch (error) {
      // Some network and FAT drives cannot flush a folder; there is nothing better to be had on them.
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'EINVAL' && code !== 'ENOTSUP' && code !== 'EBADF') throw error
    } finally {
      await handle.close()
    }
  },
}

function openedFile(handle: FileHandle): OpenFile {
  let position = 0
  return {
    async write(chunks) {
      const { bytesWritten } = await handle.writev([...chunks], position)
      position += bytesWritten
      // A disk that fills up takes a part without an error; the next write tells.
      let rest = Buffer.concat(bytesWritten < lengthOf(chunks) ? chunks : []).subarray(bytesWritten)
      while (rest.length > 0) {
        const next = await handle.write(rest, 0, rest.length, position)
        position += next.bytesWritten
        rest = rest.subarray(next.bytesWritten)
      }
    },
    async restart() {
      await handle.truncate(0)
      position = 0
    },
    sync: () => handle.sync(),
    close: () => handle.close(),
  }
}

function lengthOf(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((sum, chunk) => sum + chunk.length, 0)
}
