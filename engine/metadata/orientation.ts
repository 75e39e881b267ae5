/** How a picture lies in its file: pixels as stored, and the EXIF orientation (1 to 8), if any. */
export interface Lie {
  readonly width: number
  readonly height: number
  readonly orientation: number | undefined
}

/** Shapes closer to each other than this (as a ratio of ratios) tell nothing. */
const sameShape = 1.05

/**
 * The orientation that an output needs, or undefined where it is to stay as it came. An output with an orientation of
 * its own keeps it. Without one its pixels count as upright, except where its shape proves that they are not: the source
 * is turned by a quarter (5 to 8), and the output has the shape of the source as stored, not as seen.
 */
export function orientationFor(source: Lie, output: Lie): number | undefined {
  const { orientation = 1 } = source
  if (output.orientation !== undefined || orientation < 5 || orientation > 8) return undefined
  const stored = apart(shape(output), shape(source))
  const seen = apart(shape(output), 1 / shape(source))
  return stored * sameShape < seen ? orientation : undefined
}

function shape({ width, height }: Lie): number {
  return width / height
}

/** How far two ratios are apart; 1 where they are the same. */
function apart(a: number, b: number): number {
  return a > b ? a / b : b / a
}
