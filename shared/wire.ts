import { z } from 'zod'
import { say } from './language/say.ts'
import { plainText } from './plain-text.ts'
import {
  lenientBoolean,
  lenientCount,
  lenientNumber,
  lenientSentence,
  lenientText,
  lenientTime,
  requiredNumber,
  requiredText,
  timeOf,
} from './wire-fields.ts'

/**
 * What the service answers, read tolerantly (service interface, section 2): unknown fields are ignored, null counts
 * as absent, numbers may come as strings. Only what the program cannot do without is required; reading never throws.
 */

/** The outcome of reading an answer: the value, or the field that could not be read and why, in words. */
export type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly field: string; readonly problem: string }

const runStatuses = ['IN_QUEUE', 'IN_PROGRESS', 'SUCCESS', 'FAILED'] as const
export type KnownRunStatus = (typeof runStatuses)[number]
/** A status of section 3, or one that the document does not know, kept as the service wrote it. */
export type RunStatus = KnownRunStatus | `UNKNOWN:${string}`

/** Secondary output of a run (2.2). */
export interface ExtraOutput {
  readonly label: string
  /** Short identifier; never empty, never `primary`, unique among the extra outputs of a run (whatever the case). */
  readonly slug: string
  readonly format: string | undefined
  readonly url: string
}

/** Element of the list (2.3). */
export interface RunSummary {
  readonly runId: string
  /** Empty where the service left it out. */
  readonly appId: string
  readonly appTitle: string | undefined
  readonly status: RunStatus
  /** As the service wrote it; empty where it left it out. */
  readonly created: string
  /** Milliseconds since the epoch in the service's time; NaN where `created` is no time. */
  readonly createdMs: number
  readonly creditsCharged: number | undefined
}

/** Run, full form (2.1). */
export interface Run extends RunSummary {
  readonly completed: string | undefined
  /** NaN where there is no usable `completed`. */
  readonly completedMs: number
  readonly outputUrl: string | undefined
  readonly error: string | undefined
  readonly isVideo: boolean
  readonly extraOutputs: readonly ExtraOutput[]
  /** Extra outputs that could not be read (no url). */
  readonly unreadableOutputs: number
  readonly primaryLabel: string | undefined
}

/** Answer of the list (4.3). */
export interface RunList {
  readonly runs: readonly RunSummary[]
  /** Rows without a usable id or status; while there are any, absence from the list proves nothing. */
  readonly unreadable: number
  readonly total: number | undefined
  readonly page: number | undefined
  readonly hasMore: boolean | undefined
}

/** Credits of the account (2.4). */
export interface Balance {
  readonly totalCredits: number
  readonly subscriptionCredits: number | undefined
  readonly otherCredits: number | undefined
  readonly subscription: string | undefined
  /** ISO 8601; null for Pro members; undefined where it is not shown. */
  readonly creditsExpire: string | null | undefined
}

/** Signed link (2.5). */
export interface DownloadLink {
  readonly downloadUrl: string
  readonly filename: string | undefined
  /** Seconds. */
  readonly expiresIn: number | undefined
}

/** App of the catalogue (2.6, shape not shown): what could be understood, and all of it in `raw`. */
export interface App {
  readonly id: string
  readonly title: string
  readonly description: string | undefined
  /** Whatever stands under `parameters` or a like name. */
  readonly parameters: unknown
  readonly raw: unknown
}

/** Completion notice (6): a hint, unsigned; the truth is fetched with the key. */
export interface WebhookNotice {
  readonly runId: string
  readonly status: 'SUCCESS' | 'FAILURE' | `UNKNOWN:${string}`
  readonly outputUrl: string | undefined
  readonly thumbnail: string | undefined
  readonly error: string | undefined
}

function tagged<const T extends string>(known: readonly T[], text: string): T | `UNKNOWN:${string}` {
  const plain = text.trim().toUpperCase().replace(/[\s-]/g, '_')
  return known.find((status) => status === plain) ?? `UNKNOWN:${plainText(text, 40)}`
}
const runStatus = requiredText.transform((text): RunStatus => tagged(runStatuses, text))

const summaryFields = {
  run_id: requiredText,
  app_id: lenientText,
  app_title: lenientText,
  status: runStatus,
  created: lenientTime,
  credits_charged: lenientNumber,
}
const summarySchema = z.object(summaryFields)
const runSchema = z.object({
  ...summaryFields,
  completed: lenientTime,
  output_url: lenientText,
  error: lenientSentence,
  is_video: lenientBoolean,
  extra_outputs: z.unknown().optional(),
  primary_label: lenientText,
})
const extraSchema = z.object({
  label: lenientText,
  slug: lenientText,
  format: lenientText,
  url: requiredText,
})
const listSchema = z.object({
  runs: z.array(z.unknown()),
  total: lenientCount,
  page: lenientCount,
  has_more: lenientBoolean,
})
const balanceSchema = z.object({
  total_credits: requiredNumber,
  subscription_credits: lenientNumber,
  other_credits: lenientNumber,
  subscription: lenientText,
  credits_expire: z.preprocess(
    (value) => (value === null || typeof value === 'string' ? value : undefined),
    z.string().nullable().optional(),
  ),
})
const linkSchema = z.object({ download_url: requiredText, filename: lenientText, expires_in: lenientNumber })
/** Strict: an id of another kind means that the answer is not what it seems, and money hangs on it. */
const submitSchema = z.object({
  run_id: z
    .string()
    .min(1)
    .max(1024)
    .regex(/^(?=.*\S)\P{Cc}+$/u),
})
const webhookSchema = z.object({
  run_id: requiredText,
  status: requiredText.transform((text): WebhookNotice['status'] => tagged(['SUCCESS', 'FAILURE'], text)),
  output_url: lenientText,
  thumbnail: lenientText,
  error: lenientSentence,
})

function read<Wire, T>(schema: z.ZodType<Wire>, json: unknown, shape: (wire: Wire) => T): Read<T> {
  const parsed = schema.safeParse(json)
  if (parsed.success) return { ok: true, value: shape(parsed.data) }
  const issue = parsed.error.issues[0]
  const field = plainText((issue?.path ?? []).map(String).join('.'), 60)
  return {
    ok: false,
    field,
    problem: field
      ? say`The answer has no usable ${field}.`
      : say`The answer is not an object with the expected fields.`,
  }
}

function summaryOf(wire: z.infer<typeof summarySchema>): RunSummary {
  return {
    runId: wire.run_id,
    appId: wire.app_id ?? '',
    appTitle: wire.app_title,
    status: wire.status,
    created: wire.created ?? '',
    createdMs: timeOf(wire.created),
    creditsCharged: wire.credits_charged,
  }
}

/** Slugs name files and rows, so they are told apart here; `primary` is what the program calls the first output. */
function uniquelyNamed(wires: readonly z.infer<typeof extraSchema>[]): ExtraOutput[] {
  const taken = new Set(['primary'])
  return wires.map((wire, index) => {
    const wanted = wire.slug ?? wire.label ?? `output-${index + 2}`
    let slug = wanted
    for (let n = 2; taken.has(slug.toLowerCase()); n += 1) slug = `${wanted}-${n}`
    taken.add(slug.toLowerCase())
    return { label: wire.label ?? wanted, slug, format: wire.format, url: wire.url }
  })
}

/** GET /api/v1/runs/{run_id} (2.1). */
export function readRun(json: unknown): Read<Run> {
  return read(runSchema, json, (wire) => {
    const extras = Array.isArray(wire.extra_outputs) ? wire.extra_outputs : []
    const outputs = extras.map((extra: unknown) => extraSchema.safeParse(extra).data)
    const extraOutputs = uniquelyNamed(outputs.filter((extra) => extra !== undefined))
    return {
      ...summaryOf(wire),
      completed: wire.completed,
      completedMs: timeOf(wire.completed),
      outputUrl: wire.output_url,
      error: wire.error,
      isVideo: wire.is_video ?? false,
      extraOutputs,
      unreadableOutputs: outputs.length - extraOutputs.length,
      primaryLabel: wire.primary_label,
    }
  })
}

/** GET /api/v1/runs (4.3). A row that cannot be read is counted, not an error. */
export function readRunList(json: unknown): Read<RunList> {
  return read(listSchema, json, (wire) => {
    const runs = wire.runs.flatMap((row) => {
      const parsed = summarySchema.safeParse(row)
      return parsed.success ? [summaryOf(parsed.data)] : []
    })
    const { total, page, has_more: hasMore } = wire
    return { runs, unreadable: wire.runs.length - runs.length, total, page, hasMore }
  })
}

/** GET /api/v1/balance (2.4). */
export function readBalance(json: unknown): Read<Balance> {
  return read(balanceSchema, json, (wire) => ({
    totalCredits: wire.total_credits,
    subscriptionCredits: wire.subscription_credits,
    otherCredits: wire.other_credits,
    subscription: wire.subscription,
    creditsExpire: wire.credits_expire,
  }))
}

/** GET /api/v1/runs/{run_id}/download (2.5). */
export function readDownloadLink(json: unknown): Read<DownloadLink> {
  return read(linkSchema, json, (wire) => ({
    downloadUrl: wire.download_url,
    filename: wire.filename,
    expiresIn: wire.expires_in,
  }))
}

/** 200 of POST /api/v1/run (4.1): the run's id, which must be a non-empty string. */
export function readSubmitAnswer(json: unknown): Read<{ readonly runId: string }> {
  return read(submitSchema, json, (wire) => ({ runId: wire.run_id }))
}

/** Body of a completion notice (6). */
export function readWebhook(json: unknown): Read<WebhookNotice> {
  return read(webhookSchema, json, (wire) => ({
    runId: wire.run_id,
    status: wire.status,
    outputUrl: wire.output_url,
    thumbnail: wire.thumbnail,
    error: wire.error,
  }))
}
