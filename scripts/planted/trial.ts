import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runTool } from '../tool.ts'
import type { PlantedTest } from './planted-bug.ts'
import type { Tree } from './tree.ts'
import { readVerdict, type Verdict } from './verdict.ts'

/** No test that is chosen here takes near as long. */
const limitMs = 5 * 60_000

export type Trial = Verdict & {
  /** Nothing went wrong, in a test or beside it. */
  readonly isGreen: boolean
  readonly seconds: number
}

/**
 * Runs tests in a tree.
 * @param names only tests whose name has one of these; all where there are none
 * @param untilOne ends at the first that fails
 */
export async function tryTests(
  tree: Tree,
  {
    file,
    names,
    untilOne = false,
  }: Pick<PlantedTest, 'file'> & { names: readonly string[]; untilOne?: boolean },
): Promise<Trial> {
  const report = join(mkdtempSync(join(tmpdir(), 'report-')), 'report.json')
  const args = ['run', file, '--cache=false', '--reporter=json', `--outputFile.json=${report}`]
  if (names.length > 0) args.push(`--testNamePattern=${names.map(literally).join('|')}`)
  if (untilOne) args.push('--bail=1')
  const { ok, seconds } = await runTool('vitest', args, { cwd: tree.folder, limitMs })
  const verdict = readVerdict(textOf(report))
  return { ...verdict, isGreen: ok, seconds }
}

function literally(name: string): string {
  return name.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
