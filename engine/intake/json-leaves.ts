import { nameRank } from './columns.ts'

/** Deeper nesting is no image list's. */
export const MAX_DEPTH = 64

/** An object or array of a JSON text, as far as names matter. */
export interface Holder {
  readonly parent: Holder | undefined
  /** Whether it is one of an array's elements, so that its name is that of one article and not of everything. */
  readonly isElement: boolean
  /** The value of its best name key, with the key's rank. */
  name: string | undefined
  nameRank: number
}

/** One string (or null) of a JSON text. */
export interface Leaf {
  /** The path of keys with `*` for every array index, such as `.products.*.src`. */
  readonly pattern: string
  /** The last key of the path, '' in a plain array. */
  readonly key: string
  readonly value: string
  /** Counted from 1. */
  readonly line: number
  readonly holder: Holder
}

interface Frame {
  readonly pattern: string
  readonly holder: Holder
  readonly isArray: boolean
  key: string
  expectsKey: boolean
}

/** Thrown where the nesting is deeper than `MAX_DEPTH`. */
export class TooDeep extends Error {}

/**
 * The strings of a JSON text in the order in which they are written, with their lines, which `JSON.parse` does not
 * tell. The text must be valid JSON (let `JSON.parse` judge that first). Numbers and null only count as names or
 * as empty values.
 */
export class JsonLeaves {
  readonly leaves: Leaf[] = []
  readonly #text: string
  readonly #stack: Frame[] = []
  #at = 0
  #line: number

  constructor(text: string, firstLine = 1) {
    this.#text = text
    this.#line = firstLine
    this.#read()
  }

  #read(): void {
    const text = this.#text
    for (; this.#at < text.length; this.#at++) {
      const char = text[this.#at]!
      const frame = this.#stack.at(-1)
      if (char === '\n' || (char === '\r' && text[this.#at + 1] !== '\n')) this.#line++
      else if (char === '{' || char === '[') this.#open(char === '[', frame)
      else if (char === '}' || char === ']') this.#stack.pop()
      else if (char === ',' && frame && !frame.isArray) frame.expectsKey = true
      else if (char === ':' && frame) frame.expectsKey = false
      else if (char === '"') this.#string(frame)
      else if (/[\dntf-]/.test(char)) this.#bare(frame)
    }
  }

  #open(isArray: boolean, frame: Frame | undefined): void {
    if (this.#stack.length >= MAX_DEPTH) throw new TooDeep()
    const holder: Holder = {
      parent: frame?.holder,
      isElement: frame?.isArray ?? false,
      name: undefined,
      nameRank: Infinity,
    }
    this.#stack.push({ pattern: patternOf(frame), holder, isArray, key: '', expectsKey: !isArray })
  }

  #string(frame: Frame | undefined): void {
    const start = this.#at
    let end = this.#text.indexOf('"', start + 1)
    while (isEscaped(this.#text, end)) end = this.#text.indexOf('"', end + 1)
    const raw = this.#text.slice(start, end + 1)
    const value = raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1)
    this.#at = end
    if (frame?.expectsKey) frame.key = value
    else this.#leaf(value, frame)
  }

  /** A number, true, false or null. */
  #bare(frame: Frame | undefined): void {
    const raw = /[^\s,\]}]+/y
    raw.lastIndex = this.#at
    const value = raw.exec(this.#text)?.[0] ?? ''
    this.#at += Math.max(0, value.length - 1)
    if (value === 'null') this.#leaf('', frame)
    else if (frame && !frame.isArray) noteName(frame, value)
  }

  #leaf(value: string, frame: Frame | undefined): void {
    const holder = frame?.holder ?? {
      parent: undefined,
      isElement: false,
      name: undefined,
      nameRank: Infinity,
    }
    if (frame && !frame.isArray) noteName(frame, value)
    const key = frame && !frame.isArray ? frame.key : ''
    this.leaves.push({ pattern: patternOf(frame), key, value, line: this.#line, holder })
  }
}

function patternOf(frame: Frame | undefined): string {
  if (!frame) return ''
  return frame.isArray ? `${frame.pattern}.*` : `${frame.pattern}.${frame.key}`
}

function noteName(frame: Frame, value: string): void {
  if (value === '' || /^https?:\/\//i.test(value)) return
  const rank = nameRank(frame.key)
  if (rank === undefined || rank >= frame.holder.nameRank) return
  frame.holder.name = value
  frame.holder.nameRank = rank
}

function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0
  while (text[quote - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1
}
