import type { Box, Size } from '../../../shared/framing.ts'
import type { PreviewItem } from '../../../shared/contract/preview-records.ts'
import { previewLayers, previewPath } from '../../../shared/contract/pictures.ts'

/** A layer as it can be drawn, in several sizes: the next larger one is drawn, so that fine edges stay fine. */
export type Levels = readonly [CanvasImageSource & Size, ...(CanvasImageSource & Size)[]]

/** What a live preview is drawn from. */
export interface PreviewPicture {
  /** Pixels of the source: boxes and frames are in these. */
  readonly source: Size
  /** The item's box in whole pixels; undefined where nothing was found. */
  readonly box: Box | undefined
  /** False where the frame cannot be foretold. */
  readonly isSure: boolean
  /** True where the matte is that of a real result. */
  readonly isFromCutOut: boolean
  readonly picture: Levels
  /** The item alone; its alpha is the matte. */
  readonly cutOut: Levels
  /** The paper behind it, tiny: what goes on beyond the picture's border. */
  readonly ground: CanvasImageSource & Size
  /** Changes with the pixels. */
  readonly stamp: string
}

type Found = Extract<PreviewItem, { kind: 'item' }>

/** A box in whole pixels: the nearest edges. */
function wholeBox(box: Box): Box {
  const left = Math.round(box.left)
  const top = Math.round(box.top)
  return {
    left,
    top,
    width: Math.max(1, Math.round(box.left + box.width) - left),
    height: Math.max(1, Math.round(box.top + box.height) - top),
  }
}

/** Fetches the layers of an item. @throws Error where one cannot be had */
export async function loadPreview(image: number, item: Found, signal: AbortSignal): Promise<PreviewPicture> {
  const layers = previewLayers.map(async (layer) => {
    const response = await fetch(previewPath(image, layer, item.stamp), { signal })
    if (!response.ok) throw new Error(String(response.status))
    return createImageBitmap(await response.blob())
  })
  const [picture, cutOut, ground] = await Promise.all(layers)
  if (!picture || !cutOut || !ground) throw new Error('A layer is missing.')
  return {
    source: item.source,
    box: item.box === null ? undefined : wholeBox(item.box),
    isSure: item.box !== null && item.doubts.length === 0,
    isFromCutOut: item.origin === 'cut-out',
    picture: levelsOf(picture),
    cutOut: levelsOf(cutOut),
    ground,
    stamp: item.stamp,
  }
}

/** Longest side, in pixels, below which a layer need not be kept smaller. */
const smallest = 160

/** A layer and its halves: each made from the one before, where all pixels count. */
export function levelsOf(whole: CanvasImageSource & Size): Levels {
  const levels: [CanvasImageSource & Size, ...(CanvasImageSource & Size)[]] = [whole]
  for (let last = whole; Math.max(last.width, last.height) / 2 >= smallest;) {
    const half = new OffscreenCanvas(Math.ceil(last.width / 2), Math.ceil(last.height / 2))
    const context = half.getContext('2d')
    if (context === null) break
    context.imageSmoothingQuality = 'high'
    context.drawImage(last, 0, 0, half.width, half.height)
    levels.push(half)
    last = half
  }
  return levels
}

/** The smallest level that has a pixel for each that is drawn. @param width in pixels of the screen */
export function levelFor(levels: Levels, width: number): CanvasImageSource & Size {
  return levels.findLast((level) => level.width >= width) ?? levels[0]
}
