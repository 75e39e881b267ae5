import { realpath, stat } from 'node:fs/promises'
import { basename, isAbsolute, join, resolve, sep } from 'node:path'
import { Fault } from '../../shared/rpc/fault.ts'
import type { Clock } from '../clock.ts'
import { displayText } from '../intake/display-text.ts'
import { prepareFolder } from '../interface/output-place.ts'
import { findPreset } from '../preferences/find-preset.ts'
import type { PreferenceStore } from '../preferences/preferences.ts'
import type { HotFolder, HotFolderPatch } from '../store/hot-folders.ts'
import type { Store } from '../store/store.ts'
import { listHotFolder } from './listing.ts'
import { contentOf } from './read-file.ts'
import { say } from '../../shared/language/say.ts'

/** A hot folder as a person asks for it. */
export interface WantedHotFolder {
  readonly name: string
  readonly path: string
  readonly preset: string
  readonly outDir: string
  readonly budget: number | null
  readonly moveDone: boolean
  readonly polling: boolean
  /** Whether lists that lie in it already are taken too. */
  readonly takeExisting: boolean
}

export interface SetUpParts {
  readonly store: Store
  readonly preferences: PreferenceStore
  readonly clock: Clock
}

/**
 * Sets a folder up to be watched. What lies in it already is left alone unless it was asked for: a folder with a year of
 * lists in it must not become a year of runs.
 * @throws Fault `refused` with a sentence for a person
 */
export async function setUpHotFolder(
  parts: SetUpParts,
  connectionId: number,
  wanted: WantedHotFolder,
): Promise<HotFolder> {
  const { store, clock } = parts
  const path = await folderAt(wanted.path)
  checkPreset(parts, wanted.preset)
  const outDir = await prepareFolder(wanted.outDir)
  checkApart(store, path, outDir)
  const existing = wanted.takeExisting ? [] : await contentsOf(path, outDir)
  return store.transaction(() => {
    checkApart(store, path, outDir)
    const folder = store.hotFolders.add({
      connectionId,
      name: displayText(wanted.name.trim() || basename(path), 80),
      path,
      preset: wanted.preset,
      outDir,
      budget: wanted.budget,
      moveDone: wanted.moveDone ? 1 : 0,
      polling: wanted.polling ? 1 : 0,
      created: clock.now(),
    })
    for (const file of existing) {
      if (store.hotFolders.fileOf(folder.id, file.path, file.content)) continue
      const nothing = { outcome: 'before', sentence: null, batchSeq: null, images: 0 } as const
      store.hotFolders.note({ ...file, ...nothing, hotFolderId: folder.id, at: clock.now() })
    }
    return folder
  })
}

/** Changes a hot folder; what is in its record stays. @throws Fault `refused` with a sentence for a person */
export async function changeHotFolder(
  parts: SetUpParts,
  folder: HotFolder,
  patch: Omit<HotFolderPatch, 'paused'>,
): Promise<void> {
  if (patch.preset !== undefined) checkPreset(parts, patch.preset)
  const outDir = patch.outDir === undefined ? folder.outDir : await prepareFolder(patch.outDir)
  if (outDir === folder.path) throw isOutput()
  parts.store.hotFolders.change(folder.id, { ...patch, outDir })
}

async function folderAt(path: string): Promise<string> {
  const shown = displayText(path, 300)
  if (!isAbsolute(path)) throw new Fault('refused', say`Give the whole path of the folder to watch.`)
  const about = await stat(path).catch(() => undefined)
  if (!about) throw new Fault('refused', say`There is no folder ${shown}; make it first, or choose another.`)
  if (!about.isDirectory())
    throw new Fault('refused', say`${shown} is a file; choose the folder that it lies in.`)
  return await realpath(resolve(path))
}

function checkPreset({ preferences }: SetUpParts, preset: string) {
  if (findPreset(preferences.read().presets, preset)) return
  throw new Fault('refused', say`There is no preset "${displayText(preset, 80)}"; choose another.`)
}

/** One list must not be taken by two folders, and outputs are no sources. */
function checkApart(store: Store, path: string, outDir: string) {
  if (path === outDir) throw isOutput()
  for (const other of store.hotFolders.all()) {
    const name = displayText(other.name, 80)
    if (within(path, other.path) || within(other.path, path)) {
      throw new Fault('refused', say`The hot folder ${name} watches ${displayText(other.path, 300)} already.`)
    }
  }
}

function isOutput(): Fault {
  return new Fault('refused', say`Choose an output folder other than the folder that is watched.`)
}

function within(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

async function contentsOf(path: string, outDir: string) {
  const files = await listHotFolder(path, outDir)
  const known = []
  for (const file of files) {
    const content = await contentOf(join(path, ...file.path.split('/')), file).catch(() => undefined)
    if (content !== undefined) known.push({ ...file, content })
  }
  return known
}
