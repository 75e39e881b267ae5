import { link, mkdir, open, rename, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { numberedName } from '../delivery/safe-name.ts'
import { doneFolder } from './listing.ts'

const mostNumbers = 1000

/**
 * Moves a list into the folder `Done` of its hot folder, under its own name or that with a number: nothing is overwritten.
 * @param relative with forward slashes
 * @returns where it is now; undefined where no name was free
 * @throws what the file system says
 */
export async function moveDone(root: string, relative: string): Promise<string | undefined> {
  const from = join(root, ...relative.split('/'))
  for (let number = 1; number <= mostNumbers; number += 1) {
    const to = join(root, doneFolder, ...numberedName(relative, number).split('/'))
    await mkdir(dirname(to), { recursive: true })
    if (await moveNew(from, to)) return to
  }
  return undefined
}

/** False where the name is taken. A hard link fails then in one step; a rename would replace. */
async function moveNew(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    if (code === 'ENOENT') throw error
    return await moveOverPlaceholder(from, to)
  }
  await unlink(from)
  return true
}

/** Where there are no links (many network drives): an empty file of our own takes the name first. */
async function moveOverPlaceholder(from: string, to: string): Promise<boolean> {
  try {
    await (await open(to, 'wx')).close()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
  try {
    await rename(from, to)
  } catch (error) {
    await unlink(to).catch(() => {})
    throw error
  }
  return true
}
