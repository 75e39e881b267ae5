import { etagOf } from '../service/outputs.ts'
import type { OutputFile } from '../service/outputs.ts'
import type { Service } from '../service/service.ts'
import { refusal } from './answer.ts'
import type { Answer } from './answer.ts'
import type { Call } from './call.ts'

/** An output file behind its signed link (8): 403 when the link is expired or not the one that was signed. */
export async function readFileLink(service: Service, call: Call): Promise<Answer> {
  // Links carry their own right: a key has no business here, and the ledger tells a test when one came.
  if (call.headers.authorization !== undefined) service.ledger.filesRequestsWithAuthorization += 1
  const problem = service.links.problem(call.path, call.query, service.now())
  if (problem !== undefined) return refusal(403, problem)
  const [, , runId, name] = call.path.split('/')
  const run = service.runs.find(runId ?? '')
  const output = [...(run?.outputs ?? []), run?.thumbnail].find(
    (output) => output && `${output.slug}.${output.format}` === name,
  )
  if (!run || !output) return refusal(404, 'There is no such file.')
  return fileAnswer(call, await service.outputs.load(run.runId, output))
}

/** Bytes with Content-Type, strong ETag and Range support. */
export function contentAnswer(call: Call, data: Buffer, contentType: string): Answer {
  return fileAnswer(call, { data, contentType, etag: etagOf(data) })
}

function fileAnswer(call: Call, file: OutputFile): Answer {
  const headers = { 'content-type': file.contentType, etag: file.etag, 'accept-ranges': 'bytes' }
  if (call.headers['if-none-match'] === file.etag) return { status: 304, headers, body: Buffer.alloc(0) }
  const size = file.data.length
  const range = wantedRange(call, file.etag, size)
  if (range === undefined) return { status: 200, headers, body: file.data }
  if (range === 'unsatisfiable') {
    return refusal(416, 'The range lies outside the file.', { 'content-range': `bytes */${size}` })
  }
  const [start, end] = range
  return {
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${start}-${end}/${size}` },
    body: file.data.subarray(start, end + 1),
  }
}

/** The one range that was asked for, or undefined for the whole; several at once are answered with the whole. */
function wantedRange(call: Call, etag: string, size: number): [number, number] | 'unsatisfiable' | undefined {
  const condition = call.headers['if-range']
  if (condition !== undefined && condition !== etag) return undefined
  const asked = /^bytes=(\d*)-(\d*)$/.exec(call.headers.range ?? '')
  if (!asked || (asked[1] === '' && asked[2] === '')) return undefined
  if (asked[1] === '') {
    const last = Number(asked[2])
    return last === 0 ? 'unsatisfiable' : [Math.max(0, size - last), size - 1]
  }
  const start = Number(asked[1])
  const end = asked[2] === '' ? size - 1 : Math.min(Number(asked[2]), size - 1)
  if (asked[2] !== '' && Number(asked[2]) < start) return undefined
  return start >= size ? 'unsatisfiable' : [start, end]
}
