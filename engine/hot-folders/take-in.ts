import { effectiveSettings } from '../../shared/settings.ts'
import { addBatch, type Picture } from '../batches/add-batch.ts'
import { draftRun } from '../batches/draft.ts'
import { defaultNameTemplate } from '../delivery/names.ts'
import { displayText } from '../intake/display-text.ts'
import { hasPictureExtension } from '../intake/file-kinds.ts'
import { findPreset } from '../preferences/find-preset.ts'
import type { PreferenceStore } from '../preferences/preferences.ts'
import type { HotFile, HotFolder } from '../store/hot-folders.ts'
import type { Batch } from '../store/rows.ts'
import { shareBudget } from './day-budget.ts'
import type { ListedFile } from './listing.ts'
import { readSettled, type ReadFile, type ReadFileParts } from './read-file.ts'
import { say } from '../../shared/language/say.ts'

/** Reaches nobody, by its ending: the service has to be given some address, and signed links go there. */
const webhookToNobody = 'https://vitrine.invalid/none'

export type TakeInParts = ReadFileParts

/** What became of files that have settled. */
export interface TakenIn {
  readonly batch: Batch | undefined
  /** Images that are sent. */
  readonly images: number
  /** A sentence for each thing that was not taken. */
  readonly sentences: readonly string[]
}

/** A hot folder cannot make batches just now; the message is for a person. */
export class HotFolderTrouble extends Error {
  override readonly name = 'HotFolderTrouble'
}

/**
 * Makes one batch of files that have settled. Batch and record of the files are written in one transaction, in which it
 * is asked once more whether they are known: neither a crash nor a second program on the same data makes a second batch.
 * A file that changes while it is read is left for a later look.
 * @param outDir the output folder, ready to be written
 * @throws HotFolderTrouble where the preset is not there any more; nothing is noted then
 */
export async function takeIn(
  parts: TakeInParts,
  folder: HotFolder,
  files: readonly ListedFile[],
  outDir: string,
): Promise<TakenIn> {
  const { store } = parts
  const read: ReadFile[] = []
  for (const file of files) {
    const one = await readSettled(parts, folder, file)
    if (one) read.push(one)
  }
  if (read.length === 0) return { batch: undefined, images: 0, sentences: [] }
  const recipe = recipeOf(parts, folder)
  return store.transaction(() => {
    const now = store.hotFolders.byId(folder.id)
    if (!now || now.paused === 1) return { batch: undefined, images: 0, sentences: [] }
    const fresh = read.filter(({ file, content }) => !store.hotFolders.fileOf(folder.id, file.path, content))
    return add(parts, now, fresh, { recipe, outDir })
  })
}

function recipeOf({ preferences }: TakeInParts, { preset }: HotFolder) {
  const found = findPreset(preferences.read().presets, preset)
  if (!found) {
    throw new HotFolderTrouble(
      say`The preset "${displayText(preset, 80)}" is not there any more; choose another.`,
    )
  }
  const { appId, settings, parameters } = found.preset
  return { appId, settings: effectiveSettings(settings).sent, parameters }
}

function add(
  { store, preferences, clock }: TakeInParts,
  folder: HotFolder,
  files: readonly ReadFile[],
  { recipe, outDir }: { readonly recipe: ReturnType<typeof recipeOf>; readonly outDir: string },
): TakenIn {
  const { chosen } = preferences.read()
  const lists = files.filter(({ outcome }) => outcome === 'list')
  const request = {
    connectionId: folder.connectionId,
    pictures: onceEach(lists),
    recipe,
    outDir,
    preset: folder.preset,
    nameTemplate: chosen.nameTemplate ?? defaultNameTemplate,
    onConflict: chosen.onConflict ?? 'rename',
    metadata: chosen.metadata ?? 'none',
    webhookUrl: chosen.webhookUrl ?? webhookToNobody,
    // Its share of the day's budget is given right below, in the same transaction.
    budget: folder.budget === null ? null : 0,
    inFlight: null,
    again: false,
    test: null,
    name: nameOf(folder, lists),
  } as const
  const { plan } = draftRun(store, request)
  const batch = plan.toSubmit > 0 ? addBatch(store, plan, clock) : undefined
  for (const one of files) {
    const outcome = one.outcome !== 'list' ? one.outcome : batch ? 'batch' : 'nothing'
    const isBatch = outcome === 'batch'
    store.hotFolders.note({
      ...noteOf(folder, one, clock.now()),
      outcome,
      batchSeq: isBatch ? batch!.seq : null,
      // Of several lists in one batch the first stands for all images.
      images: isBatch && one === lists[0] ? plan.toSubmit : 0,
    })
  }
  if (batch) shareBudget(store, folder, clock.now())
  const sentences = files.flatMap(({ outcome, sentence }) =>
    sentence === null || outcome === 'picture' ? [] : [sentence],
  )
  const pictures = files.filter(({ outcome }) => outcome === 'picture').length
  // Where others beside them are sent they are told in the sidebar only: RAW files come with every JPEG.
  const told = pictures === 0 || isSetUp(preferences) ? [] : [picturesSentence(folder, pictures, false)]
  return { batch, images: plan.toSubmit, sentences: [...sentences, ...told] }
}

/** Whether pictures of this computer have a way to the service. */
export function isSetUp(preferences: PreferenceStore): boolean {
  const { published, storage } = preferences.read().ownFiles
  return published !== null || storage !== null
}

/** What to say of pictures that lie in a hot folder and are not sent. */
export function picturesSentence(
  { name }: Pick<HotFolder, 'name'>,
  pictures: number,
  setUp: boolean,
): string {
  const shown = displayText(name, 80)
  if (setUp) {
    return pictures === 1
      ? say`${shown}: 1 picture here is not sent: RAW, of no published folder, or from before own files were set up.`
      : say`${shown}: ${pictures} pictures here are not sent: RAW, of no published folder, or from before own files were set up.`
  }
  return pictures === 1
    ? say`${shown}: 1 picture on this computer cannot be sent: the service reads pictures from the web only; set up own files, or put a list of their web addresses here.`
    : say`${shown}: ${pictures} pictures on this computer cannot be sent: the service reads pictures from the web only; set up own files, or put a list of their web addresses here.`
}

function noteOf(folder: HotFolder, { file, content, sentence }: ReadFile, at: number) {
  const note: Omit<HotFile, 'outcome' | 'batchSeq' | 'images'> = {
    hotFolderId: folder.id,
    ...file,
    content,
    sentence,
    at,
  }
  return note
}

function onceEach(lists: readonly ReadFile[]): Picture[] {
  const seen = new Set<string>()
  return lists
    .flatMap(({ pictures }) => pictures)
    .filter(({ source }) => !seen.has(source) && seen.add(source))
}

function nameOf(folder: HotFolder, lists: readonly ReadFile[]): string {
  const [first] = lists
  const things = lists.every(({ file }) => hasPictureExtension(file.path)) ? 'pictures' : 'lists'
  const what = lists.length === 1 && first ? first.file.path.split('/').at(-1)! : `${lists.length} ${things}`
  return displayText(`${folder.name} · ${what}`, 120)
}
