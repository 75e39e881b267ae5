import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { eventSchemaText } from './event-schema.ts'

test('the schema file in docs/ is that of the code (npm run event-schema)', () => {
  const file = readFileSync(new URL('../docs/cli-events.schema.json', import.meta.url), 'utf8')
  expect(file).toBe(eventSchemaText())
})
