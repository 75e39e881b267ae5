// Tests are believed because they find what was put there: each known mistake is planted in a copy of the sources, and
// the test that guards against it has to fail. `npm run planted -- WORD` plants those whose name has the word.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { plantedBugs } from './planted/bugs.ts'
import type { PlantedBug } from './planted/planted-bug.ts'
import { Tree } from './planted/tree.ts'
import { tryTests } from './planted/trial.ts'

const word = process.argv.slice(2).join(' ').toLowerCase()
const bugs = plantedBugs.filter(({ name }) => name.toLowerCase().includes(word))
const folder = mkdtempSync(join(tmpdir(), 'vitrine-planted-'))
const clear = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    clear()
    process.exit(130)
  })
}

type Outcome = 'passes' | 'fails' | 'is skipped'

/** Works through a list by two at a time, each in a tree of its own: one test never meets another's mistake. */
async function inTrees<T>(
  trees: readonly Tree[],
  work: readonly T[],
  act: (tree: Tree, one: T) => Promise<void>,
) {
  const left = [...work]
  await Promise.all(
    trees.map(async (tree) => {
      for (let one = left.shift(); one !== undefined; one = left.shift()) await act(tree, one)
    }),
  )
}

/** What becomes of the tests where nothing is planted: one that fails all the same would say nothing. */
async function tryUnplanted(trees: readonly Tree[]): Promise<ReadonlyMap<PlantedBug, Outcome>> {
  const outcomes = new Map<PlantedBug, Outcome>()
  const files = [...new Set(bugs.map(({ test }) => test.file))]
  await inTrees(trees, files, async (tree, file) => {
    const own = bugs.filter(({ test }) => test.file === file)
    const names = [...new Set(own.map(({ test }) => test.named ?? ''))]
    const trial = await tryTests(tree, { file, names: names.includes('') ? [] : names })
    for (const bug of own) {
      const isNamed = (test: string) => test.includes(bug.test.named ?? '')
      const isSkipped = trial.skipped.some(isNamed) && !trial.passed.some(isNamed)
      const isGreen = trial.isGreen && (isSkipped || trial.passed.some(isNamed))
      outcomes.set(bug, isGreen ? (isSkipped ? 'is skipped' : 'passes') : 'fails')
    }
    const bad = own.find((bug) => outcomes.get(bug) === 'fails')
    const why = trial.failed[0] ?? (trial.why || `no test is named ${bad?.test.named}`)
    const said = bad ? `NOT PASSED (${why})` : 'passed'
    print(`${said} without a mistake: ${file} (${trial.seconds.toFixed(1)} s)`)
  })
  return outcomes
}

async function isCaught(tree: Tree, bug: PlantedBug): Promise<boolean> {
  const { file, named } = bug.test
  const names = named === undefined ? [] : [named]
  const takeOut = tree.plant(bug)
  const { failed, why, seconds } = await tryTests(tree, { file, names, untilOne: true }).finally(takeOut)
  const verdict = failed.length > 0 ? 'caught' : `NOT CAUGHT${why === '' ? '' : ` (${why})`}`
  print(`${verdict}: ${bug.name} · promise ${bug.promise} · ${file} (${seconds.toFixed(1)} s)`)
  return failed.length > 0
}

function print(line: string) {
  process.stdout.write(`${line}\n`)
}

try {
  const began = performance.now()
  // What the tests leave behind goes with the rest.
  process.env['TMPDIR'] = join(folder, 'tmp')
  mkdirSync(join(folder, 'tmp'))
  const trees = ['one', 'two'].map((name) => Tree.copy(join(folder, name)))
  const outcomes = await tryUnplanted(trees)
  const survivors: string[] = []
  let caught = 0
  await inTrees(trees, bugs, async (tree, bug) => {
    if (outcomes.get(bug) === 'is skipped')
      print(`not tried: ${bug.name} (this machine skips its test in ${bug.test.file})`)
    else if (await isCaught(tree, bug)) caught += 1
    else survivors.push(bug.name)
  })
  const minutes = ((performance.now() - began) / 60_000).toFixed(1)
  print(`${caught} of ${bugs.length} planted mistakes were caught, in ${minutes} minutes.`)
  for (const name of survivors) print(`Not caught: ${name}.`)
  const isSound = [...outcomes.values()].every((outcome) => outcome !== 'fails')
  process.exitCode = bugs.length > 0 && survivors.length === 0 && isSound ? 0 : 1
} finally {
  clear()
}
