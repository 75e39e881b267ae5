import { z } from 'zod'
import { imageStates, queueStates } from '../shared/states.ts'

/**
 * What `--json` writes, one object a line, each with an `event`. The schema file in docs/ is made from these; fields may
 * be added, never taken away or given another meaning.
 */

const count = z.int().min(0)
const creditRange = z
  .object({ min: count, max: count })
  .describe('Credits; min equals max where the price is certain.')
const batchId = z.string().describe('What a person types to name the batch.')

const outputSchema = z.object({
  label: z.string().describe('The service\'s name of the output, such as "De-Banded" or "Original".'),
  slug: z.string().describe('"primary", or the slug of an extra output, such as "original".'),
  path: z.string().describe('Below the output folder, with forward slashes, as in the manifest.'),
  file: z.string().describe('Absolute path.'),
  bytes: count,
  sha256: z.string(),
})

const batchEventSchema = z
  .object({
    event: z.literal('batch'),
    batch: batchId,
    resumed: z.boolean().describe('False when this command added the batch.'),
    images: count,
    waiting: count.describe('Images that are to be submitted.'),
    held: count,
    skipped: count.describe('Already delivered with these settings into this folder.'),
    app: z.string().nullable(),
    preset: z.string().nullable().describe('Of several presets their names, joined by " + ".'),
    presets: z.array(z.string()).describe('Each picture is made once with each of these.'),
    outDir: z.string().describe('Absolute path of the output folder.'),
    manifest: z.string().describe('Absolute path of the manifest.'),
    budget: count.nullable(),
    estimate: creditRange
      .nullable()
      .describe('For all waiting images; null while the base price is unknown.'),
    balance: z.number().nullable().describe('Credits of the account at the start.'),
  })
  .describe('A batch is begun or gone on with.')

export const imageEventSchema = z
  .object({
    event: z.literal('image'),
    batch: batchId,
    position: z.int().min(1).describe('Within the batch, from 1; "BATCH/POSITION" names the image.'),
    source: z.string(),
    state: z.enum(imageStates),
    serviceStatus: z.string().nullable().describe("The service's own status while the state is running."),
    runId: z.string().nullable(),
    credits: z.number().nullable().describe('What the run was charged; null until it is known.'),
    error: z.string().nullable(),
    preset: z.string().nullable().describe('The preset that its settings were taken from.'),
    outputs: z.array(outputSchema).describe('Where the state is delivered or skipped.'),
  })
  .describe('An image changed. Quick changes may be drawn together; the last one of an image is always told.')

const dryRunEventSchema = z
  .object({
    event: z.literal('dry-run'),
    pictures: count.describe('Pictures that the sources name.'),
    images: count.describe('Images that would be added: one for each picture and preset.'),
    waiting: count.describe('Images that would be submitted.'),
    held: count,
    skipped: count.describe('Already delivered with these settings into this folder.'),
    elsewhere: count.describe('Already in an unfinished batch, which would be gone on with.'),
    presets: z.array(
      z.object({
        preset: z.string().nullable(),
        app: z.string(),
        images: count.describe('Submitted or held.'),
        pricePerImage: creditRange.nullable().describe('Null while the base price is unknown.'),
        extras: creditRange.describe('What the settings add to the base price.'),
      }),
    ),
    estimate: creditRange.nullable().describe('For all of them; null while a base price is unknown.'),
    balance: z.number(),
    outDir: z.string(),
    nameTemplate: z.string().describe('With {preset} where several presets need it.'),
  })
  .describe('The last line of `run --dry-run`: what would be done and cost. Nothing was sent or added.')

const queueEventSchema = z
  .object({ event: z.literal('queue'), state: z.enum(queueStates), message: z.string().nullable() })
  .describe('The queue as a whole changed its state.')

const warningEventSchema = z
  .object({ event: z.literal('warning'), message: z.string() })
  .describe('Something that a person should know; the work goes on.')

const problemEventSchema = z
  .object({
    event: z.literal('problem'),
    file: z.string(),
    line: z.int().nullable(),
    text: z.string().nullable(),
    reason: z.string(),
  })
  .describe('A line or file that was not taken.')

const totals = {
  images: count,
  delivered: count,
  failed: count,
  review: count,
  skipped: count,
  waiting: count.describe('Not submitted yet, and not held.'),
  held: count,
  cancelled: count,
  active: count.describe('Being submitted, at the service, or being downloaded.'),
  creditsCharged: z
    .number()
    .describe('Over all runs of the batch, failed ones and those of earlier starts too.'),
}

export const summaryEventSchema = z
  .object({
    event: z.literal('summary'),
    batch: batchId.nullable().describe('Null where there were several batches, or none.'),
    ...totals,
    outDir: z.string().nullable(),
    manifest: z.string().nullable(),
    seconds: z.number().describe('That this command worked.'),
    stopped: z
      .enum(['interrupted', 'key-rejected', 'out-of-credits', 'budget', 'paused', 'unwritable'])
      .nullable()
      .describe('Why it ended before everything was settled.'),
    message: z.string().nullable(),
    exit: z.int().describe('The exit status.'),
    batches: z.array(z.object({ batch: batchId, ...totals, outDir: z.string(), manifest: z.string() })),
  })
  .describe('The last line of every command that worked on batches.')

const errorEventSchema = z
  .object({ event: z.literal('error'), message: z.string(), exit: z.int() })
  .describe('The last line of a command that ended without working on a batch.')

export const eventSchema = z
  .discriminatedUnion('event', [
    batchEventSchema,
    imageEventSchema,
    queueEventSchema,
    warningEventSchema,
    problemEventSchema,
    dryRunEventSchema,
    summaryEventSchema,
    errorEventSchema,
  ])
  .describe('A line that run, resume, retry and release write with --json.')

export type CliEvent = z.infer<typeof eventSchema>
export type ImageEvent = z.infer<typeof imageEventSchema>
export type SummaryEvent = z.infer<typeof summaryEventSchema>
