import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { asFault, fault } from './transport-fault.ts'
import type { HttpAnswer } from './transport.ts'

/** Most text that an API answer may hold, compressed or not, in bytes. */
const mostBody = 16 * 1024 * 1024

/** Header lines with lower-case names, repeated ones joined. */
function headersOf(message: IncomingMessage): Readonly<Record<string, string>> {
  const entries = Object.entries(message.headersDistinct)
  return Object.fromEntries(entries.map(([name, lines]) => [name, (lines ?? []).join(', ')]))
}

const bodyIdleMs = 3000

/**
 * Reads an answer to its end. An answer without a length that just ends cannot be told from one that was cut off: it
 * passes only as whole JSON.
 * @throws TransportError: truncated, too-large, malformed, reset
 */
export async function readAnswer(
  message: IncomingMessage,
  host: string,
  most = mostBody,
): Promise<HttpAnswer> {
  const chunks: Uint8Array[] = []
  let length = 0
  // Once the head is there the body, which is small, comes at once or not at all.
  message.setTimeout(bodyIdleMs, () => message.destroy(fault('stalled', host, true)))
  try {
    for await (const chunk of message as AsyncIterable<Uint8Array>) {
      length += chunk.length
      if (length > most) throw fault('too-large', host, true)
      chunks.push(chunk)
    }
  } catch (error) {
    const early = (error as { code?: unknown }).code === 'ECONNRESET'
    throw early ? fault('truncated', host, true, error) : asFault(error, host, true)
  }
  if (!message.complete) throw fault('truncated', host, true)
  const headers = headersOf(message)
  const declared = headers['content-length']
  if (declared !== undefined && Number(declared) !== length) throw fault('truncated', host, true)
  const body = await textOf(Buffer.concat(chunks), headers['content-encoding'], host, most)
  const delimited = declared !== undefined || headers['transfer-encoding'] !== undefined
  if (!delimited && body !== '' && !isJson(body)) throw fault('truncated', host, true)
  return { status: message.statusCode ?? 0, headers, body }
}

/** Without the byte order mark that some servers begin with, and that is no JSON. */
const utf8 = new TextDecoder()

async function textOf(
  bytes: Buffer,
  encoding: string | undefined,
  host: string,
  most: number,
): Promise<string> {
  const unpack = unpackers[(encoding ?? 'identity').trim().toLowerCase()]
  if (!unpack) throw fault('malformed', host, true)
  try {
    return utf8.decode(await unpack(bytes, { maxOutputLength: most }))
  } catch (error) {
    const code = (error as { code?: unknown }).code
    const kind =
      code === 'ERR_BUFFER_TOO_LARGE' ? 'too-large' : code === 'Z_BUF_ERROR' ? 'truncated' : 'malformed'
    throw fault(kind, host, true, error)
  }
}

type Unpack = (bytes: Buffer, bounds: { maxOutputLength: number }) => Promise<Buffer>
const unpackers: Readonly<Record<string, Unpack>> = {
  '': (bytes) => Promise.resolve(bytes),
  identity: (bytes) => Promise.resolve(bytes),
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
