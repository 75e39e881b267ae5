import { presetTitle } from '../../shared/presets.ts'
import { thumbnailPath, thumbnailSizes, type ThumbnailSize } from '../../shared/contract/pictures.ts'
import type { ImageRecord } from '../../shared/contract/records.ts'
import { duration, figure, plural, range } from '../app/format.ts'
import { lookOf, lookWords, type ItemLook } from '../ui/item-look.ts'
import { t } from '../../shared/language/text.ts'

export function lookOfImage(image: ImageRecord): ItemLook {
  return lookOf(image.state, image.serviceStatus === 'IN_PROGRESS')
}

/** Whether it moves by itself: then its time is shown running. */
export function isActive(image: ImageRecord): boolean {
  return image.state === 'submitting' || image.state === 'running' || image.state === 'downloading'
}

/** How far the step under way is: real bytes for a download, the median for a run, which holds at 90 %. */
export function progressOf(image: ImageRecord, now: number, median: number | null): number {
  if (image.state === 'downloading') {
    const { bytes } = image
    return bytes?.total == null || bytes.total === 0 ? 0.3 : Math.min(1, bytes.done / bytes.total)
  }
  if (image.serviceStatus === 'IN_PROGRESS' && image.since !== null && median !== null && median > 0) {
    return Math.min(0.9, Math.max(0.05, (now - image.since) / median))
  }
  return 0.5
}

/** The smallest thumbnail that is sharp in a box of `pixels` (CSS) on a screen of this density. */
export function sizeFor(pixels: number, density: number): ThumbnailSize {
  return thumbnailSizes.find((size) => size >= pixels * Math.min(2, density)) ?? 512
}

/** Its result where there is one, else its source. */
export function pictureOf(image: ImageRecord, size: ThumbnailSize): string {
  return thumbnailPath(image.id, image.outputs[0]?.slug ?? 'source', size, image.version)
}

/** "TIF", for a picture that cannot be shown. */
export function formatName(title: string): string {
  const ending = /\.([a-z0-9]{2,5})$/i.exec(title)?.[1]
  return ending === undefined ? t`Picture` : ending.toUpperCase()
}

/** Credits as charged; an estimate while it is under way; undefined where there is nothing to say. */
export function creditsOf(image: ImageRecord): string | undefined {
  if (image.credits !== null) return figure(image.credits)
  if (image.state === 'review')
    return image.estimate === null ? undefined : t`0 or ${figure(image.estimate.max)}`
  return isActive(image) && image.estimate !== null ? range(image.estimate) : undefined
}

const markWords = { 'keep-1': t`kept De-Banded`, 'keep-2': t`kept Original`, reject: t`rejected` } as const

/** "R1201-front.tif, Done, 6 credits, 24 s, kept De-Banded": what a reader of the screen hears of a row. */
export function nameOf(image: ImageRecord): string {
  const parts = [
    image.title,
    // What several presets made of one picture has one name.
    image.picture !== null && image.preset !== null && presetTitle(image.preset),
    image.state === 'failed' && image.reason !== null
      ? t`Failed, ${image.reason}`
      : lookWords[lookOfImage(image)],
    image.credits !== null && plural(image.credits, 'credit'),
    image.took !== null && duration(image.took),
    image.mark !== null && markWords[image.mark],
  ]
  return parts.filter((part) => part !== false).join(', ')
}
