import { z } from 'zod'
import { seededRandom } from './random.ts'
import type { Random } from './random.ts'

/** What a request is for; `shoot` is the sample pictures, `other` everything that is none of the service's own. */
export const endpointKinds = [
  'submit',
  'run',
  'list',
  'balance',
  'download',
  'apps',
  'file',
  'shoot',
  'other',
] as const
export type EndpointKind = (typeof endpointKinds)[number]

/**
 * What goes wrong. Faults of the first group stand in place of the handling: nothing is charged or changed, unless
 * `handled` says otherwise, or `handleAfterMs` has the request handled later although nobody waits any more. Those of
 * the second group spoil the answer to a request that was handled.
 */
const faultSchema = z.discriminatedUnion('kind', [
  // In place of the handling
  instead('status', {
    status: z.int().min(200).max(599),
    /** Sent as it is: seconds, an HTTP date, or nonsense. */
    retryAfter: z.union([z.string(), z.number()]).optional(),
    body: z.string().optional(),
  }),
  /** 200 with a sign-in page, as a captive portal answers. */
  instead('html', {}),
  /** The connection is reset after the whole request was read. */
  instead('reset-before', {}),
  /** The connection is closed in good order, without an answer. */
  instead('close-before', {}),
  /** No answer at all; the connection stays open. */
  instead('silence', {}),
  instead('redirect', { status: z.int().min(300).max(399).default(302), to: z.string().optional() }),
  /** 403, as an expired link. */
  instead('expired', {}),
  // After the handling
  z.strictObject({ kind: z.literal('reset-after') }),
  z.strictObject({ kind: z.literal('close-after') }),
  z.strictObject({ kind: z.literal('reset-mid-body') }),
  /** Chunked, and the end never comes: the connection is closed. */
  z.strictObject({ kind: z.literal('truncate-chunked') }),
  /** Content-Length of the whole, half of the bytes, then the connection is closed. */
  z.strictObject({ kind: z.literal('truncate-length') }),
  /** Neither length nor chunks, half of the bytes, closed: looks whole to any client. */
  z.strictObject({ kind: z.literal('truncate-unframed') }),
  /** Headers and half of the body, then silence on an open connection. */
  z.strictObject({ kind: z.literal('stall-body') }),
  /** Content-Length shorter than the body. */
  z.strictObject({ kind: z.literal('short-length') }),
  /** The answer in small pieces with a pause before each. */
  z.strictObject({ kind: z.literal('drip'), pauseMs: z.number().min(0), pieces: z.int().min(1).default(10) }),
  z.strictObject({
    kind: z.literal('slow'),
    ms: z.number().min(0),
    phase: z.enum(['before', 'after']).default('before'),
  }),
  z.strictObject({ kind: z.literal('broken-json') }),
  /** Valid JSON of quite another shape. */
  z.strictObject({ kind: z.literal('other-json') }),
  /** Fields of the answer's JSON object set to other values, or taken out. */
  z.strictObject({
    kind: z.literal('edit'),
    set: z.record(z.string(), z.unknown()).optional(),
    remove: z.array(z.string()).optional(),
  }),
  z.strictObject({ kind: z.literal('empty') }),
  /** Bytes exchanged in the second half: right length, wrong content. */
  z.strictObject({ kind: z.literal('swapped-bytes') }),
  /** 200 with a web page where a file should be, with the file's content type. */
  z.strictObject({ kind: z.literal('html-as-file') }),
])

function instead<Kind extends string, Shape extends z.core.$ZodLooseShape>(kind: Kind, shape: Shape) {
  return z.strictObject({
    kind: z.literal(kind),
    ...shape,
    handled: z.boolean().optional(),
    handleAfterMs: z.number().min(0).optional(),
  })
}

/** A fault that changes the JSON of an answer; only for programs, as a function cannot be written in a file. */
interface ChangeFault {
  readonly kind: 'change'
  readonly change: (body: unknown) => unknown
}

export type Fault = z.output<typeof faultSchema> | ChangeFault

/** A request as a rule's `when` sees it. */
export interface FaultRequest {
  readonly kind: EndpointKind
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly body: string
  /** Number of this request among those of its kind, from 1, since the service started. */
  readonly number: number
}

const ruleSchema = z.strictObject({
  on: z.union([z.literal('any'), z.enum(endpointKinds), z.array(z.enum(endpointKinds))]),
  fault: faultSchema,
  /** Chance from 0 to 1; default 1. */
  probability: z.number().min(0).max(1).optional(),
  /** Only these requests, counted from 1 since the rule was set. */
  nth: z.union([z.int().min(1), z.array(z.int().min(1))]).optional(),
  /** At most so often. */
  times: z.int().min(1).optional(),
})

/**
 * When a fault strikes. A rule without conditions strikes every request of its kinds; `any` is every endpoint and file
 * of the service, but not the sample shoot.
 */
export type FaultRule = Omit<z.input<typeof ruleSchema>, 'fault'> & {
  readonly fault: z.input<typeof faultSchema> | ChangeFault
  readonly when?: (request: FaultRequest) => boolean
}

/** Reads rules from JSON; throws a sentence that names the first thing that is wrong. */
export function parseFaultRules(json: unknown): FaultRule[] {
  const parsed = z.array(ruleSchema).safeParse(json)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  throw new Error(`The fault rules cannot be used: ${issue.message} at ${issue.path.join('.') || 'the top'}.`)
}

interface ActiveRule {
  readonly rule: FaultRule
  readonly fault: Fault
  seen: number
  struck: number
}

/** The faults that were ordered; the first rule that applies to a request strikes it. */
export class Faults {
  #active: ActiveRule[] = []
  readonly #random: Random

  constructor(rules: readonly FaultRule[], seed: number) {
    this.#random = seededRandom(seed)
    this.set(rules)
  }

  get rules(): readonly FaultRule[] {
    return this.#active.map((active) => active.rule)
  }

  set(rules: readonly FaultRule[]): void {
    this.#active = []
    for (const rule of rules) this.add(rule)
  }

  add(rule: FaultRule): void {
    const fault = rule.fault.kind === 'change' ? rule.fault : faultSchema.parse(rule.fault)
    this.#active.push({ rule, fault, seen: 0, struck: 0 })
  }

  /** The fault for a request, or undefined. Every rule counts the request, whichever strikes. */
  pick(request: FaultRequest): Fault | undefined {
    let picked: ActiveRule | undefined
    for (const active of this.#active) {
      if (!concerns(active.rule, request.kind)) continue
      active.seen += 1
      if (!picked && this.#strikes(active, request)) picked = active
    }
    if (picked) picked.struck += 1
    return picked?.fault
  }

  #strikes(active: ActiveRule, request: FaultRequest): boolean {
    const { nth, times, probability, when } = active.rule
    if (times !== undefined && active.struck >= times) return false
    if (nth !== undefined && !(Array.isArray(nth) ? nth.includes(active.seen) : nth === active.seen))
      return false
    if (when && !when(request)) return false
    return probability === undefined || this.#random() < probability
  }
}

function concerns(rule: FaultRule, kind: EndpointKind): boolean {
  if (rule.on === 'any') return kind !== 'other' && kind !== 'shoot'
  return Array.isArray(rule.on) ? rule.on.includes(kind) : rule.on === kind
}
