import type { Subject } from './compare-records.ts'

/**
 * Addresses of pictures, relative to the page: the same in a window (own protocol) and in a browser tab. They name
 * images by number, never a path; a shell serves only files of known batches.
 */

/** Longest side of thumbnails in pixels; a shell makes no others. */
export const thumbnailSizes = [128, 256, 512] as const
export type ThumbnailSize = (typeof thumbnailSizes)[number]

/** @param which `source`, or the slug of an output. @param version of the image's record. */
export function thumbnailPath(image: number, which: string, size: ThumbnailSize, version: number): string {
  return `pictures/${image}/${encodeURIComponent(which)}/thumb-${size}?v=${version}`
}

/** The whole file of an output, as it was delivered. */
export function filePath(image: number, slug: string, version: number): string {
  return `pictures/${image}/${encodeURIComponent(slug)}/file?v=${version}`
}

/** A thumbnail of a run's first output, for runs that no image has claimed (review, history). */
export function runThumbnailPath(runId: string, size: ThumbnailSize): string {
  return `pictures/run/${encodeURIComponent(runId)}/thumb-${size}`
}

/** Names an output of another image of the same picture, where presets are compared. */
export function outputOf(image: number, slug: string): string {
  return `@${image}.${slug}`
}

/** What such a name means; undefined for others. */
export function namedOutput(which: string): { readonly image: number; readonly slug: string } | undefined {
  const [, image, slug] = /^@(\d{1,15})\.(.+)$/s.exec(which) ?? []
  return image === undefined || slug === undefined ? undefined : { image: Number(image), slug }
}

/** @param which `source`, or the slug of an output. */
function viewFolder(of: Subject, which: string): string {
  // The picture has one address, in whatever company it is looked at.
  const named = 'image' in of && of.presets ? namedOutput(which) : undefined
  if (named) return viewFolder({ image: named.image }, named.slug)
  const subject = 'run' in of ? `run/${encodeURIComponent(of.run)}` : String(of.image)
  return `pictures/${subject}/${encodeURIComponent(which)}`
}

/** The level that is drawn first, a PNG. There once `compare.look` has answered. */
export function quickPath(of: Subject, which: string, stamp: string): string {
  return `${viewFolder(of, which)}/quick?v=${stamp}`
}

/** A tile of 512 pixels (less at the right and lower edge), a PNG. There once `compare.tiles` has answered. */
export function tilePath(
  of: Subject,
  which: string,
  stamp: string,
  level: number,
  x: number,
  y: number,
): string {
  return `${viewFolder(of, which)}/tile-${level}-${x}-${y}?v=${stamp}`
}

/** The whole file behind a picture of a comparison: an output, a file of the history, a fetched source. */
export function wholePath(of: Subject, which: string, stamp: string): string {
  return `${viewFolder(of, which)}/whole?v=${stamp}`
}

/**
 * What a live preview is drawn from; there once `preview.item` has answered. `picture`: the source, made smaller, a PNG;
 * `cut-out`: the item in it, of the same size, whose 8-bit alpha is the matte; `ground`: the paper behind it, tiny.
 */
export const previewLayers = ['picture', 'cut-out', 'ground'] as const
export type PreviewLayer = (typeof previewLayers)[number]

export function previewPath(image: number, layer: PreviewLayer, stamp: string): string {
  return `pictures/${image}/source/preview-${layer}?v=${stamp}`
}
