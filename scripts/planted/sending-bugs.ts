import type { PlantedBug } from './planted-bug.ts'

const matrix = 'e2e/proof/fault-matrix.test.ts'
const transport = 'engine/service/node-transport.test.ts'

/** The moments around a submission, and what its answer means. */
export const sendingBugs: readonly PlantedBug[] = [
  {
    name: 'the sending mark is committed after the answer instead of before',
    promise: 1,
    slips: [
      {
        file: 'engine/queue/lane.ts',
        found: `
    const result = await service.submit(connection, body, () => {
      const time = desk.serviceTime.now()
      store.ledger.move(attempt.id, 'sending', { sentFrom: time?.from ?? null, sentTo: time?.to ?? null })
      safety.raise(attempt.id)
    })`,
        planted: `
    const time = desk.serviceTime.now()
    const result = await service.submit(connection, body, () => {})
    store.ledger.move(attempt.id, 'sending', { sentFrom: time?.from ?? null, sentTo: time?.to ?? null })
    safety.raise(attempt.id)`,
      },
    ],
    test: { file: 'engine/queue/model.test.ts' },
  },
  {
    name: 'the first bytes leave before the sending mark',
    promise: 1,
    slips: [
      {
        file: 'engine/service/node-submit-connection.ts',
        found: `
    try {
      call.sending()
    } catch (error) {
      this.#socket.destroy()
      throw error
    }
    try {
      return await this.#exchange(call)`,
        planted: `
    try {
      const answer = this.#exchange(call)
      call.sending()
      return await answer`,
      },
    ],
    test: { file: transport },
  },
  {
    name: 'a 502 is taken for a refusal and the submission sent again',
    promise: 1,
    slips: [
      {
        file: 'engine/service/answer-judgement.ts',
        found: `  429: 'busy',\n}`,
        planted: `  429: 'busy',\n  502: 'busy',\n}`,
      },
    ],
    test: { file: 'cli/any-answer.test.ts', named: 'any status' },
  },
  {
    name: 'a lost answer is taken for a submission that was never sent',
    promise: 1,
    slips: [
      {
        file: 'engine/service/service-client.ts',
        found: `const certainlyUnsent = sentAt === undefined && !(error instanceof TransportError && error.sent)`,
        planted: `const certainlyUnsent = sentAt === undefined || error instanceof TransportError`,
      },
      // The table of transitions would refuse it.
      {
        file: 'shared/states.ts',
        found: `sending: ['acked', 'refused', 'unknown'],`,
        planted: `sending: ['acked', 'refused', 'unknown', 'unsent'],`,
      },
    ],
    test: { file: matrix, named: 'on every second submit' },
  },
  {
    name: 'a 200 without a run id is taken for a refusal',
    promise: 1,
    slips: [
      {
        file: 'engine/service/answer-judgement.ts',
        found: `return unknown(view, say\`The service took the submission, but its answer has no run id.\`)`,
        planted: `return { kind: 'refused', status, reason: 'busy', message: '', ...at }`,
      },
    ],
    test: { file: 'cli/any-answer.test.ts', named: 'every field of a submit answer' },
  },
  {
    name: 'submissions use a kept-alive agent',
    promise: 1,
    slips: [
      {
        file: 'engine/service/node-submit-connection.ts',
        found: `import { request } from 'node:http'`,
        planted: `import { Agent, request } from 'node:http'\nconst kept = new Agent({ keepAlive: true })`,
      },
      {
        file: 'engine/service/node-submit-connection.ts',
        found: `        createConnection: () => this.#socket,`,
        planted: `        agent: kept,\n        host: this.#url.hostname,\n        port: this.#url.port,`,
      },
      {
        file: 'engine/service/node-submit-connection.ts',
        found: `connection: 'close',`,
        planted: `connection: 'keep-alive',`,
      },
    ],
    test: { file: transport },
  },
  {
    name: 'submissions follow redirects',
    promise: 1,
    slips: [
      {
        file: 'engine/service/node-submit-connection.ts',
        found: `        answering = true\n`,
        planted: `
        answering = true
        const { location } = message.headers
        if (location !== undefined) {
          const again = request(new URL(location, this.#url), { method: 'POST', headers: call.headers })
          again.on('error', (error) => settle(() => reject(error)))
          again.on('response', (answer) => {
            readAnswer(answer, host).then(
              (read) => settle(() => resolve(read)),
              (error: unknown) => settle(() => reject(error)),
            )
          })
          again.end(call.body)
          return
        }
`,
      },
    ],
    test: { file: transport },
  },
  {
    name: 'a repeated run id is accepted',
    promise: 1,
    slips: [
      {
        file: 'engine/queue/lane.ts',
        found: `return ledger.knows(runId) || ledger.offeredElsewhere(runId, attempt.id)`,
        planted: `return ledger.offeredElsewhere(runId, attempt.id)`,
      },
      // The database would refuse it.
      {
        file: 'engine/store/migrations.ts',
        found: `run_id TEXT UNIQUE,`,
        planted: `run_id TEXT,`,
      },
    ],
    test: { file: 'engine/queue/model.test.ts' },
  },
  {
    name: 'an image that another process cancelled just now is sent',
    promise: 1,
    slips: [
      {
        file: 'engine/queue/lane.ts',
        found: `if (!store.images.tryMove(next.image.id, 'waiting', 'submitting', { error: null })) return undefined`,
        planted: `store.images.tryMove(next.image.id, 'waiting', 'submitting', { error: null })`,
      },
    ],
    test: { file: 'engine/queue/charging.test.ts', named: 'whose batch is' },
  },
  {
    name: 'what a person paused while the connection was opened is sent',
    promise: 5,
    slips: [
      {
        file: 'engine/queue/lane.ts',
        found: `const next = signal.aborted ? undefined : this.#pick()`,
        planted: `const next = signal.aborted ? undefined : first`,
      },
    ],
    test: { file: 'engine/queue/charging.test.ts', named: 'whose batch is' },
  },
]
