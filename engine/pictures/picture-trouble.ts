import { say } from '../../shared/language/say.ts'
/** Why a picture cannot be shown; `message` is one sentence for its pane. */
export class PictureTrouble extends Error {
  override readonly name = 'PictureTrouble'
}

const sentences: readonly (readonly [RegExp, string])[] = [
  [/ENOENT|missing/i, say`The file is not there any more.`],
  [/EACCES|EPERM/, say`The file may not be read.`],
  [/pixel limit/i, say`This picture has more than 150 megapixels; larger ones are not shown.`],
  [
    /unsupported image format|bad seek|heif: |no decoding plugin/i,
    say`This file is in a format that is not shown here.`,
  ],
  [/ENOSPC/, say`There is no room on the disk for the levels of this picture.`],
  [/memory/i, say`Showing this picture would take more memory than is allowed for it.`],
]

/** Any error of the work on a picture as its sentence. What libvips says is for its developers. */
export function troubleOf(error: unknown): PictureTrouble {
  if (error instanceof PictureTrouble) return error
  const message = error instanceof Error ? error.message : String(error)
  const known = sentences.find(([pattern]) => pattern.test(message))
  return new PictureTrouble(
    known?.[1] ?? say`The file is damaged or ends early, so its picture cannot be shown.`,
  )
}
