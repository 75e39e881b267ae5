import { createStore, type StoreApi } from 'zustand/vanilla'
import type {
  ComparedRecord,
  ItemBox,
  Look,
  Measure,
  Subject,
} from '../../shared/contract/compare-records.ts'
import type { EngineClient } from '../../shared/contract/engine-contract.ts'
import { Fault } from '../../shared/rpc/fault.ts'
import { arrange, shownPictures, type Arranged, type Known, type Mode, type Role } from './arrangement.ts'
import { inPanes } from './presets.ts'
import { neighbourWants } from './neighbours.ts'
import type { Wanted } from './picture-loader.ts'
import { Stage } from './stage.ts'
import type { Space } from './worker-messages.ts'
import { t } from '../../shared/language/text.ts'

export interface CompareState {
  readonly of: Subject
  readonly known: Known | undefined
  /** Why nothing can be shown. */
  readonly trouble: string | undefined
  readonly mode: Mode
  /** Roles of the panes from left to right. */
  readonly slots: readonly Role[]
  /** Of several presets of one picture the one that is looked at. */
  readonly preset: string | undefined
  /** Where the line between the two is, in fractions of the pane. */
  readonly split: number
  readonly turn: 0 | 1
  readonly isFlickering: boolean
  /** Changes a second. */
  readonly rate: number
  readonly gain: number
  readonly measure: Measure | undefined
  readonly arranged: Arranged | undefined
  /** Whether the screen shows more than sRGB. */
  readonly hasWideScreen: boolean
  /** What the canvas is in: of the last scene that there was. */
  readonly space: Space
}

/** The most changes a second (WCAG 2.3.1: fewer than three flashes, and a flash takes two changes). */
export const fastestRate = 3
export const gains: readonly number[] = [1, 2, 4, 8, 16, 32, 64]

interface Entry {
  known: Known
}

const rememberedEntries = 24
/** Milliseconds of rest before anything is fetched unasked. */
const dwell = 120

const keyOf = (of: Subject) => JSON.stringify(of)

/** One comparison: what is compared, how it is shown, and what is fetched for it. */
export class CompareSession {
  readonly state: StoreApi<CompareState>
  readonly stage: Stage
  readonly #api: EngineClient['compare']
  readonly #entries = new Map<string, Promise<Entry>>()
  readonly #ready = new Map<string, Entry>()
  readonly #tiling = new Set<string>()
  #neighbours: readonly Subject[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  #closed = false

  constructor(api: EngineClient['compare'], of: Subject, stage = new Stage()) {
    this.#api = api
    this.stage = stage
    this.state = createStore(() => ({
      of,
      known: undefined,
      trouble: undefined,
      mode: 'side',
      slots: ['primary', 'extra'],
      preset: undefined,
      split: 0.5,
      turn: 0,
      isFlickering: false,
      rate: 2,
      gain: 32,
      measure: undefined,
      arranged: undefined,
      hasWideScreen: false,
      space: 'srgb',
    }))
    this.stage.subscribe(() => this.#onStage())
    void this.#open(of)
  }

  /** Goes on to another image; zoom, place and mode stay. @param neighbours are fetched ahead, the likeliest first. */
  show(of: Subject, neighbours: readonly Subject[]): void {
    this.#neighbours = neighbours
    if (keyOf(of) !== keyOf(this.state.getState().of)) void this.#open(of)
    else this.#settled()
  }

  set(
    change: Partial<
      Pick<
        CompareState,
        'mode' | 'slots' | 'preset' | 'split' | 'turn' | 'gain' | 'isFlickering' | 'rate' | 'hasWideScreen'
      >
    >,
  ) {
    this.state.setState(change)
    this.#arrange()
  }

  /** What is known of an image, as soon as it is. @throws Fault */
  async record(of: Subject): Promise<ComparedRecord> {
    return (await this.#entry(of, true)).known.record
  }

  /** Fetches again what is known of an image, after its mark has changed for instance. */
  async refresh(of = this.state.getState().of): Promise<void> {
    const entry = this.#ready.get(keyOf(of))
    if (!entry) return
    const record = await this.#api.subject({ of }).catch(() => undefined)
    if (record) this.#learn(entry, { record })
  }

  /** Changes what is shown of an image's mark at once; the engine's answer follows. */
  marked(of: Subject, mark: ComparedRecord['mark'], image?: number): void {
    const entry = this.#ready.get(keyOf(of))
    if (!entry) return
    const { record } = entry.known
    const isOwn = image === undefined || !('image' in of) || of.image === image
    const pictures = record.pictures.map((picture) =>
      picture.made?.image === image && picture.made
        ? { ...picture, made: { ...picture.made, mark } }
        : picture,
    )
    this.#learn(entry, { record: { ...record, pictures, mark: isOwn ? mark : record.mark } })
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    this.stage.close()
  }

  async #open(of: Subject): Promise<void> {
    clearTimeout(this.#timer)
    const ready = this.#ready.get(keyOf(of))
    // What was fetched ahead is on the screen in the next frame.
    this.state.setState({ of, trouble: undefined, known: ready?.known, measure: undefined })
    this.#arrange()
    try {
      const entry = await this.#entry(of, false)
      await this.#looks(entry, false)
    } catch (error) {
      if (!this.#isShown(of)) return
      const trouble = error instanceof Fault ? error.message : t`This cannot be compared.`
      this.state.setState({ trouble })
    }
    if (this.#isShown(of)) this.#settled()
  }

  #isShown(of: Subject): boolean {
    return !this.#closed && keyOf(of) === keyOf(this.state.getState().of)
  }

  #entry(of: Subject, ahead: boolean): Promise<Entry> {
    const key = keyOf(of)
    const there = this.#entries.get(key)
    if (there) return there
    const made = this.#api.subject({ of }).then((record) => {
      const entry: Entry = { known: { record, looks: {}, boxes: {}, tiled: new Set() } }
      this.#ready.set(key, entry)
      if (!ahead || this.#isShown(of)) this.#learn(entry, {})
      return entry
    })
    this.#entries.set(key, made)
    made.catch(() => this.#entries.delete(key))
    for (const old of [...this.#entries.keys()].slice(0, -rememberedEntries)) {
      this.#entries.delete(old)
      this.#ready.delete(old)
    }
    return made
  }

  /** Looks at what the panes show; in trouble last time, it is looked at again. */
  async #looks(entry: Entry, ahead: boolean): Promise<void> {
    const { of } = entry.known.record
    const shown = shownPictures(entry.known.record, this.state.getState().slots)
    await Promise.all(
      shown.map(async ({ which }) => {
        const before = entry.known.looks[which]
        if (before && before.kind !== 'trouble') return
        const look = await this.#api.look({ of, which, ahead }).catch((error: unknown): Look => ({
          kind: 'trouble',
          sentence: error instanceof Fault ? error.message : t`This picture cannot be shown.`,
          format: null,
        }))
        this.#learn(entry, { looks: { ...entry.known.looks, [which]: look } })
      }),
    )
  }

  #learn(entry: Entry, news: Partial<Known>): void {
    entry.known = { ...entry.known, ...news }
    if (!this.#isShown(entry.known.record.of)) return
    this.state.setState({ known: entry.known })
    this.#arrange()
  }

  #arrange(): void {
    if (this.#closed) return
    const { known, mode, slots, split, turn, gain, hasWideScreen, space } = this.state.getState()
    if (!known) {
      this.state.setState({ arranged: undefined })
      this.stage.show(undefined, insetsOf('side'))
      return
    }
    const shown = inPanes(shownPictures(known.record, slots), mode, this.state.getState().preset)
    const arranged = arrange(known, { mode, shown, split, turn, gain, hasWideScreen })
    this.state.setState({ arranged, space: arranged.scene?.space ?? space })
    this.stage.show(arranged.scene, insetsOf(shown.length > 1 ? arranged.mode : 'side'))
    const entry = this.#ready.get(keyOf(known.record.of))
    if (!entry) return
    for (const which of arranged.needsItems) void this.#box(entry, which, false)
    if (shown.some(({ which }) => known.looks[which] === undefined)) void this.#looks(entry, false)
    if (mode === 'difference' && arranged.mode === 'difference') void this.#measure(entry, shown)
  }

  async #box(entry: Entry, which: string, ahead: boolean): Promise<void> {
    const waiting: Known['boxes'] = { ...entry.known.boxes, [which]: null }
    entry.known = { ...entry.known, boxes: waiting }
    const { box } = await this.#api
      .item({ of: entry.known.record.of, which, ahead })
      .catch((): { box: ItemBox | null } => ({ box: null }))
    if (box) this.#learn(entry, { boxes: { ...entry.known.boxes, [which]: box } })
  }

  async #measure(entry: Entry, shown: readonly { which: string }[]): Promise<void> {
    const [a, b] = shown
    if (!a || !b || this.state.getState().measure || this.#tiling.has('measure')) return
    const { of } = entry.known.record
    this.#tiling.add('measure')
    const measure = await this.#api
      .measure({ of, a: a.which, b: b.which })
      .catch((): Measure => ({ kind: 'trouble', sentence: t`It could not be measured.` }))
    this.#tiling.delete('measure')
    if (this.#isShown(of)) this.state.setState({ measure })
    else this.#arrange()
  }

  /** Has the tiles of a picture made; once they are there, the scene is drawn with them. */
  async #tiles(entry: Entry, which: string, ahead: boolean): Promise<void> {
    const look = entry.known.looks[which]
    const { of } = entry.known.record
    if (look?.kind !== 'picture' || look.info.levels === 0 || entry.known.tiled.has(which)) return
    const key = `${keyOf(of)} ${which} ${ahead}`
    if (this.#tiling.has(key)) return
    this.#tiling.add(key)
    const answer = await this.#api.tiles({ of, which, ahead }).catch(() => undefined)
    this.#tiling.delete(key)
    if (answer?.kind === 'ready') this.#learn(entry, { tiled: new Set([...entry.known.tiled, which]) })
  }

  /** Zoomed in beyond the first level: its tiles are needed now. */
  #onStage(): void {
    const { known, slots } = this.state.getState()
    const stage = this.stage.state
    if (!known || !stage) return
    const entry = this.#ready.get(keyOf(known.record.of))
    const scale = stage.loupe ? Math.max(stage.view.scale, stage.loupeScale) : stage.view.scale
    for (const { which } of entry ? shownPictures(known.record, slots) : []) {
      const look = known.looks[which]
      if (look?.kind !== 'picture' || known.tiled.has(which)) continue
      if (look.info.quick.width < look.info.width * scale * 0.999) void this.#tiles(entry!, which, false)
    }
    this.#settled()
  }

  /** When the stage has come to rest: what is likely to be looked at next is fetched. */
  #settled(): void {
    clearTimeout(this.#timer)
    if (this.stage.state?.isSharp !== true) return
    const { of } = this.state.getState()
    this.#timer = setTimeout(() => void this.#prepare(of), dwell)
  }

  /** First what is looked at next, then the tiles of what is looked at now: the first level is enough for a glance. */
  async #prepare(of: Subject): Promise<void> {
    await this.#prefetch()
    const entry = this.#ready.get(keyOf(of))
    if (!entry || !this.#isShown(of)) return
    for (const { which } of shownPictures(entry.known.record, this.state.getState().slots)) {
      void this.#tiles(entry, which, true)
    }
  }

  async #prefetch(): Promise<void> {
    const neighbours = this.#neighbours
    const wants: Wanted[] = []
    for (const of of neighbours) {
      const entry = await this.#entry(of, true).catch(() => undefined)
      if (this.#closed || neighbours !== this.#neighbours) return
      if (entry) wants.push(...(await this.#fetchAhead(entry)))
      if (this.#closed || neighbours !== this.#neighbours) return
      this.stage.loader.wantAhead([...wants])
    }
  }

  /** Has everything made that one image will need where the view is now. */
  async #fetchAhead(entry: Entry): Promise<Wanted[]> {
    const { slots } = this.state.getState()
    await this.#looks(entry, true)
    const shown = shownPictures(entry.known.record, slots)
    const { needsItems } = arrange(entry.known, { ...this.state.getState(), shown })
    for (const which of needsItems) void this.#box(entry, which, true)
    if (this.stage.state?.isFit === false) {
      await Promise.all(shown.map(({ which }) => this.#tiles(entry, which, true)))
    }
    return neighbourWants(entry.known, this.state.getState(), this.stage)
  }
}

/** Labels lie over the top of panes that stand side by side; the bar for marks over the foot of all. */
function insetsOf(mode: Mode) {
  return { top: mode === 'side' ? 50 : 24, bottom: 68, side: 16 }
}
