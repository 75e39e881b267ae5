import { z } from 'zod'
import { imageStates } from '../shared/states.ts'
import { retoucherSettingsSchema } from '../shared/settings.ts'

/** What the commands that only look or change something print with `--json`: objects without an `event`. */

const count = z.int().min(0)

export const statusRecordSchema = z
  .object({
    batch: z.string(),
    state: z.enum(['running', 'paused', 'interrupted', 'stopped', 'finished']),
    stopReason: z.string().nullable(),
    created: z.string().describe('ISO 8601.'),
    baseUrl: z.string(),
    outDir: z.string(),
    preset: z.string().nullable(),
    images: count,
    counts: z.object(Object.fromEntries(imageStates.map((state) => [state, count]))),
    creditsCharged: z.number(),
    budget: count.nullable(),
  })
  .describe('status: one line a batch.')

export const changeRecordSchema = z
  .object({ batch: z.string(), cancelled: count })
  .describe('cancel: one line a batch.')

export const reviewRecordSchema = z
  .object({
    image: z.string().describe('BATCH/POSITION, as `review` takes it.'),
    batch: z.string(),
    position: z.int().min(1),
    source: z.string(),
    reason: z.string().nullable(),
    submitted: z.string().nullable().describe('ISO 8601, by the clock of this machine.'),
    price: z
      .object({ min: z.number(), max: z.number() })
      .nullable()
      .describe('Credits that sending it again may cost.'),
    candidates: z.array(
      z.object({
        runId: z.string(),
        appId: z.string(),
        status: z.string(),
        created: z.string(),
        credits: z.number(),
      }),
    ),
  })
  .describe('review: one line for each image that needs a decision.')

export const decisionRecordSchema = z
  .object({ image: z.string(), decision: z.enum(['adopted', 'sent-again', 'dropped']) })
  .describe('review with a decision: what was done.')

export const runRecordSchema = z
  .object({
    runId: z.string(),
    appId: z.string(),
    appTitle: z.string().nullable(),
    status: z.string(),
    created: z.string(),
    credits: z.number().nullable(),
    image: z.string().nullable().describe('BATCH/POSITION where this computer started the run.'),
  })
  .describe('runs: one line a run.')

export const runDetailSchema = runRecordSchema
  .extend({
    completed: z.string().nullable(),
    error: z.string().nullable(),
    isVideo: z.boolean(),
    outputs: z.array(z.object({ label: z.string(), slug: z.string(), format: z.string().nullable() })),
  })
  .describe('runs show.')

export const downloadRecordSchema = z
  .object({
    runId: z.string(),
    label: z.string(),
    slug: z.string(),
    path: z.string(),
    file: z.string(),
    bytes: count,
    sha256: z.string(),
    written: z
      .boolean()
      .describe('False where this very file stood there, or --on-conflict skip kept another.'),
  })
  .describe('runs download: one line an output.')

export const balanceRecordSchema = z
  .object({
    totalCredits: z.number(),
    subscriptionCredits: z.number().nullable(),
    otherCredits: z.number().nullable(),
    subscription: z.string().nullable(),
    creditsExpire: z.string().nullable(),
  })
  .describe('balance.')

export const appRecordSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    description: z.string().nullable(),
    retoucher: z.boolean(),
    parameters: z.unknown().describe('Whatever the service says of them.'),
  })
  .describe('apps: one line an app.')

export const presetRecordSchema = z
  .object({
    name: z.string(),
    builtIn: z.boolean(),
    app: z.string(),
    settings: retoucherSettingsSchema,
    parameters: z.record(z.string(), z.unknown()),
  })
  .describe('presets: one line a preset.')

export const practiceRecordSchema = z
  .object({ baseUrl: z.string(), key: z.string(), origin: z.string() })
  .describe('practice: where it listens.')
