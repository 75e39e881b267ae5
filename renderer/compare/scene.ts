import type { Drawable } from './drawable.ts'
import { mapped, type Mapping } from './mapping.ts'
import { paintPicture, type Ground, type Painting } from './paint.ts'
import type { PictureLoader, Wanted } from './picture-loader.ts'
import type { Space } from './worker-messages.ts'
import { placed, type Pane, type Point, type Rect, type Size, type View } from './view.ts'

/** A picture of a pane. */
export interface Layer {
  readonly drawable: Drawable
  /** How it lies over the reference picture. */
  readonly mapping: Mapping
}

/** What is on the canvas: panes beside each other that look at the same place. */
export interface Scene {
  /** The picture whose pixels the zoom counts. */
  readonly reference: Size
  /** Per pane its layers: one, or two that the split line divides. Undefined for a pane whose picture is not there. */
  readonly panes: readonly (readonly (Layer | undefined)[])[]
  /** What it is drawn in. */
  readonly space: Space
  /** Where the line between two layers is, in fractions of the pane. */
  readonly split: number
}

export interface Loupe {
  /** Fractions of the reference picture. */
  readonly at: Point
  /** Device pixels for a pixel of the reference picture. */
  readonly scale: number
  /** Device pixels. */
  readonly radius: number
}

export interface Canvas {
  readonly context: CanvasRenderingContext2D
  readonly loader: Pick<PictureLoader, 'get'>
  readonly surround: string
  readonly ground: Ground
  /** Device pixels between two panes. */
  readonly line: number
  /** Device pixels for a CSS pixel. */
  readonly density: number
}

/** Draws a scene. @returns what it needs, most needed first. */
export function paintScene(
  canvas: Canvas,
  scene: Scene,
  view: View,
  pane: Pane,
  loupe: Loupe | undefined,
): Wanted[] {
  const { context, surround, line } = canvas
  const seen: Wanted[] = []
  const under: Wanted[] = []
  context.fillStyle = '#000000'
  context.fillRect(0, 0, context.canvas.width, context.canvas.height)
  scene.panes.forEach((layers, index) => {
    const left = index * (pane.width + line)
    context.save()
    context.translate(left, 0)
    context.beginPath()
    context.rect(0, 0, pane.width, pane.height)
    context.clip()
    context.fillStyle = surround
    context.fillRect(0, 0, pane.width, pane.height)
    const at = placed(scene.reference, view, pane)
    paintLayers({ ...canvas, wanted: seen }, scene, layers, at, { x: 0, y: 0, ...sizeOf(pane) })
    if (loupe) paintLoupe({ ...canvas, wanted: under }, scene, layers, at, pane, loupe, canvas.density)
    context.restore()
  })
  return [...seen, ...under]
}

const sizeOf = ({ width, height }: Size): Size => ({ width, height })

function paintLayers(
  painting: Painting,
  scene: Scene,
  layers: readonly (Layer | undefined)[],
  at: Rect,
  seen: Rect,
  edge = Math.round(seen.x + scene.split * seen.width),
) {
  layers.forEach((layer, index) => {
    if (!layer) return
    const rect = mapped(at, scene.reference, layer.drawable.size, layer.mapping)
    paintPicture(painting, layer.drawable, rect, layers.length === 1 ? seen : half(seen, edge, index))
  })
}

/** The part of a rectangle left (0) or right (1) of the split line. */
function half(seen: Rect, edge: number, index: number): Rect {
  const to = Math.min(Math.max(edge, seen.x), seen.x + seen.width)
  return index === 0 ? { ...seen, width: to - seen.x } : { ...seen, x: to, width: seen.x + seen.width - to }
}

function paintLoupe(
  painting: Painting & { readonly surround: string },
  scene: Scene,
  layers: readonly (Layer | undefined)[],
  at: Rect,
  pane: Pane,
  loupe: Loupe,
  density: number,
) {
  const { context, surround } = painting
  const middle = {
    x: Math.round(at.x + loupe.at.x * at.width),
    y: Math.round(at.y + loupe.at.y * at.height),
  }
  const { radius } = loupe
  const circle = (by: number) => {
    context.beginPath()
    context.arc(middle.x, middle.y, radius + by, 0, 2 * Math.PI)
  }
  context.save()
  context.shadowColor = 'rgb(0 0 0 / 0.45)'
  context.shadowBlur = 40 * density
  context.shadowOffsetY = 12 * density
  context.fillStyle = surround
  circle(2 * density)
  context.fill()
  context.restore()
  context.fillStyle = 'rgb(0 0 0 / 0.55)'
  circle(2.5 * density)
  context.fill()
  context.fillStyle = '#ffffff'
  circle(1.5 * density)
  context.fill()
  context.save()
  circle(0)
  context.clip()
  context.fillStyle = surround
  context.fillRect(middle.x - radius, middle.y - radius, 2 * radius, 2 * radius)
  const width = scene.reference.width * loupe.scale
  const height = scene.reference.height * loupe.scale
  const large = {
    x: Math.round(middle.x - loupe.at.x * width),
    y: Math.round(middle.y - loupe.at.y * height),
    width,
    height,
  }
  const seen = { x: middle.x - radius, y: middle.y - radius, width: 2 * radius, height: 2 * radius }
  paintLayers(painting, scene, layers, large, seen, Math.round(scene.split * pane.width))
  paintCross(context, middle, density)
  context.restore()
}

function paintCross(context: CanvasRenderingContext2D, { x, y }: Point, density: number) {
  context.globalCompositeOperation = 'difference'
  context.fillStyle = '#ffffff'
  const unit = Math.max(1, Math.round(density))
  const [near, long] = [Math.round(2.5 * density), Math.round(4 * density)]
  context.fillRect(x, y - near - long, unit, long)
  context.fillRect(x, y + near, unit, long)
  context.fillRect(x - near - long, y, long, unit)
  context.fillRect(x + near, y, long, unit)
  context.globalCompositeOperation = 'source-over'
}
