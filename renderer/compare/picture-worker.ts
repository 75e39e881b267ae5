import { differencePixels } from './difference.ts'
import type { Gamut, Space, WorkerAnswer, WorkerQuestion } from './worker-messages.ts'

/** Fetching, decoding and subtracting pictures, beside the thread that draws. */

interface Scope {
  postMessage(message: WorkerAnswer, transfer: Transferable[]): void
  addEventListener(type: 'message', listener: (event: MessageEvent<WorkerQuestion>) => void): void
}
const scope = self as unknown as Scope

const running = new Map<number, AbortController>()

/** Pixels in sRGB say nothing of it: nothing is to be converted. */
const asTheyAre: ImageBitmapOptions = { colorSpaceConversion: 'none', premultiplyAlpha: 'premultiply' }
/** Pixels in Display P3 have its profile with them, which the browser keeps. */
const asTheySay: ImageBitmapOptions = { colorSpaceConversion: 'default', premultiplyAlpha: 'premultiply' }
const spaceOf = (gamut: Gamut): Space => (gamut === 'p3' ? 'display-p3' : 'srgb')

scope.addEventListener('message', ({ data }) => {
  if (data.kind === 'stop') running.get(data.id)?.abort()
  else void answer(data)
})

async function answer(question: Exclude<WorkerQuestion, { kind: 'stop' }>): Promise<void> {
  const abort = new AbortController()
  running.set(question.id, abort)
  try {
    const bitmaps = await made(question, abort.signal)
    scope.postMessage({ id: question.id, bitmaps }, bitmaps)
  } catch {
    // Whatever was wrong: the pane stays at the level before, and the next look asks again.
    scope.postMessage({ id: question.id, bitmaps: null }, [])
  } finally {
    running.delete(question.id)
  }
}

async function made(question: Exclude<WorkerQuestion, { kind: 'stop' }>, signal: AbortSignal) {
  if (question.kind === 'load') {
    const own = await bitmapOf(question.url, question.gamut, signal)
    const whole = spaceOf(question.gamut) === question.space ? own : converted(own, question.space)
    return question.halves ? halved(whole) : [whole]
  }
  const [a, b] = await Promise.all([
    pixelsOf(question.a, question, signal),
    pixelsOf(question.b, question, signal),
  ])
  if (a.width !== b.width || a.height !== b.height) throw new Error('The sizes differ.')
  const pixels = differencePixels(a.data, b.data, question.gain)
  const whole = await createImageBitmap(grey(pixels, a, question.space), asTheySay)
  return question.halves ? halved(whole) : [whole]
}

async function bitmapOf(url: string, gamut: Gamut, signal: AbortSignal): Promise<ImageBitmap> {
  const response = await fetch(url, { signal })
  if (!response.ok) throw new Error(String(response.status))
  return createImageBitmap(await response.blob(), gamut === 'p3' ? asTheySay : asTheyAre)
}

/** The bitmap and its halves: a picture that is drawn much smaller than it is would sparkle otherwise. */
async function halved(whole: ImageBitmap): Promise<ImageBitmap[]> {
  const all = [whole]
  for (let last = whole; Math.max(last.width, last.height) > 256 && all.length < 5;) {
    last = await createImageBitmap(last, {
      ...asTheySay,
      resizeWidth: Math.max(1, Math.ceil(last.width / 2)),
      resizeHeight: Math.max(1, Math.ceil(last.height / 2)),
      resizeQuality: 'high',
    })
    all.push(last)
  }
  return all
}

/** In the colours of the canvas once and for all, so that no frame has to convert it. */
function converted(bitmap: ImageBitmap, colorSpace: Space): ImageBitmap {
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
  canvas.getContext('2d', { colorSpace })!.drawImage(bitmap, 0, 0)
  bitmap.close()
  return canvas.transferToImageBitmap()
}

/** Grey has the same numbers in both. */
function grey(pixels: Uint8ClampedArray<ArrayBuffer>, { width, height }: ImageData, colorSpace: Space) {
  return new ImageData(pixels, width, height, { colorSpace })
}

/** @param about the gamut is that in which two pictures are subtracted, and may be less than what they have. */
async function pixelsOf(
  url: string,
  { gamut }: { readonly gamut: Gamut },
  signal: AbortSignal,
): Promise<ImageData> {
  // A picture in sRGB has no profile, and comes out the same in either way.
  const bitmap = await bitmapOf(url, 'p3', signal)
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
  const context = canvas.getContext('2d', { willReadFrequently: true, colorSpace: spaceOf(gamut) })!
  context.drawImage(bitmap, 0, 0)
  const pixels = context.getImageData(0, 0, bitmap.width, bitmap.height)
  bitmap.close()
  return pixels
}
