import { isUtf8 } from 'node:buffer'

/** How a file's text is written. What is neither marked nor UTF-16 is UTF-8, line by line else Windows-1252. */
export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be'

/** Finds the encoding from the first bytes: a byte order mark, else where the zero bytes of UTF-16 lie. */
export function detectEncoding(head: Uint8Array): TextEncoding {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  let even = 0
  let odd = 0
  const pairs = Math.min(head.length, 4096) >> 1
  for (let pair = 0; pair < pairs; pair++) {
    if (head[pair * 2] === 0) even++
    if (head[pair * 2 + 1] === 0) odd++
  }
  if (pairs >= 2 && odd > pairs * 0.4 && even < pairs * 0.05) return 'utf-16le'
  if (pairs >= 2 && even > pairs * 0.4 && odd < pairs * 0.05) return 'utf-16be'
  return 'utf-8'
}

/** The same text as UTF-8 (or still Windows-1252) bytes, without its byte order mark; one chunk at a time. */
export async function* toUtf8(
  bytes: AsyncIterable<Uint8Array>,
  encoding: TextEncoding,
): AsyncGenerator<Uint8Array> {
  if (encoding === 'utf-8') {
    let first = true
    for await (const chunk of bytes) {
      yield first ? withoutMark(chunk) : chunk
      first = false
    }
    return
  }
  const decoder = new TextDecoder(encoding)
  for await (const chunk of bytes) yield Buffer.from(decoder.decode(chunk, { stream: true }))
  yield Buffer.from(decoder.decode())
}

function withoutMark(chunk: Uint8Array): Uint8Array {
  return chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf ? chunk.subarray(3) : chunk
}

const windows = new TextDecoder('windows-1252')

/** Text of UTF-8 bytes, or of Windows-1252 ones where they are no UTF-8. Never throws. */
export function decodeBytes(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) return windows.decode(bytes)
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}

/** Text of a whole small file or of a file's head, whatever its encoding. A cut last character is dropped. */
export function decodeHead(head: Uint8Array): string {
  const encoding = detectEncoding(head)
  if (encoding !== 'utf-8') return new TextDecoder(encoding).decode(head.subarray(0, head.length & ~1))
  const bare = withoutMark(head)
  for (let cut = 0; cut < 4 && cut < bare.length; cut++) {
    const whole = bare.subarray(0, bare.length - cut)
    if (isUtf8(whole)) return decodeBytes(whole)
  }
  return decodeBytes(bare)
}
