import type { Box } from '../../../shared/framing.ts'
import { contactShadow, type ShadowShape } from '../../../shared/matte/contact-shadow.ts'
import { levelFor, type PreviewPicture } from './preview-picture.ts'

/** A shadow that can be drawn: black, as opaque as it is dark. */
export interface DrawnShadow {
  readonly canvas: OffscreenCanvas
  /** Where it lies, in pixels of the source. */
  readonly at: Box
}

/** Pixels of the item's longer side: while a slider moves, and once it rests. */
const drafted = 128
const finished = 288
/** Room around the item for the widest and lowest shadow, in parts of its longer side. */
const room = 0.5

/** The matte of the item and some room around it, at a size at which its shadow is made in a few milliseconds. */
interface SmallMatte {
  readonly alpha: Uint8Array
  readonly width: number
  readonly height: number
  readonly at: Box
}

/** Makes the contact shadow of one picture's item, by the function that the practice service uses. */
export class ItemShadow {
  readonly #picture: PreviewPicture
  readonly #mattes = new Map<number, SmallMatte | undefined>()
  #made:
    | { readonly key: string; readonly isFine: boolean; readonly shadow: DrawnShadow | undefined }
    | undefined

  constructor(picture: PreviewPicture) {
    this.#picture = picture
  }

  /** @param isFine whether there is time for the finer one. */
  draw(shape: ShadowShape, isFine: boolean): DrawnShadow | undefined {
    const key = JSON.stringify(shape)
    const made = this.#made
    if (made?.key === key && (made.isFine || !isFine)) return made.shadow
    const shadow = this.#make(shape, isFine ? finished : drafted)
    this.#made = { key, isFine, shadow }
    return shadow
  }

  #make(shape: ShadowShape, longer: number): DrawnShadow | undefined {
    const matte = this.#matte(longer)
    const made = matte && contactShadow(matte.alpha, matte.width, matte.height, shape)
    if (!matte || !made) return undefined
    const { data, width, height } = made.opacity
    const pixels = new ImageData(width, height)
    for (let i = 0; i < data.length; i += 1) pixels.data[4 * i + 3] = Math.round(255 * Math.min(1, data[i]!))
    const canvas = new OffscreenCanvas(width, height)
    canvas.getContext('2d')?.putImageData(pixels, 0, 0)
    return { canvas, at: matte.at }
  }

  #matte(longer: number): SmallMatte | undefined {
    if (!this.#mattes.has(longer)) this.#mattes.set(longer, this.#reduced(longer))
    return this.#mattes.get(longer)
  }

  #reduced(longer: number): SmallMatte | undefined {
    const { box, source, cutOut } = this.#picture
    if (!box) return undefined
    const side = Math.max(box.width, box.height)
    const scale = longer / side
    const width = Math.ceil((box.width + 2 * room * side) * scale)
    const height = Math.ceil((box.height + 2 * room * side) * scale)
    const at = {
      left: box.left - room * side,
      top: box.top - room * side,
      width: width / scale,
      height: height / scale,
    }
    const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })
    if (!context) return undefined
    context.imageSmoothingQuality = 'high'
    const across = source.width * scale
    context.drawImage(
      levelFor(cutOut, across),
      -at.left * scale,
      -at.top * scale,
      across,
      source.height * scale,
    )
    const { data } = context.getImageData(0, 0, width, height)
    return {
      alpha: Uint8Array.from({ length: width * height }, (_, i) => data[4 * i + 3]!),
      width,
      height,
      at,
    }
  }
}
