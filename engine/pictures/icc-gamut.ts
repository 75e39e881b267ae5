/**
 * Whether a colour profile is sRGB in all but its name (ICC.1: colorants "rXYZ" and so on, curves "rTRC" and so on).
 * The numbers of such a file are taken as they are: a conversion could only move them.
 */

const colorants = {
  r: [0.43607, 0.22249, 0.01392],
  g: [0.38515, 0.71687, 0.09708],
  b: [0.14307, 0.06061, 0.7141],
} as const
/** How far a colorant may be off, and the light at a place of a curve. */
const near = { colorant: 0.002, light: 0.004 } as const
const places = [0.05, 0.2, 0.5, 0.8] as const

/** @returns false where it is another one, or cannot be read. Any bytes may come. */
export function isSrgb(profile: Uint8Array): boolean {
  try {
    return looksLikeSrgb(new DataView(profile.buffer, profile.byteOffset, profile.byteLength))
  } catch (error) {
    // It ends before it says what it has.
    if (error instanceof RangeError) return false
    throw error
  }
}

function looksLikeSrgb(view: DataView): boolean {
  const tags = tagsOf(view)
  // A table of colours rules over colorants and curves.
  if (tags.has('A2B0')) return false
  return (['r', 'g', 'b'] as const).every((channel) => {
    const [colour, curve] = [tags.get(`${channel}XYZ`), tags.get(`${channel}TRC`)]
    if (colour === undefined || curve === undefined) return false
    const isColour = colorants[channel].every(
      (wanted, i) => Math.abs(fixed(view, colour + 8 + 4 * i) - wanted) <= near.colorant,
    )
    return isColour && places.every((at) => Math.abs(lightAt(view, curve, at) - srgbLight(at)) <= near.light)
  })
}

function tagsOf(view: DataView): Map<string, number> {
  const tags = new Map<string, number>()
  const count = Math.min(view.getUint32(128), 100)
  for (let i = 0; i < count; i += 1) {
    tags.set(name(view, 132 + 12 * i), view.getUint32(136 + 12 * i))
  }
  return tags
}

function name(view: DataView, at: number): string {
  return String.fromCodePoint(...[0, 1, 2, 3].map((i) => view.getUint8(at + i)))
}

const fixed = (view: DataView, at: number) => view.getInt32(at) / 65_536

/** Light, 0 to 1, of a coded value, 0 to 1; not a number for a curve of an unknown kind. */
function lightAt(view: DataView, curve: number, value: number): number {
  const kind = name(view, curve)
  if (kind === 'para') return parametric(view, curve, value)
  if (kind !== 'curv') return Number.NaN
  const count = view.getUint32(curve + 8)
  if (count === 0) return value
  if (count === 1) return value ** (view.getUint16(curve + 12) / 256)
  const at = value * (count - 1)
  const below = Math.min(Math.floor(at), count - 2)
  const entry = (index: number) => view.getUint16(curve + 12 + 2 * index) / 65_535
  return entry(below) + (at - below) * (entry(below + 1) - entry(below))
}

function parametric(view: DataView, curve: number, value: number): number {
  const kind = view.getUint16(curve + 8)
  const parameters = [1, 3, 4, 5, 7][kind] ?? 0
  const [g = 1, a = 1, b = 0, c = 0, d = 0, e = 0, f = 0] = Array.from({ length: parameters }, (_, i) =>
    fixed(view, curve + 12 + 4 * i),
  )
  if (kind === 0) return value ** g
  if (kind === 1) return value >= -b / a ? (a * value + b) ** g : 0
  if (kind === 2) return value >= -b / a ? (a * value + b) ** g + c : c
  if (kind === 3) return value >= d ? (a * value + b) ** g : c * value
  return kind === 4 ? (value >= d ? (a * value + b) ** g + e : c * value + f) : Number.NaN
}

function srgbLight(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}
