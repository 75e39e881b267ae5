import type { Tally } from './tally.ts'
import { runTool, type ToolEnd } from './tool.ts'

type Check = {
  readonly title: string
  readonly run: () => Promise<ToolEnd>
}

const checks: readonly Check[] = [
  { title: 'format', run: () => runTool('oxfmt', ['--check', '.']) },
  { title: 'lint', run: () => runTool('oxlint', ['--type-aware']) },
  { title: 'types', run: () => runTool('typescript', ['-b', '--pretty'], { bin: 'tsc' }) },
  { title: 'dead code', run: () => runTool('knip', ['--no-progress']) },
]

/**
 * Runs what can be said of the sources without running them: format, lint (with the walls), types, dead code. A failing
 * check does not keep the next from running, so that all there is to mend is seen at once.
 */
export async function runChecks(): Promise<Tally> {
  // Each of these tools uses both cores by itself; only reading and starting up overlaps.
  const ends = checks.map(async (check) => ({ check, end: await check.run() }))
  let failed = 0
  // Awaited one by one: the lines come in the order of the table.
  for (const pending of ends) {
    const { check, end } = await pending
    process.stdout.write(`${end.ok ? '✓' : '✗'} ${check.title} (${end.seconds.toFixed(1)} s)\n`)
    if (end.ok) continue
    failed += 1
    process.stdout.write(`${end.output}\n\n`)
  }
  return { passed: checks.length - failed, failed, skipped: 0 }
}
