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
