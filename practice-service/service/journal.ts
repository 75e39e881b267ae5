import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { runStatuses } from './runs.ts'

const payment = z.object({ subscription: z.number(), other: z.number() })
const output = z.object({ label: z.string(), slug: z.string(), format: z.string(), echo: z.boolean() })

const entrySchema = z.discriminatedUnion('event', [
  z.object({ event: z.literal('secret'), secret: z.string() }),
  /** An account's credits when the folder first saw it. */
  z.object({ event: z.literal('account'), account: z.string(), subscription: z.number(), other: z.number() }),
  z.object({ event: z.literal('top-up'), account: z.string(), credits: z.number() }),
  z.object({
    event: z.literal('accepted'),
    runId: z.string(),
    account: z.string(),
    appId: z.string(),
    appTitle: z.string(),
    parameters: z.record(z.string(), z.unknown()),
    webhookUrl: z.string(),
    stranger: z.boolean(),
    createdMs: z.number(),
    price: z.number(),
    paid: payment,
  }),
  z.object({
    event: z.literal('finished'),
    runId: z.string(),
    status: z.enum(runStatuses),
    startedMs: z.number().optional(),
    completedMs: z.number(),
    creditsCharged: z.number(),
    error: z.string().optional(),
    isVideo: z.boolean(),
    outputs: z.array(output),
    thumbnail: output.optional(),
  }),
])

/** One thing that a restarted service has to know. */
export type JournalEntry = z.output<typeof entrySchema>

/** What the service writes down as it happens. */
export interface Journal {
  write(entry: JournalEntry): void
}

/** For a service that forgets everything when it is closed. */
export const noJournal: Journal = { write: () => undefined }

/** A line of JSON an entry, appended before the answer that tells of it is sent. */
export class FileJournal implements Journal {
  readonly #path: string

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true })
    this.#path = join(folder, 'journal.jsonl')
  }

  write(entry: JournalEntry): void {
    appendFileSync(this.#path, `${JSON.stringify(entry)}\n`)
  }

  /** Everything written so far. A last line that was cut off is dropped; any other damage throws a sentence. */
  read(): JournalEntry[] {
    if (!existsSync(this.#path)) return []
    const text = readFileSync(this.#path, 'utf8')
    const whole = text.slice(0, text.lastIndexOf('\n') + 1)
    if (whole.length < text.length) truncateSync(this.#path, Buffer.byteLength(whole))
    return whole
      .split('\n')
      .slice(0, -1)
      .map((line, index) => this.#entry(line, index + 1))
  }

  #entry(line: string, number: number): JournalEntry {
    try {
      return entrySchema.parse(JSON.parse(line))
    } catch (error) {
      throw new Error(
        `Line ${number} of ${this.#path} cannot be read; start the practice service with another folder.`,
        { cause: error },
      )
    }
  }
}
