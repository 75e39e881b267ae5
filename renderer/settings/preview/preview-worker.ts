import { contactShadow, type ShadowShape } from '../../../shared/matte/contact-shadow.ts'
import { estimateMatte, type Matte } from '../../../shared/matte/estimate-matte.ts'
import type { FoundItem, PreviewAnswer, PreviewRequest } from './messages.ts'

/** Finds the item in a picture and draws its shadow, beside the thread that answers the person. */

interface Scope {
  postMessage(message: PreviewAnswer, transfer: Transferable[]): void
  addEventListener(type: 'message', listener: (event: MessageEvent<PreviewRequest>) => void): void
}
const scope = self as unknown as Scope

/** Longest side that is worked on, in pixels: more than the preview shows. */
const longest = 512

let matte: Matte | undefined

scope.addEventListener('message', ({ data }) => {
  if (data.kind === 'item') void answerItem(data.id, data.source)
  else void answerShadow(data.id, data.shape)
})

async function answerItem(id: number, source: string): Promise<void> {
  matte = undefined
  // A picture that cannot be read has no preview; the place says so.
  const found = await findItem(source).catch(() => undefined)
  scope.postMessage({ kind: 'item', id, found }, found === undefined ? [] : [found.picture, found.cutOut])
}

async function findItem(source: string): Promise<FoundItem> {
  const response = await fetch(source)
  if (!response.ok) throw new Error(String(response.status))
  const whole = await createImageBitmap(await response.blob())
  const factor = Math.min(1, longest / Math.max(whole.width, whole.height))
  const [width, height] = [
    Math.max(1, Math.round(whole.width * factor)),
    Math.max(1, Math.round(whole.height * factor)),
  ]
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (context === null) throw new Error('No canvas.')
  context.drawImage(whole, 0, 0, width, height)
  const pixels = context.getImageData(0, 0, width, height)
  const picture = await createImageBitmap(pixels)
  const estimated = estimateMatte({ data: pixels.data, width, height, channels: 4 })
  for (let at = 0; at < estimated.alpha.length; at += 1) {
    pixels.data[4 * at + 3] = Math.round((pixels.data[4 * at + 3]! * estimated.alpha[at]!) / 255)
  }
  matte = estimated
  const box = estimated.doubts.length === 0 ? estimated.box : undefined
  return { picture, cutOut: await createImageBitmap(pixels), box }
}

async function answerShadow(id: number, shape: ShadowShape): Promise<void> {
  const shadow = matte === undefined ? undefined : await drawShadow(matte, shape).catch(() => undefined)
  scope.postMessage({ kind: 'shadow', id, shadow }, shadow === undefined ? [] : [shadow])
}

async function drawShadow(
  { alpha, width, height }: Matte,
  shape: ShadowShape,
): Promise<ImageBitmap | undefined> {
  const made = contactShadow(alpha, width, height, shape)
  if (made === undefined) return undefined
  const { opacity } = made
  const pixels = new ImageData(opacity.width, opacity.height)
  for (let at = 0; at < opacity.data.length; at += 1) {
    pixels.data[4 * at + 3] = Math.round(255 * Math.min(1, opacity.data[at]!))
  }
  return createImageBitmap(pixels)
}
