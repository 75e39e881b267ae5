import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { Tally } from './tally.ts'
import { runTool } from './tool.ts'

const reportSchema = z.object({
  testResults: z.array(
    z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) }),
  ),
})

/** What came of the tests; `problem` says in a sentence what the counts alone do not show. */
export type TestRun = {
  readonly tally: Tally
  readonly problem?: string
}

/** Runs vitest with `args`, its own report on the terminal, and counts from its machine-readable one. */
export async function runTests(args: readonly string[]): Promise<TestRun> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-tests-'))
  const report = join(folder, 'report.json')
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    const end = await runTool('vitest', ['run', ...reporters, ...args], { show: true })
    return judge(await readFile(report, 'utf8').catch(() => ''), end.ok)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Counts what the report holds. A file that could not be loaded counts as one failed test, and so does a run that
 * failed with nothing failed in it (an error outside a test) or that ran no test at all.
 */
export function judge(report: string, ok: boolean): TestRun {
  const files = readReport(report)
  if (files === undefined) {
    return { tally: { passed: 0, failed: 1, skipped: 0 }, problem: 'The tests left no report.' }
  }
  const tests = files.flatMap((file) => file.assertionResults.map((test) => test.status))
  const passed = tests.filter((status) => status === 'passed').length
  const unloaded = files.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  ).length
  const failed = tests.filter((status) => status === 'failed').length + unloaded
  const skipped = tests.length - passed - (failed - unloaded)
  if (passed + failed === 0) {
    return { tally: { passed, failed: 1, skipped }, problem: 'No test was run.' }
  }
  if (!ok && failed === 0) {
    return {
      tally: { passed, failed: 1, skipped },
      problem: 'The test run failed outside a test; see above.',
    }
  }
  return { tally: { passed, failed, skipped } }
}

function readReport(text: string): z.infer<typeof reportSchema>['testResults'] | undefined {
  try {
    return reportSchema.parse(JSON.parse(text)).testResults
  } catch {
    return undefined
  }
}
