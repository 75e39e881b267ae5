import { decodeHead, detectEncoding } from './encoding.ts'
import { extensionOf } from './file-kinds.ts'
import { isHtml } from './html-links.ts'
import { pictureKind } from './picture-magic.ts'

/** What a file is, judged by its first bytes. */
export type FileKind =
  | 'empty'
  | 'picture'
  | 'binary'
  | 'rich-text'
  | 'html'
  | 'internet-shortcut'
  | 'desktop-entry'
  | 'xml-webloc'
  | 'binary-webloc'
  | 'json'
  | 'json-lines'
  | 'own-manifest'
  | 'text'

/** So many first bytes are looked at. */
export const HEAD_SIZE = 65_536

/** Judges a file by its first bytes; the name settles only what those leave open. */
export function sniff(head: Uint8Array, name: string): FileKind {
  if (head.length === 0) return 'empty'
  if (pictureKind(head)) return 'picture'
  if (Buffer.from(head.subarray(0, 6)).toString('latin1') === 'bplist') return 'binary-webloc'
  const text = decodeHead(head)
  if (isBinary(head, text)) return 'binary'
  const start = text.slice(0, 4096).trimStart()
  if (start === '' && text.trim() === '') return 'empty'
  if (start.startsWith('{\\rtf') || start.startsWith('%PDF-'))
    return start.startsWith('%') ? 'binary' : 'rich-text'
  if (/^(?:<\?xml[^>]*>\s*)?(?:<!--[^]*?-->\s*)*(?:<!DOCTYPE plist|<plist)/i.test(start)) return 'xml-webloc'
  if (/^[ \t]*\[InternetShortcut(?:\.\w)?\][ \t]*\r?$/im.test(text)) return 'internet-shortcut'
  if (/^[ \t]*\[Desktop Entry\][ \t]*\r?$/im.test(text)) return 'desktop-entry'
  if (isHtml(start)) return 'html'
  return jsonKind(start, text, name) ?? 'text'
}

function jsonKind(start: string, text: string, name: string): FileKind | undefined {
  const extension = extensionOf(name)
  const jsonLines = extension === 'jsonl' || extension === 'ndjson'
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '')
  const first = lines[0] ?? ''
  const firstIsWhole = /^\s*[[{"]/.test(first) && isJson(first)
  if (firstIsWhole && /"source":/.test(first) && /"runId":/.test(first) && /"outputs":/.test(first))
    return 'own-manifest'
  if (jsonLines) return 'json-lines'
  if (!/^[[{"]/.test(start)) return extension === 'json' ? 'json' : undefined
  // A quoted address a line is a text list; only objects or arrays a line are told apart here.
  if (firstIsWhole && lines.length > 1 && /^\s*[[{]/.test(first)) return 'json-lines'
  return start.startsWith('"') && extension !== 'json' ? undefined : 'json'
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Zero bytes or many control characters: no text a person wrote. */
function isBinary(head: Uint8Array, text: string): boolean {
  // oxlint-disable-next-line no-control-regex
  const controls = text.slice(0, 8192).match(/[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/g)?.length ?? 0
  if (detectEncoding(head) !== 'utf-8') return controls > 8
  return controls > Math.max(2, Math.min(text.length, 8192) * 0.02) || text.slice(0, 1024).includes('\0')
}
