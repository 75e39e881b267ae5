import { PictureLoader } from './picture-loader.ts'
import { paintScene, type Scene } from './scene.ts'
import type { Space } from './worker-messages.ts'
import {
  clamped,
  fitScale,
  fitView,
  fractionAt,
  nextStep,
  panned,
  placed,
  zoomedAbout,
  type Pane,
  type Point,
  type Rect,
  type Size,
  type View,
} from './view.ts'

/** What lies under transparent pictures: the checkerboard or a colour. */
export type GroundChoice = 'checker' | `#${string}`

/** How things stand on the stage, for what is drawn around it. CSS pixels. */
export interface StageState {
  readonly view: View
  readonly isFit: boolean
  readonly fit: number
  readonly pane: { readonly width: number; readonly height: number }
  /** The reference picture in its pane. */
  readonly picture: Rect
  readonly loupe: Point | undefined
  readonly loupeScale: number
  /** False while something that is on the screen is still to come. */
  readonly isSharp: boolean
}

interface Insets {
  readonly top: number
  readonly bottom: number
  readonly side: number
}

const loupeRadius = 126
const squares = 8

/** The canvas and where it looks. Draws once a frame, and only when something has changed. */
export class Stage {
  readonly loader: PictureLoader
  readonly #listeners = new Set<() => void>()
  #canvas: HTMLCanvasElement | undefined
  #context: CanvasRenderingContext2D | undefined
  #checker: CanvasPattern | undefined
  #scene: Scene | undefined
  #view: View = { x: 0.5, y: 0.5, scale: 1 }
  #isFit = true
  #css = { width: 0, height: 0 }
  #density = 1
  #insets: Insets = { top: 24, bottom: 68, side: 16 }
  #loupe: Point | undefined
  #loupeScale = 1
  #surround = '#1e1e1e'
  #ground: GroundChoice = 'checker'
  #frame = 0
  #state: StageState | undefined

  constructor(loader?: PictureLoader) {
    this.loader = loader ?? new PictureLoader(() => this.draw())
  }

  /** Shows itself on a canvas. @returns what takes it off again. */
  mount(canvas: HTMLCanvasElement, colorSpace: Space): () => void {
    this.#canvas = canvas
    this.#context = canvas.getContext('2d', { alpha: false, colorSpace }) ?? undefined
    this.#checker = this.#context && checkerOn(this.#context, Math.round(squares * this.#density))
    this.draw()
    return () => {
      cancelAnimationFrame(this.#frame)
      this.#frame = 0
      this.#canvas = undefined
      this.#context = undefined
    }
  }

  /** @param css size of the canvas in CSS pixels. */
  resize(css: { width: number; height: number }, density: number): void {
    if (this.#context && density !== this.#density) {
      this.#checker = checkerOn(this.#context, Math.round(squares * density))
    }
    this.#css = css
    this.#density = density
    this.#settle()
  }

  /** @param insets CSS pixels that labels and bars take of a pane. */
  show(scene: Scene | undefined, insets: Insets): void {
    this.#scene = scene
    this.#insets = insets
    this.#settle()
  }

  look(surround: string, ground: GroundChoice): void {
    this.#surround = surround
    this.#ground = ground
    this.draw()
  }

  /** Hears of every change of the state, once a frame at most. */
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  get state(): StageState | undefined {
    return this.#state
  }

  get view(): View {
    return this.#view
  }

  fit(): void {
    this.#isFit = true
    this.#settle()
  }

  /** @param point CSS pixels within a pane; the middle where there is none. */
  zoomTo(scale: number, point?: Point): void {
    const { scene, pane } = this.#placing()
    if (!scene) return
    this.#isFit = Math.abs(scale / fitScale(scene.reference, pane) - 1) < 0.001
    if (this.#isFit) return this.fit()
    const at = point ? this.#device(point) : { x: pane.width / 2, y: pane.height / 2 }
    this.#view = zoomedAbout(at, scale, this.#view, scene.reference, pane)
    this.draw()
  }

  step(direction: 1 | -1, point?: Point): void {
    const { scene, pane } = this.#placing()
    if (scene) this.zoomTo(nextStep(this.#view.scale, direction, fitScale(scene.reference, pane)), point)
  }

  /** @param by CSS pixels. */
  pan(by: Point): void {
    const { scene, pane } = this.#placing()
    if (!scene) return
    this.#view = panned(this.#device(by), this.#view, scene.reference, pane)
    this.draw()
  }

  /** Looks at a place in fractions of the picture. */
  centre(at: Point): void {
    const { scene, pane } = this.#placing()
    if (!scene) return
    this.#view = clamped({ ...this.#view, ...at }, scene.reference, pane)
    this.draw()
  }

  /** Where the loupe is, in CSS pixels of a pane; undefined takes it away. */
  loupe(point: Point | undefined, scale = this.#loupeScale): void {
    const { scene, pane } = this.#placing()
    this.#loupe = point && scene && fractionAt(this.#device(point), scene.reference, this.#view, pane)
    this.#loupeScale = scale
    this.draw()
  }

  /** Where a picture would lie if it were shown in place of this one. Device pixels. */
  place(picture: Size): { at: Rect; pane: Pane } {
    const { pane } = this.#placing()
    const view = this.#isFit ? fitView(picture, pane) : this.#view
    return { at: placed(picture, clamped(view, picture, pane), pane), pane }
  }

  /** Draws before the next picture of the screen. */
  draw(): void {
    if (this.#frame !== 0) return
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0
      this.#paint()
    })
  }

  close(): void {
    cancelAnimationFrame(this.#frame)
    this.loader.close()
  }

  #placing(): { scene: Scene | undefined; pane: Pane; line: number } {
    const count = this.#scene?.panes.length ?? 1
    const line = Math.max(1, Math.round(this.#density))
    const width = Math.round(this.#css.width * this.#density)
    const { top, bottom, side } = this.#insets
    const insets = { top: top * this.#density, bottom: bottom * this.#density, side: side * this.#density }
    const pane = {
      width: Math.max(1, Math.floor((width - (count - 1) * line) / count)),
      height: Math.max(1, Math.round(this.#css.height * this.#density)),
      insets,
    }
    return { scene: this.#scene, pane, line }
  }

  #device({ x, y }: Point): Point {
    return { x: x * this.#density, y: y * this.#density }
  }

  #settle() {
    const { scene, pane } = this.#placing()
    if (scene) {
      this.#view = clamped(this.#isFit ? fitView(scene.reference, pane) : this.#view, scene.reference, pane)
    }
    this.draw()
  }

  #paint() {
    const [canvas, context] = [this.#canvas, this.#context]
    const { scene, pane, line } = this.#placing()
    if (!canvas || !context || this.#css.width === 0) return
    const width = Math.round(this.#css.width * this.#density)
    // Setting the size clears a canvas, so it is set only where it differs.
    if (canvas.width !== width) canvas.width = width
    if (canvas.height !== pane.height) canvas.height = pane.height
    if (!scene) {
      context.fillStyle = this.#surround
      context.fillRect(0, 0, canvas.width, canvas.height)
      return
    }
    const loupe = this.#loupe && {
      at: this.#loupe,
      scale: this.#loupeScale,
      radius: loupeRadius * this.#density,
    }
    const ground = this.#ground === 'checker' ? (this.#checker ?? '#363636') : this.#ground
    const wanted = paintScene(
      {
        context,
        loader: this.loader,
        surround: this.#surround,
        ground,
        line,
        density: this.#density,
      },
      scene,
      this.#view,
      pane,
      loupe,
    )
    this.loader.want(wanted)
    this.#tell(scene, pane)
  }

  #tell(scene: Scene, pane: Pane) {
    const d = this.#density
    const at = placed(scene.reference, this.#view, pane)
    this.#state = {
      view: this.#view,
      isFit: this.#isFit,
      fit: fitScale(scene.reference, pane),
      pane: { width: pane.width / d, height: pane.height / d },
      picture: { x: at.x / d, y: at.y / d, width: at.width / d, height: at.height / d },
      loupe: this.#loupe && {
        x: (at.x + this.#loupe.x * at.width) / d,
        y: (at.y + this.#loupe.y * at.height) / d,
      },
      loupeScale: this.#loupeScale,
      isSharp: !this.loader.isBusy,
    }
    for (const listener of this.#listeners) listener()
  }
}

/** Two neutral greys that no picture is mistaken for. */
function checkerOn(context: CanvasRenderingContext2D, side: number): CanvasPattern | undefined {
  const board = document.createElement('canvas')
  board.width = 2 * side
  board.height = 2 * side
  const pen = board.getContext('2d')
  if (!pen) return undefined
  pen.fillStyle = '#3a3a3a'
  pen.fillRect(0, 0, 2 * side, 2 * side)
  pen.fillStyle = '#323232'
  pen.fillRect(0, 0, side, side)
  pen.fillRect(side, side, side, side)
  return context.createPattern(board, 'repeat') ?? undefined
}
