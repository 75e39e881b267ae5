import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { z } from 'zod'
import { dropLimits } from '../../shared/contract/drops.ts'

/** Files that cannot be taken; the message is one sentence for a person. */
export class DropRefused extends Error {
  override readonly name = 'DropRefused'
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const tooLarge = `More than ${dropLimits.bytes / 1024 / 1024} MB cannot be dropped on a page; give the folder on the command line, or drop fewer files.`
const namesSchema = z.array(z.string().min(1).max(2000)).min(1).max(dropLimits.files)
const dayMs = 24 * 60 * 60 * 1000

/**
 * Writes the files that a page sent below a folder of their own.
 * @returns the paths at the top: what a person dropped
 * @throws DropRefused
 */
export async function receiveDrop(request: IncomingMessage, place: string): Promise<readonly string[]> {
  const type = request.headers['content-type'] ?? ''
  if (!type.startsWith('multipart/form-data')) throw new DropRefused(415, 'The files did not come as a form.')
  const form = await new Response(Readable.toWeb(Readable.from(bounded(request))) as ReadableStream, {
    headers: { 'content-type': type },
  })
    .formData()
    .catch((error: unknown) => {
      throw request.errored instanceof DropRefused || tooMuch.has(request)
        ? new DropRefused(413, tooLarge)
        : error instanceof DropRefused
          ? error
          : new DropRefused(400, 'The files did not arrive whole; drop them again.')
    })
  const names = namesOf(form.get('names'))
  const files = form.getAll('file')
  if (files.length !== names.length) throw new DropRefused(400, 'Names and files do not fit each other.')
  const folder = join(place, randomUUID())
  const tops = new Set<string>()
  for (const [index, name] of names.entries()) {
    const parts = safeParts(name)
    const file = files[index]!
    if (!parts || typeof file === 'string') continue
    const path = join(folder, ...parts)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    // Two names that this file system takes for one: the first stays.
    await writeFile(path, Buffer.from(await file.arrayBuffer()), { flag: 'wx', mode: 0o600 }).catch(() => {})
    tops.add(join(folder, parts[0]!))
  }
  if (tops.size === 0) throw new DropRefused(400, 'None of the files has a name that can be used.')
  return [...tops]
}

const tooMuch = new WeakSet<IncomingMessage>()

async function* bounded(request: IncomingMessage): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    if (bytes > dropLimits.bytes) {
      tooMuch.add(request)
      throw new DropRefused(413, tooLarge)
    }
    yield chunk
  }
}

function namesOf(field: ReturnType<FormData['get']>): readonly string[] {
  try {
    return namesSchema.parse(JSON.parse(typeof field === 'string' ? field : ''))
  } catch {
    throw new DropRefused(400, `A drop has from 1 to ${dropLimits.files.toLocaleString('en')} named files.`)
  }
}

/** The parts of a relative name; undefined where it could lead out of its folder. */
function safeParts(name: string): readonly string[] | undefined {
  const parts = name.split('/')
  const bad = parts.some(
    // oxlint-disable-next-line no-control-regex
    (part) => part === '' || /^\.+$/.test(part) || /[\\:\u0000-\u001f]/.test(part) || part.length > 255,
  )
  return bad || parts.length > 64 ? undefined : parts
}

/** Removes what earlier programs left behind; what another running one works with is younger. */
export async function sweepDrops(place: string, now: number): Promise<void> {
  for (const name of await readdir(place).catch(() => [])) {
    const about = await stat(join(place, name)).catch(() => undefined)
    if (about && now - about.mtimeMs > dayMs) await rm(join(place, name), { recursive: true, force: true })
  }
}
