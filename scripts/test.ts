// The test command: everything that must hold before a change is taken in, in one go, with counts.
// Arguments go to vitest: `npm test -- engine/queue` runs the tests of one folder, after the same checks.
import { runChecks } from './checks.ts'
import { runTests } from './test-run.ts'
import { closingLine, sum } from './tally.ts'

const print = (text: string) => process.stdout.write(text)
const checks = await runChecks(print)
const tests = await runTests(process.argv.slice(2))
for (const { problem } of [checks, tests]) if (problem !== undefined) print(`${problem}\n`)
const all = sum(checks.tally, tests.tally)
print(`\n${closingLine(all)}\n`)
process.exitCode = all.failed === 0 ? 0 : 1
