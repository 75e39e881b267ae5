import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { say } from '../../shared/language/say.ts'

/**
 * A file as the answer to a request, or the part of it that was asked for (a video's player asks for parts).
 * @param lasting the address changes with the content, so that the answer may be kept for ever.
 */
export async function fileResponse(
  request: Request,
  file: { readonly path: string; readonly type: string },
  lasting: boolean,
): Promise<Response> {
  const facts = await stat(file.path).catch(() => undefined)
  if (!facts?.isFile()) return new Response(say`There is no such picture.`, { status: 404 })
  const headers: Record<string, string> = {
    'content-type': file.type,
    'accept-ranges': 'bytes',
    'cache-control': lasting ? 'private, max-age=31536000, immutable' : 'no-store',
  }
  const part = partOf(request.headers.get('range'), facts.size)
  if (part === 'beyond') {
    return new Response(null, { status: 416, headers: { 'content-range': `bytes */${facts.size}` } })
  }
  const { from, to } = part ?? { from: 0, to: facts.size - 1 }
  headers['content-length'] = String(to - from + 1)
  if (part) headers['content-range'] = `bytes ${from}-${to}/${facts.size}`
  const hasBody = request.method !== 'HEAD' && facts.size > 0
  const body = hasBody ? createReadStream(file.path, { start: from, end: to, signal: request.signal }) : null
  return new Response(body && (Readable.toWeb(body) as ReadableStream<Uint8Array>), {
    status: part ? 206 : 200,
    headers,
  })
}

/** The one part that a Range header names; undefined where the whole file is meant (RFC 9110, 14.2). */
export function partOf(
  range: string | null,
  size: number,
): { readonly from: number; readonly to: number } | 'beyond' | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range?.trim() ?? '')
  const [, first = '', last = ''] = match ?? []
  if (!match || (first === '' && last === '')) return undefined
  if (first === '') {
    const from = Math.max(0, size - Number(last))
    return Number(last) === 0 || size === 0 ? 'beyond' : { from, to: size - 1 }
  }
  const from = Number(first)
  const to = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < from) return undefined
  return from < size ? { from, to } : 'beyond'
}
