/** The name of a colour profile as its maker wrote it (ICC.1, tag "desc"): what a person is told a file is in. */

const longest = 80

/** @returns undefined where the profile has no name that can be read. Any bytes may come. */
export function profileName(profile: Uint8Array): string | undefined {
  const view = new DataView(profile.buffer, profile.byteOffset, profile.byteLength)
  if (view.byteLength < 132) return undefined
  const tags = Math.min(view.getUint32(128), 100)
  for (let tag = 0; tag < tags; tag += 1) {
    const at = 132 + 12 * tag
    if (at + 12 > view.byteLength) return undefined
    if (ascii(view, at, 4) !== 'desc') continue
    const start = view.getUint32(at + 4)
    const end = Math.min(start + view.getUint32(at + 8), view.byteLength)
    return start + 12 <= end ? described(view, start, end) : undefined
  }
  return undefined
}

function described(view: DataView, start: number, end: number): string | undefined {
  const type = ascii(view, start, 4)
  // Version 2: a counted ASCII text.
  if (type === 'desc')
    return tidy(ascii(view, start + 12, Math.min(view.getUint32(start + 8), end - start - 12)))
  if (type !== 'mluc' || start + 28 > end) return undefined
  // Version 4: UTF-16 in several languages, of which the first will do.
  const length = view.getUint32(start + 20)
  const from = start + view.getUint32(start + 24)
  const to = Math.min(from + length, end)
  let text = ''
  for (let at = from; at + 2 <= to && text.length < 2 * longest; at += 2) {
    text += String.fromCodePoint(view.getUint16(at))
  }
  return tidy(text)
}

function ascii(view: DataView, at: number, length: number): string {
  let text = ''
  const end = Math.min(at + length, view.byteLength, at + 2 * longest)
  for (let i = at; i < end; i += 1) text += String.fromCodePoint(view.getUint8(i))
  return text
}

function tidy(text: string): string | undefined {
  // Nothing after the first NUL belongs to it; control, format and lone surrogate characters belong to no name.
  const clean = text.replace(/\0[\s\S]*$/, '').replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
  return clean.trim().slice(0, longest) || undefined
}
