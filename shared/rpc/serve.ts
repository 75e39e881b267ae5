import type { Call, Contract, HandlerContext, Handlers, Stream } from './contract.ts'
import { Fault } from './fault.ts'
import { protocolVersion, questionSchema, type Answer, type Port } from './frames.ts'
import { say } from '../language/say.ts'

/** Questions that one connection may have open: far more than an interface needs, few enough to bear. */
const mostOpen = 256

export interface ServeOptions {
  /** Hears of faults of our own, with their stack; the interface is told only that there was one. */
  readonly onInternal: (path: string, error: unknown) => void
}

type AnyHandler = (input: unknown, context: HandlerContext) => unknown

/**
 * Answers one interface over one port, until it closes: checks what comes in, and strips from what goes out whatever
 * the contract does not name, so that a handler cannot leak a field by accident.
 *
 * @returns what ends the serving and aborts every open question.
 */
export function serve<C extends Contract>(
  contract: C,
  handlers: Handlers<C>,
  port: Port,
  options: ServeOptions,
): () => void {
  const open = new Map<number, AbortController>()
  let closed = false
  const send = (answer: Answer) => {
    if (!closed) port.send(answer)
  }
  const start = async (id: number, path: string, input: unknown) => {
    const abort = new AbortController()
    open.set(id, abort)
    try {
      const procedure = procedureAt(contract, path)
      const handler = handlerAt(handlers, path)
      const parsed = procedure?.input.safeParse(input)
      if (!procedure || !handler) throw new Fault('bad-input', `There is no procedure ${path.slice(0, 80)}.`)
      if (!parsed?.success) throw new Fault('bad-input', badInput(path, parsed?.error.issues[0]))
      const context = { signal: abort.signal }
      if (procedure.kind === 'call') {
        const value: unknown = await handler(parsed.data, context)
        send({ type: 'done', id, value: procedure.output.parse(value) })
      } else {
        for await (const item of handler(parsed.data, context) as AsyncIterable<unknown>) {
          if (abort.signal.aborted) break
          send({ type: 'item', id, value: procedure.output.parse(item) })
        }
        send({ type: 'done', id })
      }
    } catch (error) {
      if (!abort.signal.aborted) send({ type: 'fail', id, fault: faultOf(error, path, options) })
    } finally {
      open.delete(id)
    }
  }
  const unhear = port.onFrame((frame) => {
    const question = questionSchema.safeParse(frame).data
    if (!question || closed) return
    if (question.type === 'stop') open.get(question.id)?.abort()
    else if (open.has(question.id)) {
      send({ type: 'fail', id: question.id, fault: { code: 'bad-input', message: 'This number is in use.' } })
    } else if (open.size >= mostOpen) {
      send({
        type: 'fail',
        id: question.id,
        fault: { code: 'refused', message: say`Too many open questions.` },
      })
    } else void start(question.id, question.path, question.input)
  })
  const end = () => {
    closed = true
    unhear()
    for (const abort of open.values()) abort.abort()
  }
  port.onClose(end)
  send({ type: 'hello', protocol: protocolVersion })
  return end
}

function procedureAt(contract: Contract, path: string): Call | Stream | undefined {
  const [group = '', name = '', more] = path.split('.')
  if (more !== undefined || !Object.hasOwn(contract, group)) return undefined
  const procedures = contract[group]!
  return Object.hasOwn(procedures, name) ? procedures[name] : undefined
}

function handlerAt(handlers: object, path: string): AnyHandler | undefined {
  const [group = '', name = ''] = path.split('.')
  const groups = handlers as Readonly<Record<string, Readonly<Record<string, AnyHandler>>>>
  return groups[group]?.[name]?.bind(groups[group])
}

function badInput(path: string, issue: { path: PropertyKey[]; message: string } | undefined): string {
  const field = (issue?.path ?? []).map(String).join('.')
  return `${path} was asked with a wrong ${field || 'input'}: ${issue?.message ?? 'not understood'}.`
}

function faultOf(error: unknown, path: string, { onInternal }: ServeOptions) {
  if (error instanceof Fault) return { code: error.code, message: error.message }
  onInternal(path, error)
  return {
    code: 'internal' as const,
    message: say`Something went wrong inside Vitrine; its log has the details.`,
  }
}
