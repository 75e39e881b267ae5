import { join } from 'node:path'
import type { Clock } from '../clock.ts'
import { displayText } from '../intake/display-text.ts'
import { fileTrouble } from '../intake/file-trouble.ts'
import { prepareFolder } from '../interface/output-place.ts'
import type { HotFile, HotFolder } from '../store/hot-folders.ts'
import { Fault } from '../../shared/rpc/fault.ts'
import { shareBudget } from './day-budget.ts'
import { watchFolder } from './folder-watch.ts'
import { listHotFolder, type ListedFile } from './listing.ts'
import { moveDone } from './move-done.ts'
import { Settling } from './settling.ts'
import { HotFolderTrouble, takeIn, type TakeInParts } from './take-in.ts'
import { say } from '../../shared/language/say.ts'

/** How long things are waited for, in milliseconds. */
export interface HotFolderPace {
  /** A file has settled when two looks so far apart saw it the same. */
  readonly quietMs: number
  /** The same on a network drive, where a copy may rest. */
  readonly quietPolledMs: number
  /** The folder is looked at at least so often, whatever the file system tells. */
  readonly lookMs: number
}

export const usualPace: HotFolderPace = { quietMs: 2000, quietPolledMs: 6000, lookMs: 20_000 }

export interface HotFolderParts extends TakeInParts {
  readonly clock: Clock
  readonly pace: HotFolderPace
  readonly tell: (message: string, tone: 'note' | 'warning') => void
  /** Something about a folder changed. */
  readonly onChange: () => void
  readonly onFault: (error: unknown) => void
}

/** One hot folder at work: looks, takes in what has settled, gives out the day's budget, moves what is done. */
export class HotFolderAtWork {
  readonly #parts: HotFolderParts
  readonly #id: number
  readonly #stop = new AbortController()
  readonly #settling: Settling
  readonly #quietMs: number
  readonly #ended: Promise<void>
  #rung = new AbortController()
  #trouble: string | undefined

  constructor(parts: HotFolderParts, folder: HotFolder) {
    this.#parts = parts
    this.#id = folder.id
    this.#quietMs = folder.polling === 1 ? parts.pace.quietPolledMs : parts.pace.quietMs
    this.#settling = new Settling(this.#quietMs)
    this.#ended = this.#work(folder)
  }

  /** Why it makes no batches just now; a sentence for a person. */
  get trouble(): string | undefined {
    return this.#trouble
  }

  async close() {
    this.#stop.abort()
    await this.#ended
  }

  async #work(folder: HotFolder) {
    const { clock, pace, onFault } = this.#parts
    const { signal } = this.#stop
    const unwatch = watchFolder(folder.path, {
      polling: folder.polling === 1,
      onChange: () => this.#rung.abort(),
    })
    while (!signal.aborted) {
      this.#rung = new AbortController()
      let unsettled = 0
      try {
        unsettled = await this.#look()
        this.#setTrouble(undefined)
      } catch (error) {
        const known = error instanceof HotFolderTrouble || error instanceof Fault
        if (!known) onFault(error)
        this.#setTrouble(
          known ? error.message : say`This folder could not be looked at; the log has the details.`,
        )
      }
      const wait = unsettled > 0 ? this.#quietMs : pace.lookMs
      const either = unsettled > 0 ? signal : AbortSignal.any([signal, this.#rung.signal])
      await clock.sleep(wait, either)
    }
    await unwatch()
  }

  /** @returns files that have to be looked at once more */
  async #look(): Promise<number> {
    const { store, clock } = this.#parts
    const folder = store.hotFolders.byId(this.#id)
    if (!folder || folder.paused === 1) return 0
    store.transaction(() => shareBudget(store, folder, clock.now()))
    const files = await listHotFolder(folder.path, folder.outDir).catch((error: unknown) => {
      throw new HotFolderTrouble(fileTrouble(displayText(folder.path, 300), error, 'folder'))
    })
    const known = new Map(store.hotFolders.files(folder.id).map((file) => [placeOf(file), file]))
    const { settled, unsettled } = this.#settling.look(
      files.filter((file) => !known.has(placeOf(file))),
      clock.monotonic(),
    )
    if (settled.length > 0) await this.#take(folder, settled)
    if (folder.moveDone === 1) await this.#moveDone(folder, files, known)
    return unsettled
  }

  async #take(folder: HotFolder, settled: readonly ListedFile[]) {
    const { tell, onChange } = this.#parts
    const outDir = await prepareFolder(folder.outDir)
    const { batch, images, sentences } = await takeIn(this.#parts, folder, settled, outDir)
    if (batch)
      tell(
        images === 1
          ? say`${folder.name}: 1 image became batch ${batch.id}.`
          : say`${folder.name}: ${images} images became batch ${batch.id}.`,
        'note',
      )
    for (const sentence of sentences.slice(0, 3)) tell(sentence, 'warning')
    onChange()
  }

  /** Lists that are done with: all their images are settled, and none failed or waits for a decision. */
  async #moveDone(folder: HotFolder, files: readonly ListedFile[], known: ReadonlyMap<string, HotFile>) {
    for (const file of files) {
      const noted = known.get(placeOf(file))
      if (!noted || !this.#isDone(noted)) continue
      const moved = await moveDone(folder.path, file.path).catch((error: unknown) => {
        const trouble = fileTrouble(displayText(join(folder.path, file.path), 300), error)
        throw new HotFolderTrouble(say`What is done could not be moved: ${trouble}`)
      })
      // A picture of this computer is shown beside its result from where it is now.
      const { ownFiles } = this.#parts.store
      const picture = ownFiles.picture(noted.content)
      if (picture && moved !== undefined) ownFiles.note({ ...picture, path: moved })
    }
  }

  #isDone({ outcome, batchSeq }: HotFile): boolean {
    if (outcome === 'nothing') return true
    if (outcome !== 'batch' || batchSeq === null) return false
    const { batches } = this.#parts.store
    const { failed, review, held } = batches.counts(batchSeq)
    return batches.bySeq(batchSeq).state === 'finished' && failed + review + held === 0
  }

  #setTrouble(trouble: string | undefined) {
    if (this.#trouble === trouble) return
    this.#trouble = trouble
    this.#parts.onChange()
  }
}

function placeOf({ path, size, modified }: ListedFile): string {
  return `${size} ${modified} ${path}`
}
