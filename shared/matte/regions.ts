/** Connected regions of a mask, and their outlines: the bookkeeping of the matte. */

export interface Region {
  readonly label: number
  readonly area: number
  /** How many of the four borders of the picture the region touches. */
  readonly borders: number
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

export interface Regions {
  /** 0 outside the mask, else the region's label (its place in `list` plus one). */
  readonly labels: Int32Array
  readonly list: readonly Region[]
}

/** Labels the connected regions of a mask (four neighbours, or eight with `diagonal`). */
export function connectedRegions(mask: Uint8Array, width: number, height: number, diagonal = false): Regions {
  const labels = new Int32Array(width * height)
  const queue = new Int32Array(width * height)
  const list: Region[] = []
  for (let seed = 0; seed < mask.length; seed++) {
    if (mask[seed] === 0 || labels[seed] !== 0) continue
    list.push(flooded(mask, labels, queue, width, height, seed, list.length + 1, diagonal))
  }
  return { labels, list }
}

// The arguments are the working memory of one labelling; a struct around them would only cost time per pixel.
function flooded(
  mask: Uint8Array,
  labels: Int32Array,
  queue: Int32Array,
  width: number,
  height: number,
  seed: number,
  label: number,
  diagonal: boolean,
): Region {
  let [left, top, right, bottom] = [width, height, -1, -1]
  let end = 0
  queue[end++] = seed
  labels[seed] = label
  for (let head = 0; head < end; head++) {
    const at = queue[head]!
    const x = at % width
    const y = (at - x) / width
    if (x < left) left = x
    if (x > right) right = x
    if (y < top) top = y
    if (y > bottom) bottom = y
    for (let v = y > 0 ? -1 : 0; v <= (y < height - 1 ? 1 : 0); v++) {
      for (let u = x > 0 ? -1 : 0; u <= (x < width - 1 ? 1 : 0); u++) {
        if (!diagonal && u !== 0 && v !== 0) continue
        const next = at + v * width + u
        if (mask[next] === 0 || labels[next] !== 0) continue
        labels[next] = label
        queue[end++] = next
      }
    }
  }
  const borders = +(left === 0) + +(top === 0) + +(right === width - 1) + +(bottom === height - 1)
  return { label, area: end, borders, left, top, right, bottom }
}

/** The mask grown by a square of the given radius. */
export function dilated(mask: Uint8Array, width: number, height: number, radius: number): Uint8Array {
  const across = new Uint8Array(mask.length)
  for (let y = 0; y < height; y++) {
    let until = -1
    for (let x = 0; x < Math.min(radius, width); x++) if (mask[y * width + x]) until = x + radius
    for (let x = 0; x < width; x++) {
      if (x + radius < width && mask[y * width + x + radius]) until = x + 2 * radius
      if (x <= until) across[y * width + x] = 1
    }
  }
  const out = new Uint8Array(mask.length)
  const until = new Int32Array(width).fill(-1)
  for (let y = -radius; y < height; y++) {
    const ahead = y + radius
    for (let x = 0; x < width; x++) {
      if (ahead < height && across[ahead * width + x]) until[x] = ahead + radius
      if (y >= 0 && y <= until[x]!) out[y * width + x] = 1
    }
  }
  return out
}

/** The mask shrunk by a square of the given radius; outside the picture counts as inside the mask. */
export function eroded(mask: Uint8Array, width: number, height: number, radius: number): Uint8Array {
  return inverted(dilated(inverted(mask), width, height, radius))
}

export function inverted(mask: Uint8Array): Uint8Array {
  const out = new Uint8Array(mask.length)
  for (let i = 0; i < mask.length; i++) out[i] = mask[i] ? 0 : 1
  return out
}
