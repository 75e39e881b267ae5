import type { Size } from '../../../shared/framing.ts'
import type { RetoucherSettings } from '../../../shared/settings.ts'
import { drawPreview, shadowShape } from './draw.ts'
import { ItemShadow } from './item-shadow.ts'
import type { PreviewPicture } from './preview-picture.ts'
import { freeMargin, previewScene, type PreviewScene, type StageMargin } from './scene.ts'

/** What is shown of the preview's parts. */
export interface Shown {
  readonly frame: boolean
  readonly finish: boolean
  readonly sourceAlone: boolean
}

export const everythingShown: Shown = { frame: true, finish: true, sourceAlone: false }

/** How long a slider rests before the shadow is drawn finely, in ms. */
const restMs = 140

export interface PainterView {
  readonly picture: PreviewPicture | undefined
  readonly settings: RetoucherSettings
  readonly shown: Shown
  /** CSS pixels for a pixel of the source; undefined to fit. */
  readonly scale: number | undefined
  /** Room around the frame, in CSS pixels. */
  readonly margin: StageMargin | undefined
}

/**
 * Draws a preview whenever something of it changed: in the next frame, once for any number of changes, and beside React.
 */
export class PreviewPainter {
  readonly #canvas: HTMLCanvasElement
  readonly #onScene: (scene: PreviewScene | undefined, settings: RetoucherSettings) => void
  #view: PainterView = {
    picture: undefined,
    settings: {},
    shown: everythingShown,
    scale: undefined,
    margin: undefined,
  }
  #shadow: ItemShadow | undefined
  #margin: StageMargin | undefined
  #frame = 0
  #rest: ReturnType<typeof setTimeout> | undefined

  /** @param onScene hears where things lie, in the frame in which they are drawn. */
  constructor(
    canvas: HTMLCanvasElement,
    onScene: (scene: PreviewScene | undefined, settings: RetoucherSettings) => void = () => undefined,
  ) {
    this.#canvas = canvas
    this.#onScene = onScene
  }

  show(change: Partial<PainterView>): void {
    const { picture } = this.#view
    this.#view = { ...this.#view, ...change }
    if (this.#view.picture !== picture) {
      this.#shadow = this.#view.picture && new ItemShadow(this.#view.picture)
    }
    this.refresh()
  }

  /** The same once more: its size has changed. */
  refresh(): void {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0
      this.#paint(false)
    })
    clearTimeout(this.#rest)
    this.#rest = setTimeout(() => this.#paint(true), restMs)
  }

  end(): void {
    cancelAnimationFrame(this.#frame)
    clearTimeout(this.#rest)
  }

  #paint(isFine: boolean): void {
    const { picture, settings, shown, scale, margin } = this.#view
    const canvas = this.#canvas
    const stage: Size = { width: canvas.clientWidth, height: canvas.clientHeight }
    const context = canvas.getContext('2d')
    if (!context || stage.width === 0 || stage.height === 0) return
    const ratio = devicePixelRatio
    const [width, height] = [Math.round(stage.width * ratio), Math.round(stage.height * ratio)]
    if (canvas.width !== width) canvas.width = width
    if (canvas.height !== height) canvas.height = height
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    context.clearRect(0, 0, stage.width, stage.height)
    if (!picture) return this.#onScene(undefined, settings)
    const hasFrame = shown.frame && !shown.sourceAlone
    const question = {
      source: picture.source,
      item: picture.isSure ? picture.box : undefined,
      settings: hasFrame ? settings : { ...settings, framing_enabled: false },
      stage,
      margin,
    }
    // While a corner is held nothing moves but the frame.
    if (scale === undefined) this.#margin = freeMargin(question)
    const scene = previewScene({ ...question, scale, margin: this.#margin })
    const isFinished = shown.finish && !shown.sourceAlone
    const shape = isFinished ? shadowShape(settings) : undefined
    const shadow = shape && this.#shadow?.draw(shape, isFine)
    drawPreview(context, scene, { picture, shadow, settings, isFinished })
    canvas.dataset['drawn'] = isFine ? 'finely' : 'drafted'
    this.#onScene(scene, settings)
  }
}
