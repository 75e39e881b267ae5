import { decodeEntities } from './html-links.ts'

/** What a shortcut leads to, or why it leads nowhere. */
export type ShortcutTarget =
  | { readonly url: string; readonly line?: number }
  | { readonly reason: 'no-address' | 'program' | 'other-list' | 'damaged' | 'too-large' }

/** A Windows Internet shortcut (`.url`). */
export function readInternetShortcut(text: string): ShortcutTarget {
  return readKey(text, /^internetshortcut$/i, /^url$/i) ?? { reason: 'no-address' }
}

/** A freedesktop link (`.desktop` with Type=Link). */
export function readDesktopEntry(text: string): ShortcutTarget {
  // KDE writes "URL[$e]" for an address in which variables would be replaced.
  const found = readKey(text, /^desktop entry$/i, /^url(?:\[\$e\])?$/i)
  return found ?? { reason: 'program' }
}

function readKey(text: string, section: RegExp, key: RegExp): ShortcutTarget | undefined {
  let inside = false
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    const header = /^\s*\[(.*)\]\s*$/.exec(line)
    if (header) {
      inside = section.test(header[1]?.trim() ?? '')
      continue
    }
    const equals = line.indexOf('=')
    if (!inside || equals < 0 || !key.test(line.slice(0, equals).trim())) continue
    const url = line
      .slice(equals + 1)
      .trim()
      .replace(/^"(.*)"$/, '$1')
    if (url !== '') return { url, line: index + 1 }
  }
  return undefined
}

/** A macOS web location in XML. */
export function readXmlWebloc(text: string): ShortcutTarget {
  const bare = withoutComments(text)
  const found = /<key>\s*URL\s*<\/key>\s*<string>([^]*?)<\/string>/.exec(bare)?.[1]
  if (found === undefined) return { reason: 'other-list' }
  const cdata = /^\s*<!\[CDATA\[([^]*?)\]\]>\s*$/.exec(found)
  return { url: (cdata?.[1] ?? decodeEntities(found)).trim() }
}

function withoutComments(xml: string): string {
  const parts = xml.split('<!--')
  return parts.map((part, index) => (index === 0 ? part : part.slice(part.indexOf('-->') + 3))).join('')
}

/**
 * A macOS web location in the binary form. Only the strings of the outermost dictionary are read: a general reader
 * follows references, and a crafted file of a few hundred bytes can make it do so without end.
 */
export function readBinaryWebloc(bytes: Uint8Array): ShortcutTarget {
  const damaged: ShortcutTarget = { reason: 'damaged' }
  try {
    return new BinaryPlist(bytes).topString('URL') ?? { reason: 'other-list' }
  } catch (error) {
    if (error instanceof RangeError) return damaged
    throw error
  }
}

class BinaryPlist {
  readonly #bytes: Buffer
  readonly #offsetSize: number
  readonly #refSize: number
  readonly #table: number

  /** Reads the trailer, the last 32 bytes. Every read past the end throws a RangeError. */
  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const trailer = bytes.length - 32
    this.#offsetSize = this.#bytes.readUInt8(trailer + 6)
    this.#refSize = this.#bytes.readUInt8(trailer + 7)
    this.#table = this.#uint(trailer + 24, 8)
  }

  topString(wanted: string): ShortcutTarget | undefined {
    const top = this.#object(this.#uint(this.#bytes.length - 16, 8))
    if (top.type !== 0xd) return undefined
    for (let pair = 0; pair < Math.min(top.count, 1000); pair++) {
      const key = this.#stringAt(top.at + pair * this.#refSize)
      if (key !== wanted) continue
      const url = this.#stringAt(top.at + (top.count + pair) * this.#refSize)
      return url === undefined ? undefined : { url }
    }
    return undefined
  }

  #stringAt(reference: number): string | undefined {
    const { type, count, at } = this.#object(this.#uint(reference, this.#refSize))
    const size = type === 6 ? count * 2 : count
    if (at + size > this.#bytes.length) throw new RangeError('past the end')
    const raw = this.#bytes.subarray(at, at + size)
    if (type === 5) return raw.toString('latin1')
    return type === 6 ? new TextDecoder('utf-16be').decode(raw) : undefined
  }

  #object(index: number): { type: number; count: number; at: number } {
    const offset = this.#uint(this.#table + index * this.#offsetSize, this.#offsetSize)
    const marker = this.#bytes.readUInt8(offset)
    const [type, low] = [marker >> 4, marker & 15]
    if (low < 15) return { type, count: low, at: offset + 1 }
    const size = 1 << (this.#bytes.readUInt8(offset + 1) & 15)
    return { type, count: this.#uint(offset + 2, size), at: offset + 2 + size }
  }

  #uint(at: number, size: number): number {
    if (size < 1 || size > 8) throw new RangeError('no such integer')
    if (size < 7) return this.#bytes.readUIntBE(at, size)
    return Number(this.#bytes.readBigUInt64BE(at + size - 8))
  }
}
