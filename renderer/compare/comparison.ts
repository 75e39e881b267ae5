import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ComparedRecord, Subject } from '../../shared/contract/compare-records.ts'
import type { ImageRecord } from '../../shared/contract/records.ts'
import type { ImageWindow } from '../app/image-window.ts'
import type { Workspace } from '../app/workspace.ts'
import { hasVideo, shownPictures, type Mode, type Picture, type Role } from './arrangement.ts'
import { CompareSession } from './compare-session.ts'
import { chosenOf, inPanes, pictureBeside, presetBeside, type Made } from './presets.ts'
import type { GroundChoice } from './stage.ts'
import type { Point } from './view.ts'
import { t } from '../../shared/language/text.ts'

export type Mark = NonNullable<ComparedRecord['mark']>

export const surrounds = {
  black: '#000000',
  dark: '#1e1e1e',
  grey: '#767676',
  white: '#ffffff',
} as const
export type Surround = keyof typeof surrounds

/** What can lie under transparent pictures, besides a colour of one's own. */
export const grounds: readonly GroundChoice[] = ['checker', '#ffffff', '#808080', '#000000']

/** What a person has set for looking; it stays while the program runs. */
export interface Looking {
  readonly hasLoupe: boolean
  readonly hasInfo: boolean
  readonly ground: GroundChoice
  /** As it was chosen here; else what preferences say. */
  readonly surround: Surround | undefined
  /** The sheet that lies over it. */
  readonly sheet: 'keys' | 'place' | undefined
}

/** What is said of an image that was just marked. */
function markedWords(mark: Mark | null, title: string): string {
  if (mark === null) return t`Cleared the mark of ${title}`
  return mark === 'reject' ? t`Rejected ${title}` : t`Kept ${title}`
}

/** Where an image stands, asked for where its row was not fetched yet; -1 where it is not among the rows. */
async function placeOf(window: ImageWindow, image: number): Promise<number> {
  const { total } = window.totals
  return window.indexOf(image) ?? (total === 0 ? -1 : (await window.ids(0, total - 1)).indexOf(image))
}

/** Comparing as a person does it: what is looked at, the images beside it, marks and modes. */
export class Comparison {
  readonly workspace: Workspace
  readonly session: CompareSession
  readonly looking: StoreApi<Looking> = createStore(() => ({
    hasLoupe: false,
    hasInfo: true,
    ground: 'checker',
    surround: undefined,
    sheet: undefined,
  }))
  /** Where the pointer is over all panes together, whose width is `width`; undefined where it is elsewhere. */
  pointerOver: (Point & { readonly width: number }) | undefined
  #beforeFlicker: Mode = 'side'

  constructor(workspace: Workspace, of: Subject) {
    this.workspace = workspace
    this.session = new CompareSession(workspace.api.compare, of)
    this.#tellNeighbours(of)
  }

  /** The rows that next and previous walk through; none for a run of the history. */
  get window(): ImageWindow | undefined {
    return 'image' in this.session.state.getState().of ? this.workspace.images.getState().window : undefined
  }

  /** Where the pointer is in its pane, for keys that act there. Which pane that is changes with the mode. */
  get pointer(): Point | undefined {
    if (!this.pointerOver) return undefined
    const { x, y, width } = this.pointerOver
    return { x: x % (width / (this.session.state.getState().arranged?.scene?.panes.length ?? 1)), y }
  }

  get shown(): readonly Picture[] {
    const { known, slots, mode, preset } = this.session.state.getState()
    return known ? inPanes(shownPictures(known.record, slots), mode, preset) : []
  }

  /** Whether what several presets made stands side by side. */
  get hasPresets(): boolean {
    const { of } = this.session.state.getState()
    return 'image' in of && of.presets === true
  }

  /** Of several presets the one that marks are for; undefined where an image is looked at by itself. */
  get chosen(): Made | undefined {
    const { known, preset } = this.session.state.getState()
    return chosenOf(known?.record, preset)
  }

  /** What was made of the picture side by side, or the outputs of one preset. */
  async togglePresets(): Promise<void> {
    const { of, known } = this.session.state.getState()
    if (!('image' in of)) return
    // Pressed before anything is known of the picture, it is meant all the same.
    const record = known?.record ?? (await this.workspace.attempt(() => this.session.record(of)))
    if (!record || this.session.state.getState().of !== of) return
    if ((record.presets ?? 1) < 2) return this.workspace.say(t`This was made with one preset`)
    const image = this.chosen?.image ?? of.image
    this.session.set({ preset: record.preset ?? undefined, turn: 0 })
    if (this.hasPresets) this.session.set({ preset: this.chosen?.preset })
    this.show(image, !this.hasPresets)
  }

  /** The preset beside the one that marks are for. */
  stepPreset(by: 1 | -1): void {
    const { known, preset } = this.session.state.getState()
    const next = known && presetBeside(known.record, preset, by)
    if (next) this.choosePreset(next)
  }

  choosePreset({ preset }: Made): void {
    this.session.set({ preset, turn: 0 })
  }

  show(image: number, presets = this.hasPresets): void {
    const of = presets ? { image, presets: true as const } : { image }
    if (!(this.workspace.mirrors.preferences.getState().value?.keepZoom ?? true)) this.session.stage.fit()
    this.session.show(of, this.#around(of))
    // A reload comes back to it.
    this.workspace.open({ kind: 'compare', of: { image } })
    const index = this.window?.indexOf(image)
    if (index !== undefined) void this.workspace.selection.select(index, 'only')
  }

  /** As it is chosen in the strip: what already stands in a pane is chosen there. */
  showRow({ id, preset }: Pick<ImageRecord, 'id' | 'preset'>): void {
    const made = this.shown.find((picture) => picture.made?.image === id)?.made
    if (made) return this.choosePreset(made)
    if (this.hasPresets) this.session.set({ preset: preset ?? undefined })
    this.show(id)
  }

  /** On to the next image (1), or back (-1); with all presets side by side, to the next picture. */
  async step(by: 1 | -1): Promise<void> {
    const { window } = this
    const { of } = this.session.state.getState()
    if (!window || !('image' in of)) return
    const index = await placeOf(window, of.image)
    if (index < 0) return
    const next = this.hasPresets ? pictureBeside(window, index, by) : index + by
    if (next < 0 || next >= window.totals.total) {
      return this.workspace.say(by > 0 ? t`This is the last image` : t`This is the first image`)
    }
    const [id] = window.idAt(next) === undefined ? await window.ids(next, next) : [window.idAt(next)]
    if (id !== undefined) this.show(id)
  }

  /**
   * Marks the picture that is shown, and nothing else. Where what is known of it is still to come, the mark waits for
   * that, and stays with the picture that was shown when it was asked for.
   */
  async mark(mark: Mark | null): Promise<void> {
    const { of } = this.session.state.getState()
    if (!('image' in of)) return
    const known = this.session.state.getState().known?.record
    const record = known ?? (await this.workspace.attempt(() => this.session.record(of)))
    if (!record) return
    if (!record.canMark && !record.pictures.some((picture) => picture.made))
      return this.workspace.say(t`${record.title} has no result to mark`)
    // Of several presets side by side the chosen one is meant.
    const made = of.presets ? chosenOf(record, this.session.state.getState().preset) : undefined
    const image = made?.image ?? of.image
    const before = made ? made.mark : record.mark
    if (before === mark) return
    const put = async (value: Mark | null) => {
      await this.workspace.api.images.mark({ target: { ids: [image] }, mark: value })
      await this.session.refresh(of)
    }
    this.session.marked(of, mark, image)
    const done = this.workspace.attempt(async () => {
      await put(mark)
      return true
    })
    // What is shown can be taken back, also before the engine has it: Ctrl+Z would take back something else.
    const step = {
      words: markedWords(mark, record.title),
      undo: async () => {
        if (await done) await put(before)
      },
    }
    this.workspace.undoing.push(step)
    if (await done) return
    this.workspace.undoing.drop(step)
    this.session.marked(of, before, image)
  }

  setMode(mode: Mode): void {
    if (!this.canShow(mode)) return this.workspace.say(t`This takes two pictures`)
    const { mode: before } = this.session.state.getState()
    if (mode === 'flicker' && before !== 'flicker') this.#beforeFlicker = before
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
    this.session.set({ mode, turn: 0, isFlickering: mode === 'flicker' && !isStill })
  }

  canShow(mode: Mode): boolean {
    const { shown } = this
    return mode === 'side' || (shown.length > 1 && !hasVideo(this.session.state.getState().known, shown))
  }

  /** The other picture is shown by hand already; from here on they take turns. */
  beginFlicker(): void {
    if (this.shown.length < 2) return
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
    this.session.set({ mode: 'flicker', isFlickering: !isStill })
  }

  /** Into flicker, and back to what was before. */
  toggleFlicker(): void {
    const { mode } = this.session.state.getState()
    this.setMode(mode === 'flicker' ? this.#beforeFlicker : 'flicker')
  }

  /** F held: the other picture for as long as it is held. */
  holdOther(isHeld: boolean): void {
    const { mode } = this.session.state.getState()
    if (isHeld) {
      if (this.shown.length < 2) return
      if (mode !== 'flicker') this.#beforeFlicker = mode
      this.session.set({ mode: 'flicker', turn: 1, isFlickering: false })
    } else this.session.set({ mode: this.#beforeFlicker, turn: 0 })
  }

  /** 100 % at the pointer, and back to the whole picture. */
  toggleFull(): void {
    const { stage } = this.session
    if (stage.view.scale === 1 && stage.state?.isFit !== true) stage.fit()
    else stage.zoomTo(1, this.pointer)
  }

  toggleLoupe(): void {
    const hasLoupe = !this.looking.getState().hasLoupe
    this.looking.setState({ hasLoupe })
    const { stage } = this.session
    const pane = stage.state?.pane
    // Without a pointer over the panes it starts in their middle.
    const start = this.pointer ?? (pane && { x: pane.width / 2, y: pane.height / 2 })
    stage.loupe(hasLoupe ? start : undefined, 1)
  }

  /** With the loupe out the arrows carry it. @returns false where there is none to carry. */
  carryLoupe(by: Point): boolean {
    const at = this.session.stage.state?.loupe
    if (!this.looking.getState().hasLoupe || !at) return false
    this.session.stage.loupe({ x: at.x + by.x, y: at.y + by.y })
    return true
  }

  get surround(): Surround {
    const { surround } = this.looking.getState()
    return surround ?? this.workspace.mirrors.preferences.getState().value?.surround ?? 'dark'
  }

  /** At once here, and kept for the next time. */
  async setSurround(surround: Surround): Promise<void> {
    this.looking.setState({ surround })
    await this.workspace.attempt(() => this.workspace.api.preferences.change({ surround }))
  }

  async nextSurround(): Promise<void> {
    const all = Object.keys(surrounds) as Surround[]
    await this.setSurround(all[(all.indexOf(this.surround) + 1) % all.length]!)
  }

  /** The checkerboard and neutral colours, in turn. */
  nextGround(): void {
    const now = grounds.indexOf(this.looking.getState().ground)
    this.setGround(grounds[(now + 1) % grounds.length]!)
  }

  setGround(ground: GroundChoice): void {
    this.looking.setState({ ground })
  }

  /** Two panes or three: with the source beside the outputs. */
  toggleSource(): void {
    const { slots } = this.session.state.getState()
    const next: readonly Role[] = slots.length === 3 ? ['primary', 'extra'] : ['primary', 'extra', 'source']
    this.session.set({ slots: next })
  }

  leave(): void {
    this.workspace.closeOverlay()
  }

  close(): void {
    this.session.close()
  }

  #around(of: Subject): Subject[] {
    const { window } = this
    const index = 'image' in of ? window?.indexOf(of.image) : undefined
    if (!window || index === undefined) return []
    const ids = [index + 1, index - 1, index + 2].map((at) => (at >= 0 ? window.idAt(at) : undefined))
    const presets = this.hasPresets ? { presets: true as const } : {}
    return ids.filter((id) => id !== undefined).map((image) => ({ image, ...presets }))
  }

  #tellNeighbours(of: Subject): void {
    this.session.show(of, this.#around(of))
  }
}
