import { constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { basename } from 'node:path'

import { Collector } from './collector.ts'
import { hasPictureExtension } from './file-kinds.ts'
import { fileTrouble } from './file-trouble.ts'
import { displayText } from './display-text.ts'
import type { Intake, IntakeProgress, Source } from './found.ts'
import { readList } from './read-list.ts'
import type { ListSource } from './read-list.ts'
import { checkAddress } from './address.ts'
import { readPastedText } from './pasted-text.ts'
import { walkFolder } from './walk-folder.ts'
import { say } from '../../shared/language/say.ts'

export interface GatherOptions {
  /** Ends the reading; what was found until then is still returned. */
  readonly signal?: AbortSignal
  /** Called once a file and once every 64 KiB of a long one. */
  readonly onProgress?: (progress: IntakeProgress) => void
  /** Takes an address again each time it is given. */
  readonly keepDuplicates?: boolean
}

/**
 * Finds every image that the sources name, in their order. Never writes, and never throws for what the sources hold:
 * what cannot be read or is no address is among the problems. Memory grows with what is found, not with file sizes
 * (except of a JSON file, which is read whole up to a limit).
 */
export async function gather(sources: readonly Source[], options: GatherOptions = {}): Promise<Intake> {
  const collector = new Collector(options)
  const several = sources.filter((source) => source.kind === 'path').length > 1
  for (const source of sources) {
    if (collector.stopped) break
    await gatherOne(source, collector, several)
  }
  collector.progress('')
  return collector.result()
}

/**
 * The source that an argument of the command line means; `-` is the standard input. An address that the service does
 * not read (`ftp://`) is an address all the same, and refused as such.
 */
export function sourceOfArgument(argument: string, standardInput: AsyncIterable<Uint8Array>): Source {
  if (argument === '-') return { kind: 'stream', bytes: standardInput, shown: 'standard input' }
  return /^(https?:|[a-z][a-z\d+.-]+:\/\/)/i.test(argument)
    ? { kind: 'url', url: argument }
    : { kind: 'path', path: argument }
}

async function gatherOne(source: Source, collector: Collector, several: boolean): Promise<void> {
  switch (source.kind) {
    case 'url':
      gatherUrl(source.url, collector)
      return
    case 'text':
      await readPastedText(source.text, source.shown, collector)
      return
    case 'stream':
      await readStream(source.bytes, { shown: source.shown, folder: '', inFolder: false }, collector)
      return
    case 'path':
      await gatherPath(source.path, source.shown, collector, several)
  }
}

function gatherUrl(url: string, collector: Collector): void {
  const shown = displayText(url)
  const check = checkAddress(url)
  if (check.ok) collector.add({ url: check.url, folder: '', origin: { file: shown } })
  else collector.addProblem(shown, say`${shown}: ${check.reason}`)
}

/** Files of a folder are named from the folder on; with it, as it was given, where there are several sources. */
async function gatherPath(
  path: string,
  name: string | undefined,
  collector: Collector,
  several: boolean,
): Promise<void> {
  const called = name ?? path
  let isFolder: boolean
  try {
    isFolder = (await stat(path)).isDirectory()
  } catch (error) {
    collector.addProblem(called, fileTrouble(displayText(called, 1000), error))
    return
  }
  if (!isFolder) {
    await gatherFile(path, { shown: called, path: called, folder: '', inFolder: false }, collector)
    return
  }
  const shown = called.replace(/(?<=.)[\\/]+$/, '')
  const walked = walkFolder(path, several ? shown : basename(shown) || shown, collector)
  for await (const file of walked) {
    const within = file.folder === '' ? file.name : `${file.folder}/${file.name}`
    const source = {
      shown: several ? `${shown}/${within}` : within,
      path: name === undefined ? file.path : `${shown}/${within}`,
      folder: file.folder,
      inFolder: true,
    }
    await gatherFile(file.path, source, collector)
  }
}

async function gatherFile(path: string, source: ListSource, collector: Collector): Promise<void> {
  collector.files++
  collector.progress(source.shown)
  if (hasPictureExtension(path)) {
    collector.localPictures.push({ shown: source.path ?? path, path, folder: source.folder })
    return
  }
  let file: FileHandle | undefined
  try {
    // Without waiting: opening a pipe would wait for its other end.
    file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const about = await file.stat()
    if (about.isFile()) await readStream(bytesOf(file, about.size), { ...source, file: path }, collector)
    else
      collector.addProblem(
        source.shown,
        say`${source.shown} is a device or a pipe and not a file; a pipe is read with - as the source.`,
      )
  } catch (error) {
    collector.addProblem(source.shown, fileTrouble(source.shown, error))
  } finally {
    await file?.close()
  }
}

async function readStream(
  bytes: AsyncIterable<Uint8Array>,
  source: ListSource,
  collector: Collector,
): Promise<void> {
  try {
    await readList(bytes, source, collector)
  } catch (error) {
    collector.addProblem(source.shown, fileTrouble(source.shown, error))
  }
}

/** Not more than the size at the start: a file that something else keeps writing to would never end. */
async function* bytesOf(file: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size;) {
    const buffer = Buffer.allocUnsafe(65_536)
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, size - at), at)
    if (bytesRead === 0) return
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}
