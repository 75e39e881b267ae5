import type { Box } from '../../../shared/framing.ts'
import type { ShadowShape } from '../../../shared/matte/contact-shadow.ts'
import type { RetoucherSettings } from '../../../shared/settings.ts'
import type { DrawnShadow } from './item-shadow.ts'
import { levelFor, type Levels, type PreviewPicture } from './preview-picture.ts'
import type { PreviewScene } from './scene.ts'

/** How much is taken of the brightness of what lies outside the frame. */
const dimming = 'rgb(0 0 0 / 0.58)'
/** Side of a square of the checker, in CSS pixels, and its two greys. */
const checker = { side: 8, light: '#3a3a3a', dark: '#323232' } as const

/** The shadow that the settings ask for; the account's own values are not known, so the documented ones are drawn. */
export function shadowShape(settings: RetoucherSettings): ShadowShape | undefined {
  if (settings.bg_mode !== 'solid' || settings.bg_shadow !== true) return undefined
  return {
    intensity: settings.shadow_intensity ?? 1,
    size: settings.shadow_size ?? 1,
    softness: settings.shadow_softness ?? 1,
    distance: settings.shadow_distance ?? 0,
  }
}

function place(context: CanvasRenderingContext2D, layer: Levels, { left, top, width, height }: Box): void {
  const level = levelFor(layer, width * context.getTransform().a)
  context.drawImage(level, left, top, width, height)
}

function drawChecker(context: CanvasRenderingContext2D, { left, top, width, height }: Box): void {
  context.fillStyle = checker.dark
  context.fillRect(left, top, width, height)
  context.fillStyle = checker.light
  const { side } = checker
  for (let row = 0; row * side < height; row += 1) {
    for (let column = row % 2; column * side < width; column += 2) {
      context.fillRect(left + column * side, top + row * side, side, side)
    }
  }
}

/** The paper of the source's border, continued to the ends of the frame. */
function extendGround(
  context: CanvasRenderingContext2D,
  picture: PreviewPicture,
  source: Box,
  frame: Box,
): void {
  const { ground } = picture
  const right = source.left + source.width
  const bottom = source.top + source.height
  const columns = [
    { from: 0, width: 1, left: frame.left, to: source.left },
    { from: 0, width: ground.width, left: source.left, to: right },
    { from: ground.width - 1, width: 1, left: right, to: frame.left + frame.width },
  ]
  const rows = [
    { from: 0, height: 1, top: frame.top, to: source.top },
    { from: 0, height: ground.height, top: source.top, to: bottom },
    { from: ground.height - 1, height: 1, top: bottom, to: frame.top + frame.height },
  ]
  for (const { from: x, width, left, to } of columns) {
    for (const { from: y, height, top, to: end } of rows) {
      // A hair wider, so that no seam shows between two parts.
      if (to > left && end > top) {
        context.drawImage(ground, x, y, width, height, left - 0.5, top - 0.5, to - left + 1, end - top + 1)
      }
    }
  }
}

export interface PreviewLayers {
  readonly picture: PreviewPicture
  readonly shadow: DrawnShadow | undefined
  readonly settings: RetoucherSettings
  /** With the background and shadow of the settings; else as the source is. */
  readonly isFinished: boolean
}

/** Draws the source dimmed and, within the frame, what the settings would make of it. */
export function drawPreview(
  context: CanvasRenderingContext2D,
  scene: PreviewScene,
  layers: PreviewLayers,
): void {
  const { picture, shadow, settings, isFinished } = layers
  const { frame, source, scale } = scene
  context.imageSmoothingQuality = 'high'
  if (scene.isFramed) {
    place(context, picture.picture, source)
    context.fillStyle = dimming
    context.fillRect(source.left, source.top, source.width, source.height)
  }
  context.save()
  context.beginPath()
  context.rect(frame.left, frame.top, frame.width, frame.height)
  context.clip()
  const mode = isFinished ? (settings.bg_mode ?? 'off') : 'off'
  if (mode === 'transparent') drawChecker(context, frame)
  if (mode === 'off' && scene.isFramed) extendGround(context, picture, source, frame)
  if (mode === 'solid') {
    context.fillStyle = settings.bg_color ?? '#ffffff'
    context.fillRect(frame.left, frame.top, frame.width, frame.height)
    if (shadow) {
      const { canvas, at } = shadow
      const [left, top] = [source.left + at.left * scale, source.top + at.top * scale]
      context.drawImage(canvas, left, top, at.width * scale, at.height * scale)
    }
  }
  place(context, mode === 'off' ? picture.picture : picture.cutOut, source)
  context.restore()
}
