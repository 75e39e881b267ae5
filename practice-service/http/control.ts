import { z } from 'zod'
import { parseFaultRules } from '../service/faults.ts'
import type { Service } from '../service/service.ts'
import { json, refusal } from './answer.ts'
import type { Answer } from './answer.ts'
import type { Call } from './call.ts'

const seconds = z.number().min(0)
const conductSchema = z
  .strictObject({
    processing: z.union([
      seconds,
      z.tuple([seconds, seconds]),
      z.strictObject({ median: seconds, sigma: z.number().min(0) }),
    ]),
    concurrency: z.int().min(0),
    linkSeconds: seconds,
    refund: z.enum(['refund', 'keep']),
    failureRate: z.number().min(0).max(1),
    latencyMs: seconds,
    rateLimit: z.strictObject({ perSecond: z.number().positive(), burst: z.number().min(1) }).nullable(),
    maxQueued: z.int().min(0).nullable(),
    listDelayMs: seconds,
    acceptDelayMs: seconds,
    clockSkewMs: z.number(),
  })
  .partial()

const topUpSchema = z.strictObject({ account: z.string(), credits: z.int() })
const strangerSchema = z.strictObject({
  account: z.string(),
  app_id: z.string(),
  parameters: z.record(z.string(), z.unknown()),
})

type Command = (service: Service, body: unknown) => unknown

/** What a person or a test in another process may order, by method and path. */
const commands: Readonly<Record<string, Command>> = {
  'GET /practice/books': (service) => service.books(),
  'GET /practice/faults': (service) => service.faults.rules,
  'PUT /practice/faults': (service, body) => service.faults.set(parseFaultRules(body)),
  'POST /practice/faults': (service, body) => {
    for (const rule of parseFaultRules([body])) service.faults.add(rule)
  },
  'DELETE /practice/faults': (service) => service.faults.set([]),
  'GET /practice/conduct': (service) => service.conduct,
  'PUT /practice/conduct': (service, body) => {
    const conduct = conductSchema.parse(body)
    const given = Object.entries(conduct).filter(([, value]) => value !== undefined)
    service.change(Object.fromEntries(given))
  },
  'POST /practice/top-up': (service, body) => {
    const { account, credits } = topUpSchema.parse(body)
    service.topUp(account, credits)
  },
  'POST /practice/strangers': (service, body) => {
    const { account, app_id: appId, parameters } = strangerSchema.parse(body)
    return { run_id: service.submitAsStranger(account, appId, parameters) }
  },
  'POST /practice/hold': (service) => service.pool.hold(),
  'POST /practice/release': (service) => service.pool.release(),
  'POST /practice/expire-links': (service) => service.links.expireAll(),
}

/** The control endpoints. They carry no key, so they take care that no web page in a browser can use them. */
export function control(service: Service, call: Call): Answer {
  if (!isLoopbackName(call.headers.host ?? '')) {
    return refusal(403, 'The control endpoints answer to a loopback address only.')
  }
  // A page of another site cannot send this content type without asking first, and it is not allowed when it asks.
  if (call.method !== 'GET' && !/^application\/json/i.test(call.headers['content-type'] ?? '')) {
    return refusal(400, 'The Content-Type must be application/json.')
  }
  const command = commands[`${call.method} ${call.path}`]
  if (!command) return refusal(404, 'There is no such control endpoint.')
  try {
    return json(200, command(service, call.body === '' ? undefined : JSON.parse(call.body)) ?? { done: true })
  } catch (error) {
    return refusal(400, problemOf(error))
  }
}

function problemOf(error: unknown): string {
  if (error instanceof SyntaxError) return 'The request body is not valid JSON.'
  if (!(error instanceof z.ZodError)) return error instanceof Error ? error.message : String(error)
  const issue = error.issues[0]
  return issue ? `${issue.path.join('.') || 'The body'}: ${issue.message}.` : 'The body is not understood.'
}

function isLoopbackName(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(host)
}
