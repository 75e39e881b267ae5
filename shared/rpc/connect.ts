import type { Call, CallOptions, Client, Contract, Stream } from './contract.ts'
import { Fault } from './fault.ts'
import { answerSchema, protocolVersion, type Answer, type Port } from './frames.ts'
import { t } from '../language/text.ts'

interface Waiting {
  hear(answer: Exclude<Answer, { type: 'hello' }>): void
  fail(fault: Fault): void
}

/** A line whose other side speaks the same protocol. */
export interface Connection<C extends Contract> {
  readonly api: Client<C>
  /** Resolves when the other side has said which protocol it speaks, and it is ours. @throws Fault */
  readonly ready: Promise<void>
}

/** The typed client over one port. Every question on it fails with `disconnected` once the port has closed. */
export function connect<C extends Contract>(contract: C, port: Port): Connection<C> {
  const waiting = new Map<number, Waiting>()
  let last = 0
  let closed = false
  let welcome: () => void = () => undefined
  let refuse: (fault: Fault) => void = () => undefined
  const ready = new Promise<void>((resolve, reject) => {
    welcome = resolve
    refuse = reject
  })
  // Whoever asks a question learns of a lost line by its answer; nobody has to wait for `ready`.
  ready.catch(() => undefined)
  port.onFrame((frame) => {
    const answer = answerSchema.safeParse(frame).data
    if (!answer) return
    if (answer.type !== 'hello') waiting.get(answer.id)?.hear(answer)
    else if (answer.protocol === protocolVersion) welcome()
    else refuse(new Fault('disconnected', t`Vitrine was updated meanwhile: reload this page.`))
  })
  port.onClose(() => {
    closed = true
    const fault = new Fault('disconnected', t`The connection to the engine is lost.`)
    refuse(fault)
    for (const one of waiting.values()) one.fail(fault)
    waiting.clear()
  })
  const line: Line = {
    open(path, input, one) {
      const id = (last += 1)
      if (closed) {
        one.fail(new Fault('disconnected', t`The connection to the engine is lost.`))
        return () => undefined
      }
      waiting.set(id, one)
      port.send({ type: 'start', id, path, input })
      return (tell) => {
        if (waiting.delete(id) && tell && !closed) port.send({ type: 'stop', id })
      }
    },
  }
  const groups = Object.entries(contract).map(([group, procedures]) => [
    group,
    Object.fromEntries(
      Object.entries(procedures).map(([name, procedure]) => {
        const path = `${group}.${name}`
        const ask = (input: unknown, options: CallOptions = {}) =>
          procedure.kind === 'call'
            ? askOnce(line, path, procedure, input, options)
            : subscribe(line, path, procedure, input, options)
        return [name, ask]
      }),
    ),
  ])
  return { api: Object.fromEntries(groups) as Client<C>, ready }
}

interface Line {
  /** @returns what ends the waiting; `tell` sends a stop to the other side. */
  open(path: string, input: unknown, one: Waiting): (tell: boolean) => void
}

const aborted = () => new Fault('disconnected', 'No longer wanted.')
const misread = (path: string) => new Fault('internal', t`The engine's answer to ${path} was not understood.`)

function askOnce(line: Line, path: string, { output }: Call, input: unknown, { signal }: CallOptions) {
  return new Promise<unknown>((resolve, reject) => {
    if (signal?.aborted) return reject(aborted())
    const onAbort = () => {
      end(true)
      reject(aborted())
    }
    const settle = () => {
      end(false)
      signal?.removeEventListener('abort', onAbort)
    }
    const end = line.open(path, input, {
      hear(answer) {
        if (answer.type === 'item') return
        settle()
        if (answer.type === 'fail') return reject(new Fault(answer.fault.code, answer.fault.message))
        const parsed = output.safeParse(answer.value)
        if (parsed.success) resolve(parsed.data)
        else reject(misread(path))
      },
      fail: (fault) => reject(fault),
    })
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}

async function* subscribe(
  line: Line,
  path: string,
  { output }: Stream,
  input: unknown,
  { signal }: CallOptions,
): AsyncGenerator {
  const items: unknown[] = []
  let ended: { readonly fault?: Fault } | undefined
  let wake: () => void = () => undefined
  const finish = (fault?: Fault) => {
    ended ??= fault ? { fault } : {}
    wake()
  }
  const end = line.open(path, input, {
    hear(answer) {
      if (answer.type === 'item') items.push(answer.value)
      else finish(answer.type === 'fail' ? new Fault(answer.fault.code, answer.fault.message) : undefined)
      wake()
    },
    fail: finish,
  })
  const onAbort = () => {
    items.length = 0
    finish()
  }
  if (signal?.aborted) onAbort()
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    for (;;) {
      while (items.length > 0) {
        const parsed = output.safeParse(items.shift())
        if (!parsed.success) throw misread(path)
        yield parsed.data
      }
      if (ended) {
        if (ended.fault) throw ended.fault
        return
      }
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  } finally {
    signal?.removeEventListener('abort', onAbort)
    end(true)
  }
}
