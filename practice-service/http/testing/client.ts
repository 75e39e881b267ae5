import { connect } from 'node:net'
import { afterEach } from 'vitest'
import { startPracticeService } from '../../start.ts'
import type { PracticeOptions, PracticeService } from '../../start.ts'

export interface Reply {
  readonly status: number
  readonly headers: Headers
  /** Parsed where it is JSON, else the text. */
  readonly body: unknown
}

/** A service under test and the calls a client would make, with the first key unless told otherwise. */
export interface Bench {
  readonly service: PracticeService
  readonly get: (path: string, key?: string | null) => Promise<Reply>
  /** Submits a run of `rescue`, changed by what is given. */
  readonly submit: (body?: Readonly<Record<string, unknown>>, key?: string | null) => Promise<Reply>
  /** Submits and returns the run_id. */
  readonly accepted: (body?: Readonly<Record<string, unknown>>, key?: string | null) => Promise<string>
  readonly record: (runId: string, key?: string | null) => Promise<Readonly<Record<string, unknown>>>
}

const open: PracticeService[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((service) => service.close()))
})

export const goodBody = {
  app_id: 'rescue',
  parameters: { image: 'http://127.0.0.1/ring.jpg' },
  webhook_url: 'https://hook.invalid/done',
}

/** Starts a service without image work or waiting, closed after the test. */
export async function bench(options: PracticeOptions = {}): Promise<Bench> {
  const service = await startPracticeService({ imageWork: 'echo', processing: 0, ...options })
  open.push(service)
  const headers = (key: string | null | undefined): Record<string, string> =>
    key === null ? {} : { authorization: `Bearer ${key ?? service.keys[0]}` }
  const get = async (path: string, key?: string | null) =>
    reply(await fetch(`${service.url}${path}`, { headers: headers(key) }))
  const submit = async (body: Readonly<Record<string, unknown>> = {}, key?: string | null) =>
    reply(
      await fetch(`${service.url}/run`, {
        method: 'POST',
        headers: { ...headers(key), 'content-type': 'application/json' },
        body: JSON.stringify({ ...goodBody, ...body }),
      }),
    )
  return {
    service,
    get,
    submit,
    accepted: async (body, key) => {
      const { status, body: answer } = await submit(body, key)
      if (status !== 200) throw new Error(`The submission was answered with ${status}.`)
      return (answer as { run_id: string }).run_id
    },
    record: async (runId, key) => (await get(`/runs/${runId}`, key)).body as Record<string, unknown>,
  }
}

export async function reply(response: Response): Promise<Reply> {
  const text = await response.text()
  let body: unknown = text
  try {
    body = JSON.parse(text)
  } catch {
    // A page or a picture.
  }
  return { status: response.status, headers: response.headers, body }
}

/** What came over a bare connection, and how it ended. */
export interface Raw {
  readonly text: string
  readonly bytes: Buffer
  readonly end: 'closed' | 'reset' | 'open'
}

/**
 * Sends a request over a connection of its own and takes down every byte. `until` ends the wait on a connection that
 * stays open, and gets what came so far.
 */
export function raw(
  origin: string,
  request: string,
  until: (text: string) => boolean = () => false,
): Promise<Raw> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve) => {
    const pieces: Buffer[] = []
    const socket = connect(Number(port), hostname.replace(/^\[|\]$/g, ''))
    const finish = (end: Raw['end']) => {
      const bytes = Buffer.concat(pieces)
      resolve({ bytes, text: bytes.toString('latin1'), end })
      socket.destroy()
    }
    socket.on('data', (piece) => {
      pieces.push(piece)
      if (until(Buffer.concat(pieces).toString('latin1'))) finish('open')
    })
    socket.on('end', () => finish('closed'))
    socket.on('error', () => finish('reset'))
    socket.write(request)
  })
}

/** A submission as bytes. */
export function submissionBytes(
  service: PracticeService,
  body: Readonly<Record<string, unknown>> = {},
): string {
  const text = JSON.stringify({ ...goodBody, ...body })
  return (
    `POST /api/v1/run HTTP/1.1\r\nhost: ${new URL(service.origin).host}\r\n` +
    `authorization: Bearer ${service.keys[0]}\r\ncontent-type: application/json\r\n` +
    `content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
  )
}

/** A GET as bytes. */
export function getBytes(service: PracticeService, path: string): string {
  return `GET ${path} HTTP/1.1\r\nhost: ${new URL(service.origin).host}\r\nauthorization: Bearer ${service.keys[0]}\r\n\r\n`
}
