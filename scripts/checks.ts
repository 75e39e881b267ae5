import { getBrowser } from './browser.ts'
import type { Tally } from './tally.ts'
import { runTool, type ToolEnd } from './tool.ts'

type Check = {
  readonly title: string
  readonly run: () => Promise<ToolEnd>
}

const sourceChecks: readonly Check[] = [
  { title: 'format', run: () => runTool('oxfmt', ['--check', '.']) },
  { title: 'lint', run: () => runTool('oxlint', ['--type-aware']) },
  { title: 'types', run: () => runTool('typescript', ['-b', '--pretty'], { bin: 'tsc' }) },
  { title: 'dead code', run: () => runTool('knip', ['--no-progress']) },
  // What the tests of the page look at, and look with.
  { title: 'page', run: () => runTool('vite', ['build', '--logLevel', 'warn']) },
  {
    title: 'component sheet',
    run: () => runTool('vite', ['build', '--mode', 'sheet', '--logLevel', 'warn']),
  },
  { title: 'browser', run: () => Promise.resolve(lookForBrowser()) },
]

function lookForBrowser(): ToolEnd {
  const started = performance.now()
  const end = (ok: boolean, output: string) => ({ ok, output, seconds: (performance.now() - started) / 1000 })
  try {
    return end(true, getBrowser())
  } catch (error) {
    return end(false, error instanceof Error ? error.message : String(error))
  }
}

/** What came of the checks; `problem` names those that failed. */
export type CheckRun = {
  readonly tally: Tally
  readonly problem?: string
}

/**
 * Runs what can be said of the sources without running them: format, lint (with the walls), types, dead code; and makes
 * ready what the tests of the page need. A failing check does not keep the next from running, so that all there is to mend is seen at once.
 * @param print takes the report, piece by piece
 */
export async function runChecks(
  print: (text: string) => void,
  checks: readonly Check[] = sourceChecks,
): Promise<CheckRun> {
  // Each of these tools uses both cores by itself; only reading and starting up overlaps.
  const ends = checks.map(async (check) => ({ title: check.title, end: await check.run() }))
  const failed: string[] = []
  // Awaited one by one: the lines come in the order of the table.
  for (const pending of ends) {
    const { title, end } = await pending
    print(`${end.ok ? '✓' : '✗'} ${title} (${end.seconds.toFixed(1)} s)\n`)
    if (end.ok) continue
    failed.push(title)
    print(`${end.output}\n\n`)
  }
  const tally = { passed: checks.length - failed.length, failed: failed.length, skipped: 0 }
  return failed.length === 0 ? { tally } : { tally, problem: `Failed above: ${failed.join(', ')}.` }
}
