// Pictures of every screen of the program, in both themes and two sizes, into docs/screens (or the folder that is named).
import { runTool } from './tool.ts'

const built = await runTool('vite', ['build', '--logLevel', 'warn'], { show: true })
process.env['VITRINE_SCREENS'] = process.argv[2] ?? 'docs/screens'
const ended = built.ok ? await runTool('vitest', ['run', 'e2e/every-screen'], { show: true }) : built
process.exitCode = ended.ok ? 0 : 1
