import { settingRules } from '../shared/settings.ts'

/** The 4.7 key that a person most likely meant: `bg_colour`, `bgcolor`, `debandig`; undefined where none is near. */
export function nearestSetting(key: string): string | undefined {
  const wanted = plain(key)
  let nearest: { readonly key: string; readonly distance: number } | undefined
  for (const rule of settingRules) {
    const known = plain(rule.key)
    // Whole syllables more or less make another word: an app of its own may well take `shadow` or `color`.
    if (Math.abs(wanted.length - known.length) > 1) continue
    const distance = editDistance(wanted, known)
    if (distance > allowed(known.length)) continue
    if (!nearest || distance < nearest.distance) nearest = { key: rule.key, distance }
  }
  return nearest?.key
}

const plain = (key: string) =>
  key
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace('colour', 'color')
    .replace('background', 'bg')

/** Slips that a word of this length may hold and still be meant. */
const allowed = (length: number) => (length < 8 ? 1 : 2)

/** Insertions, deletions, replacements and swaps of neighbours that turn one word into the other. */
export function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 4) return 5
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1]
      let cost = Math.min(current[column - 1]! + 1, last[column]! + 1, last[column - 1]! + (same ? 0 : 1))
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (swapped) cost = Math.min(cost, beforeLast[column - 2]! + 1)
      current.push(cost)
    }
    beforeLast = last
    last = current
  }
  return last[b.length]!
}
