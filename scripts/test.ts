// The test command: everything that must hold before a change is taken in, in one go, with counts.
// Arguments go to vitest: `npm test -- engine/queue` runs the tests of one folder, after the same checks.
import { runChecks } from './checks.ts'
import { runTests } from './test-run.ts'
import { closingLine, sum } from './tally.ts'

const checks = await runChecks()
const tests = await runTests(process.argv.slice(2))
const all = sum(checks, tests.tally)
if (tests.problem !== undefined) process.stdout.write(`${tests.problem}\n`)
process.stdout.write(`\n${closingLine(all)}\n`)
process.exitCode = all.failed === 0 ? 0 : 1
