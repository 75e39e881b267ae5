import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../../engine/make-folder.ts'

/**
 * Opens an address in the person's browser. The address holds a token and a command line can be read by everybody on
 * this machine, so the browser is given a file that only this person can read, which leads on.
 * @returns the file, to be removed at the end
 */
export async function openInBrowser(home: string, address: string): Promise<string> {
  const folder = join(home, 'open')
  makeFolder(folder, 0o700)
  const file = join(folder, `${randomUUID()}.html`)
  const page = `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${address}"><title>Vitrine</title>`
  await writeFile(file, page, { mode: 0o600, flag: 'wx' })
  const [command, ...args] = openers[process.platform] ?? ['xdg-open']
  const child = spawn(command!, [...args, file], { stdio: 'ignore', detached: true })
  // Without a browser the printed address is what there is.
  child.on('error', () => {})
  child.unref()
  return file
}

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}
