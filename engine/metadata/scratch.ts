import { mkdtemp, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../make-folder.ts'

/** Folders for files that are worked on, under names of our own; what a killed program left is cleared away. */
export interface Scratch {
  /** A new empty folder; absolute. */
  make(): Promise<string>
  discard(folder: string): Promise<void>
  /** Writes a file that is not there yet. */
  copy(content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, to: string): Promise<void>
  /** Removes all that this one has made. */
  remove(): Promise<void>
}

/** @param root made when it is first needed */
export function openScratch(root: string): Scratch {
  let home: Promise<string> | undefined
  async function begin(): Promise<string> {
    makeFolder(root, 0o700)
    await removeAbandoned(root)
    return await mkdtemp(join(root, `${process.pid}-`))
  }
  return {
    make: async () => await mkdtemp(join(await (home ??= begin()), 'image-')),
    discard: (folder) => rm(folder, { recursive: true, force: true, maxRetries: 3 }),
    async copy(content, to) {
      const file = await open(to, 'w', 0o600)
      try {
        for await (const chunk of content) await file.writeFile(chunk)
      } finally {
        await file.close()
      }
    },
    async remove() {
      const made = await home?.catch(() => undefined)
      home = undefined
      if (made !== undefined) await rm(made, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

/** Removes what programs left that are not running any more. */
async function removeAbandoned(root: string) {
  for (const name of await readdir(root).catch(() => [])) {
    const pid = Number(/^(\d+)-/.exec(name)?.[1])
    if (pid > 0 && !isRunning(pid))
      await rm(join(root, name), { recursive: true, force: true }).catch(() => {})
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
