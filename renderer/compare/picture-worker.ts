import { differencePixels } from './difference.ts'
import type { WorkerAnswer, WorkerQuestion } from './worker-messages.ts'

/** Fetching, decoding and subtracting pictures, beside the thread that draws. */

interface Scope {
  postMessage(message: WorkerAnswer, transfer: Transferable[]): void
  addEventListener(type: 'message', listener: (event: MessageEvent<WorkerQuestion>) => void): void
}
const scope = self as unknown as Scope

const running = new Map<number, AbortController>()

/** The engine has turned the pixels to sRGB: nothing is to be converted once more. */
const asTheyAre: ImageBitmapOptions = { colorSpaceConversion: 'none', premultiplyAlpha: 'premultiply' }

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
    const whole = await bitmapOf(question.url, signal)
    return question.halves ? halved(whole) : [whole]
  }
  const [a, b] = await Promise.all([pixelsOf(question.a, signal), pixelsOf(question.b, signal)])
  if (a.width !== b.width || a.height !== b.height) throw new Error('The sizes differ.')
  const pixels = differencePixels(a.data, b.data, question.gain)
  const whole = await createImageBitmap(new ImageData(pixels, a.width, a.height), asTheyAre)
  return question.halves ? halved(whole) : [whole]
}

async function bitmapOf(url: string, signal: AbortSignal): Promise<ImageBitmap> {
  const response = await fetch(url, { signal })
  if (!response.ok) throw new Error(String(response.status))
  return createImageBitmap(await response.blob(), asTheyAre)
}

/** The bitmap and its halves: a picture that is drawn much smaller than it is would sparkle otherwise. */
async function halved(whole: ImageBitmap): Promise<ImageBitmap[]> {
  const all = [whole]
  for (let last = whole; Math.max(last.width, last.height) > 256 && all.length < 5;) {
    last = await createImageBitmap(last, {
      ...asTheyAre,
      resizeWidth: Math.max(1, Math.ceil(last.width / 2)),
      resizeHeight: Math.max(1, Math.ceil(last.height / 2)),
      resizeQuality: 'high',
    })
    all.push(last)
  }
  return all
}

async function pixelsOf(url: string, signal: AbortSignal): Promise<ImageData> {
  const bitmap = await bitmapOf(url, signal)
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
  const context = canvas.getContext('2d', { willReadFrequently: true })!
  context.drawImage(bitmap, 0, 0)
  const pixels = context.getImageData(0, 0, bitmap.width, bitmap.height)
  bitmap.close()
  return pixels
}
