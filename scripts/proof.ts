// What takes too long for `npm test`: every fault of the network, more kills, more damage, larger inputs. At most six
// minutes on two quiet cores; `npm run proof -- --long` goes on for hours, with the stories and the walk of kills too.
import { spawnSync } from 'node:child_process'
import { root, runTool } from './tool.ts'

const long = process.argv.includes('--long')
process.env['PROOF'] = long ? 'long' : 'whole'

const doors = [
  'cli/any-answer',
  'cli/web/any-question',
  'shared/wire',
  'engine/intake/address',
  'engine/intake/formats',
]
const files = ['engine/store/damage', 'engine/delivery/names', 'engine/delivery/spoiled-pictures']
const tests = ['e2e/proof', 'electron/desktop.test', ...doors, ...files]
const further = [
  ['bench/model.ts', '100000'],
  ['bench/lost-answers.ts', '100000'],
  ['cli/testing/walk-all.ts', '20'],
] as const

const { ok } = await runTool('vitest', ['run', ...tests], { show: true })
let failed = ok ? 0 : 1
for (const command of long ? further : []) {
  const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' })
  if (status !== 0) failed += 1
}
process.exitCode = failed === 0 ? 0 : 1
