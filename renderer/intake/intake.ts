import { createStore, type StoreApi } from 'zustand/vanilla'
import type { z } from 'zod'
import type { sourceSchema, EstimateRecord, FoundRecord } from '../../shared/contract/intake-records.ts'
import type { DesktopBridge } from '../../shared/contract/desktop-bridge.ts'
import { dropLimits } from '../../shared/contract/drops.ts'
import { Fault } from '../../shared/rpc/fault.ts'
import type { ProgramClient } from '../app/line.ts'
import type { Mirrors } from '../app/mirrors.ts'
import { namedFiles, walkEntries, type Dropped } from './dropped-files.ts'
import { firstChoice, folderFor, type Choice } from './first-choice.ts'
import { sendFiles } from './send-files.ts'
import { t } from '../../shared/language/text.ts'

export type IntakeSource = z.input<typeof sourceSchema>

export interface ReadingProgress {
  readonly files: number
  readonly images: number
  readonly duplicates: number
  readonly problems: number
  readonly current: string
}

export interface IntakeState {
  /** `reading` also while files are handed over; `begun` when Start was pressed and is on its way. */
  readonly phase: 'reading' | 'found' | 'failed' | 'beginning'
  readonly progress: ReadingProgress
  readonly found: FoundRecord | undefined
  readonly choice: Choice | undefined
  /** What the choice would do; of an earlier choice while `isEstimating`. */
  readonly estimate: EstimateRecord | undefined
  readonly isEstimating: boolean
  /** The engine's sentence where something cannot be done. */
  readonly trouble: string | undefined
}

const emptyProgress: ReadingProgress = { files: 0, images: 0, duplicates: 0, problems: 0, current: '' }
/** Milliseconds of quiet before a changed choice is estimated. */
const settleMs = 120

/** What of the workspace a drop needs. */
export interface IntakeParts {
  readonly api: ProgramClient
  readonly bridge: DesktopBridge<File> | undefined
  readonly mirrors: Pick<Mirrors, 'preferences' | 'presets' | 'batches' | 'ownFiles'>
}

/** From a drop to a batch: reads it, holds what a person chooses, and asks what that would be and cost. */
export class Intake {
  readonly state: StoreApi<IntakeState> = createStore<IntakeState>(() => ({
    phase: 'reading',
    progress: emptyProgress,
    found: undefined,
    choice: undefined,
    estimate: undefined,
    isEstimating: false,
    trouble: undefined,
  }))
  readonly #parts: IntakeParts
  readonly #addTo: string | null
  readonly #preset: string | undefined
  readonly #token = crypto.randomUUID()
  readonly #ends = new AbortController()
  /** Ends the handing over alone: what is there is then read. */
  readonly #enough = new AbortController()
  #asked = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #outDirTouched = false

  /** @param preset name of the one to begin with, where somebody has asked for it */
  constructor(parts: IntakeParts, addTo: string | null, preset?: string) {
    this.#parts = parts
    this.#preset = preset
    this.#addTo = addTo
  }

  /** Reads what `sources` resolves to; ends in `found` or `failed`. */
  async read(sources: (intake: Intake) => Promise<readonly IntakeSource[]>): Promise<void> {
    try {
      const list = await sources(this)
      const events = this.#parts.api.intake.read(
        { sources: [...list], token: this.#token },
        { signal: this.#ends.signal },
      )
      for await (const event of events) {
        if (event.kind === 'progress') this.state.setState({ progress: event })
        else this.#show(event.found)
      }
      if (this.state.getState().phase === 'reading' && !this.#ends.signal.aborted) throw new Error('ended')
    } catch (error) {
      if (this.#ends.signal.aborted) return
      const trouble =
        error instanceof Fault ? error.message : t`This could not be read. Close the sheet and drop it again.`
      this.state.setState({ phase: 'failed', trouble })
    }
  }

  /** Hands files of this page over; the desktop shell takes their paths, a browser sends what they hold. */
  async handOver(dropped: Dropped): Promise<readonly IntakeSource[]> {
    const { bridge } = this.#parts
    if (dropped.files.length === 0) return [{ kind: 'text', text: dropped.text, shown: t`Dropped links` }]
    const signal = AbortSignal.any([this.#ends.signal, this.#enough.signal])
    if (bridge) {
      const drop = await bridge.takeDrop(dropped.files)
      if (drop === null)
        throw new Fault('refused', t`Nothing in it lies on a disk. Save it first, then drop it.`)
      return [{ kind: 'drop', drop }]
    }
    const withPictures = uploadsPictures(this.#parts.mirrors)
    const onProgress = (files: number) => this.state.setState({ progress: { ...emptyProgress, files } })
    const files =
      dropped.entries.length > 0
        ? await walkEntries(dropped.entries, dropLimits.files, { signal, withPictures, onProgress })
        : namedFiles(dropped.files, withPictures)
    return (await sendFiles(files, this.#ends.signal)).map((drop) => ({ kind: 'drop', drop }))
  }

  /** Stops the reading and keeps what was found so far. */
  stop(): void {
    this.#enough.abort()
    // Where it has ended meanwhile there is nothing to stop.
    this.#parts.api.intake.stop({ token: this.#token }).catch(() => undefined)
  }

  /** Changes what Start would do, and asks again what that costs. */
  choose(change: Partial<Choice>): void {
    const { choice, found } = this.state.getState()
    if (!choice || !found) return
    const next = { ...choice, ...change }
    if (change.outDir !== undefined) this.#outDirTouched = true
    if (change.name !== undefined && !this.#outDirTouched) {
      next.outDir = folderFor(this.#parts.mirrors.preferences.getState().value?.outDir ?? '', next.name)
    }
    this.state.setState({ choice: next, isEstimating: true, trouble: undefined })
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#estimate(), settleMs)
  }

  /** Begins exactly what was estimated last. @returns the batch, or undefined where it could not be begun */
  async begin(start: boolean): Promise<string | undefined> {
    const { estimate, isEstimating, phase } = this.state.getState()
    if (!estimate || isEstimating || phase !== 'found') return undefined
    this.state.setState({ phase: 'beginning', trouble: undefined })
    try {
      return (await this.#parts.api.intake.begin({ estimate: estimate.estimate, start })).batch
    } catch (error) {
      const trouble = error instanceof Fault ? error.message : t`The batch could not be begun. Try again.`
      this.state.setState({ phase: 'found', trouble })
      // What was estimated may not hold any more: what is shown has to be true again.
      void this.#estimate()
      return undefined
    }
  }

  /** Forgets everything; nothing was sent. */
  discard(): void {
    const { found, phase } = this.state.getState()
    clearTimeout(this.#timer)
    this.#ends.abort()
    if (found && phase !== 'beginning') {
      this.#parts.api.intake.discard({ draft: found.draft }).catch(() => undefined)
    }
  }

  #show(found: FoundRecord) {
    const choice = firstChoice(found, this.#parts.mirrors, this.#addTo, this.#preset)
    this.state.setState({ phase: 'found', found, choice, isEstimating: found.images > 0 })
    if (found.images > 0) void this.#estimate()
  }

  async #estimate() {
    const { choice } = this.state.getState()
    if (!choice) return
    const asked = (this.#asked += 1)
    try {
      const estimate = await this.#parts.api.intake.estimate(choice, { signal: this.#ends.signal })
      if (asked === this.#asked) this.state.setState({ estimate, isEstimating: false })
    } catch (error) {
      if (asked !== this.#asked || this.#ends.signal.aborted) return
      const trouble =
        error instanceof Fault ? error.message : t`The price could not be worked out. Try again.`
      this.state.setState({ estimate: undefined, isEstimating: false, trouble })
    }
  }
}

/** Whether pictures of this computer are uploaded from where they are, so that what they hold is wanted. */
export function uploadsPictures({ ownFiles }: Pick<Mirrors, 'ownFiles'>): boolean {
  return ownFiles.getState().value?.storage != null
}
