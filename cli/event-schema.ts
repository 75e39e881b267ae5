import { z } from 'zod'
import * as events from './events.ts'
import * as records from './records.ts'

/** The JSON schema of everything that `--json` prints, as text: docs/cli-events.schema.json is made from it. */
export function eventSchemaText(): string {
  const json = (schema: z.ZodType) => {
    const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'output' })
    return rest
  }
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'What the Vitrine command line prints with --json',
    description:
      'Each line is one object. run, resume, retry and release print events; the other commands print the record ' +
      'named after them.',
    anyOf: [
      { $ref: '#/$defs/event' },
      ...Object.keys(recordSchemas).map((name) => ({ $ref: `#/$defs/${name}` })),
    ],
    $defs: {
      event: json(events.eventSchema),
      ...Object.fromEntries(Object.entries(recordSchemas).map(([name, schema]) => [name, json(schema)])),
    },
  }
  return `${JSON.stringify(schema, null, 2)}\n`
}

/** The records by the name under which the schema file defines them. */
export const recordSchemas = {
  status: records.statusRecordSchema,
  cancel: records.changeRecordSchema,
  review: records.reviewRecordSchema,
  decision: records.decisionRecordSchema,
  run: records.runRecordSchema,
  runDetail: records.runDetailSchema,
  download: records.downloadRecordSchema,
  balance: records.balanceRecordSchema,
  app: records.appRecordSchema,
  preset: records.presetRecordSchema,
  practice: records.practiceRecordSchema,
} as const satisfies Readonly<Record<string, z.ZodType>>
