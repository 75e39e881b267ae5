import type { Box } from '../../../shared/framing.ts'
import type { RetoucherSettings } from '../../../shared/settings.ts'
import type { FoundItem } from './messages.ts'
import type { PreviewScene } from './scene.ts'

/** How much of its brightness is left of what lies outside the frame. */
const dimmed = 'brightness(0.42)'
/** Side of a square of the checker, in CSS pixels, and its two greys. */
const checker = { side: 8, light: '#3a3a3a', dark: '#323232' } as const

function place(
  context: CanvasRenderingContext2D,
  picture: ImageBitmap,
  { left, top, width, height }: Box,
): void {
  context.drawImage(picture, left, top, width, height)
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

export interface PreviewLayers {
  readonly item: FoundItem
  readonly shadow: ImageBitmap | undefined
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
  const { item, shadow, settings, isFinished } = layers
  context.imageSmoothingQuality = 'high'
  context.filter = scene.isFramed ? dimmed : 'none'
  place(context, item.picture, scene.source)
  context.filter = 'none'
  const { frame } = scene
  context.save()
  context.beginPath()
  context.rect(frame.left, frame.top, frame.width, frame.height)
  context.clip()
  const mode = isFinished ? (settings.bg_mode ?? 'off') : 'off'
  if (mode === 'transparent') drawChecker(context, frame)
  if (mode === 'solid') {
    context.fillStyle = settings.bg_color ?? '#ffffff'
    context.fillRect(frame.left, frame.top, frame.width, frame.height)
    if (shadow !== undefined) place(context, shadow, scene.source)
  }
  place(context, mode === 'off' ? item.picture : item.cutOut, scene.source)
  context.restore()
}
