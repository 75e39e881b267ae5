// The long form of e2e/batch-under-faults.test.ts: 200 images, as many minutes as the stalled answers take.
import { runTool } from './tool.ts'

process.env['FAULT_IMAGES'] = process.argv[2] ?? '200'
const ended = await runTool('vitest', ['run', 'e2e/batch-under-faults'], { show: true })
process.exitCode = ended.ok ? 0 : 1
