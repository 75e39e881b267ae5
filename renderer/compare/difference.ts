/**
 * |A − B| × gain of two pieces of RGBA pixels of one size, as opaque grey: the channel that differs most. Colours count
 * weighted with their opacity, and so does a change of the opacity alone.
 */
export function differencePixels(
  a: Uint8ClampedArray,
  b: Uint8ClampedArray,
  gain: number,
): Uint8ClampedArray<ArrayBuffer> {
  const out = new Uint8ClampedArray(a.length)
  for (let i = 0; i < a.length; i += 4) {
    const alphaA = a[i + 3]!
    const alphaB = b[i + 3]!
    const opaque = alphaA === 255 && alphaB === 255
    let most = Math.abs(alphaA - alphaB)
    for (let k = i; k < i + 3; k += 1) {
      const apart = opaque ? Math.abs(a[k]! - b[k]!) : Math.abs(a[k]! * alphaA - b[k]! * alphaB) / 255
      if (apart > most) most = apart
    }
    out.fill(most * gain, i, i + 3)
    out[i + 3] = 255
  }
  return out
}
