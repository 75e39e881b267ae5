import { isUtf8 } from 'node:buffer'

import { decodeBytes } from './encoding.ts'

/** A longer line is no address list's; in bytes. */
export const MAX_LINE = 65_536

/** One line of a file, without its end. */
export interface Line {
  /** Counted from 1; CR LF, LF and CR each end one line. */
  readonly number: number
  /** Cut where the line is too long. */
  readonly text: string
  readonly tooLong: boolean
}

const LF = 10
const CR = 13

/**
 * Lines of UTF-8 or Windows-1252 bytes in batches, one batch a chunk of the stream. Memory is bounded by one chunk
 * and one line, however long the file or its lines are.
 */
export async function* readLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Line[]> {
  const splitter = new LineSplitter()
  for await (const chunk of bytes) {
    const lines = splitter.push(chunk)
    if (lines.length > 0) yield lines
  }
  const last = splitter.end()
  if (last.length > 0) yield last
}

class LineSplitter {
  #pending: Uint8Array[] = []
  #size = 0
  #overlong = false
  #number = 0
  #afterCr = false

  push(given: Uint8Array): Line[] {
    let chunk = given
    if (chunk.length === 0) return []
    if (this.#afterCr && chunk[0] === LF) chunk = chunk.subarray(1)
    this.#afterCr = false
    const end = Math.max(chunk.lastIndexOf(LF), chunk.lastIndexOf(CR)) + 1
    if (end === 0) {
      this.#keep(chunk)
      return []
    }
    this.#afterCr = chunk[chunk.length - 1] === CR
    const lines = this.#cut(chunk.subarray(0, end))
    this.#keep(chunk.subarray(end))
    return lines
  }

  end(): Line[] {
    return this.#size > 0 ? this.#cut(new Uint8Array([LF])) : []
  }

  #keep(chunk: Uint8Array): void {
    if (chunk.length === 0 || this.#overlong) return
    // A copy: the stream may use its buffer again.
    this.#pending.push(Uint8Array.from(chunk.subarray(0, MAX_LINE + 1)))
    this.#size += chunk.length
    this.#overlong = this.#size > MAX_LINE
  }

  /** `tail` ends with a line end and completes what is pending. */
  #cut(tail: Uint8Array): Line[] {
    const lines: Line[] = []
    let block = tail
    if (this.#overlong) {
      const first = tail.findIndex((byte) => byte === LF || byte === CR)
      lines.push({ number: ++this.#number, text: cutText(Buffer.concat(this.#pending)), tooLong: true })
      const crLf = tail[first] === CR && tail[first + 1] === LF
      block = tail.subarray(first + (crLf ? 2 : 1))
    } else if (this.#size > 0) block = Buffer.concat([...this.#pending, tail])
    this.#pending = []
    this.#size = 0
    this.#overlong = false
    for (const text of textLines(block)) {
      const tooLong = text.length > MAX_LINE
      lines.push({ number: ++this.#number, text: tooLong ? text.slice(0, 800) : text, tooLong })
    }
    return lines
  }
}

function cutText(bytes: Uint8Array): string {
  return decodeBytes(bytes.subarray(0, 800))
}

function textLines(block: Uint8Array): string[] {
  if (block.length === 0) return []
  if (!isUtf8(block)) return byteLines(block).map(decodeBytes)
  const text = decodeBytes(block)
  const lines = text.includes('\r') ? text.split(/\r\n|\n|\r/) : text.split('\n')
  lines.pop()
  return lines
}

/** A file may mix encodings, so that each line is decoded for itself once one of them is not UTF-8. */
function byteLines(block: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = []
  let from = 0
  for (let at = 0; at < block.length; at++) {
    if (block[at] !== LF && block[at] !== CR) continue
    lines.push(block.subarray(from, at))
    if (block[at] === CR && block[at + 1] === LF) at++
    from = at + 1
  }
  return lines
}
