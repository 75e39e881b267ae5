import { writeFileSync } from 'node:fs'
import { eventSchemaText } from './event-schema.ts'

// `npm run event-schema`: brings docs/cli-events.schema.json up to date with the schemas in the code.
writeFileSync(new URL('../docs/cli-events.schema.json', import.meta.url), eventSchemaText())
