import { looksLikeAddress, MAX_ADDRESS } from './address.ts'
import { streamOf } from './byte-feed.ts'
import type { Collector } from './collector.ts'
import { readList } from './read-list.ts'

/**
 * Reads text that was pasted or dropped: a list in any format a file may have, HTML of a browser, or prose, out of
 * which the addresses are taken.
 */
export async function readPastedText(text: string, shown: string, collector: Collector): Promise<void> {
  const list = isProse(text) ? addressesInProse(text).join('\n') : text
  // No file name: a pasted text has no extension that could decide anything.
  await readList(streamOf(Buffer.from(list)), { shown, folder: '', inFolder: false }, collector)
}

/** Some address stands among other words, and fewer lines begin with an address than hold one. */
function isProse(text: string): boolean {
  if (/^\s*[[{<]/.test(text) || text.includes('\t')) return false
  let begin = 0
  let hold = 0
  for (const line of text.split(/\r\n|\n|\r/)) {
    const item = line.trim().replace(/^(?:[-*•–]|\d{1,6}[.)])\s+/, '')
    if (looksLikeAddress(item)) begin++
    if (/https?:\/\//i.test(line)) hold++
  }
  return hold > 0 && begin < hold && !isTableLike(text)
}

/** An address right behind a comma, semicolon or bar is a cell of a table. */
function isTableLike(text: string): boolean {
  for (const { index } of text.matchAll(/https?:\/\//gi)) {
    if (/[,;|][ "]{0,2}$/.test(text.slice(Math.max(0, index - 3), index))) return true
  }
  return false
}

function addressesInProse(text: string): string[] {
  return [...text.matchAll(/https?:\/\/[^\s<>"'“”«»]+/gi)].map(([address]) => withoutSentence(address))
}

/** The full stop or bracket behind an address belongs to the sentence. */
function withoutSentence(address: string): string {
  if (address.length > MAX_ADDRESS) return address
  let bare = address.replace(/[.,;:!?…]+$/, '')
  for (const [open, close] of [
    ['(', ')'],
    ['[', ']'],
    ['{', '}'],
  ] as const) {
    while (bare.endsWith(close) && bare.split(close).length > bare.split(open).length) {
      bare = bare.slice(0, -1).replace(/[.,;:!?…]+$/, '')
    }
  }
  return bare
}
