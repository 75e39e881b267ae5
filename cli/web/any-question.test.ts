import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { engineContract } from '../../shared/contract/engine-contract.ts'
import type { Contract } from '../../shared/rpc/contract.ts'
import { answerSchema, type Answer } from '../../shared/rpc/frames.ts'
import { serve } from '../../shared/rpc/serve.ts'
import { socketPort } from './socket-port.ts'
import { anyInput } from './testing/any-input.ts'
import { batchOnce, begin, startProgram, type RunningProgram } from './testing/program.ts'

/** Questions for each procedure; `npm run proof` asks more. */
const each = { whole: 60, long: 3000 }[process.env['PROOF'] ?? ''] ?? 12
/** A subscription has nothing more to say after this long. */
const streamMs = 15

/** A client that speaks frames, right or wrong ones. */
class RawClient {
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, (answer: Answer) => void>()
  #next = 1

  constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', (data) => {
      const answer = answerSchema.parse(JSON.parse((data as Buffer).toString()))
      if (answer.type !== 'hello') this.#waiting.get(answer.id)?.(answer)
    })
  }

  /** The first answer; undefined where a subscription has none yet. */
  async ask(path: string, input: unknown, stream: boolean): Promise<Answer | undefined> {
    const id = this.#next
    this.#next += 1
    const answered = new Promise<Answer | undefined>((resolve) => {
      this.#waiting.set(id, resolve)
      if (stream) setTimeout(() => resolve(undefined), streamMs)
    })
    this.#socket.send(JSON.stringify({ type: 'start', id, path, input }))
    const answer = await answered
    this.#waiting.delete(id)
    if (stream) this.#socket.send(JSON.stringify({ type: 'stop', id }))
    return answer
  }
}

async function clientOf(program: RunningProgram, internal: unknown[]): Promise<RawClient> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, maxPayload: 80 * 1024 * 1024 })
  server.on('connection', (socket) => {
    const options = { onInternal: (path: string, error: unknown) => void internal.push([path, error]) }
    serve(engineContract, program.engine.handlers, socketPort(socket), options)
  })
  await once(server, 'listening')
  const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  await once(socket, 'open')
  return new RawClient(socket)
}

const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

test(
  'every question of the contract, asked rightly and wrongly over a real line, gets an answer in words',
  {
    timeout: 3_600_000,
  },
  async (context) => {
    const internal: unknown[] = []
    const program = await startProgram(context, { practiceService: { processing: 0.05 } })
    await program.api.connections.usePractice({})
    const { batch } = await begin(program, 5)
    await batchOnce(program, batch, ({ state }) => state === 'finished')
    const client = await clientOf(program, internal)
    const beside = readdirSync(process.cwd())
    const known = {
      batch: [batch],
      image: [1, 2, 3],
      images: [1, 2, 3],
      ids: [1, 2, 3],
      outDir: [join(program.out, 'Rings'), 'relative/folder', '/proc/vitrine'],
      runId: program
        .practice()
        .books()
        .runs.map((run) => run.runId),
      runIds: program
        .practice()
        .books()
        .runs.map((run) => run.runId),
      id: ['practice'],
      // Nobody is to be reached from here.
      baseUrl: ['http://127.0.0.1:9/api/v1', 'nonsense'],
    }
    let asked = 0
    const codes: Record<string, number> = {}
    for (const [group, procedures] of Object.entries<Contract[string]>(engineContract)) {
      for (const [name, procedure] of Object.entries(procedures)) {
        const path = `${group}.${name}`
        const inputs = anyInput(procedure.input, known)
        const ask = async (input: unknown) => {
          asked += 1
          const answer = await client.ask(path, input, procedure.kind === 'stream')
          if (answer?.type !== 'fail') return
          const { code, message } = answer.fault
          codes[code] = (codes[code] ?? 0) + 1
          expect(
            code,
            `${path} ${JSON.stringify(input)?.slice(0, 300)}: ${String(internal.at(-1))}`,
          ).not.toBe('internal')
          expect(message).toMatch(/\S/)
          expect(message.length).toBeLessThan(1500)
          // Of a wrong shape the developer of a page is told; everything else a person reads.
          expect(message).not.toMatch(
            code === 'bad-input' ? /\n\s+at / : /\n\s+at |SQLITE|TypeError|undefined/,
          )
        }
        await fc.assert(fc.asyncProperty(inputs, ask), { numRuns: each })
      }
    }
    process.stdout.write(`proof: ${asked} questions over a real line, refused: ${JSON.stringify(codes)}\n`)
    expect(internal).toEqual([])
    expect(program.faults).toEqual([])
    // Nothing beside the folders of this test, and the key in none of its files.
    expect(readdirSync(process.cwd())).toEqual(beside)
    expect((Object.prototype as { polluted?: unknown }).polluted).toBeUndefined()
    const files = filesBelow(dirname(program.home))
    expect(files.filter((path) => !path.startsWith(program.home) && !path.startsWith(program.out))).toEqual(
      [],
    )
    for (const path of files) expect(readFileSync(path, 'latin1')).not.toContain('canary-key')
    // It still answers as before.
    expect(await client.ask('apps.list', {}, false)).toBeDefined()
  },
)
