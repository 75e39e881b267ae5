import { loadPacked } from './packed-stand-in.ts'

/** The built program as a command: `run-packed-command.ts FOLDER HOME ARGS...`. Ends as the program ends. */
const [folder = '', home = '', ...args] = process.argv.slice(2)
process.argv = [process.execPath, ...args]
const { app, windows } = await loadPacked(folder, home)
for (let turn = 0; turn < 12_000 && app.exitCode === undefined; turn += 1) {
  await new Promise((next) => setTimeout(next, 10))
}
if (windows.length > 0) process.stderr.write('A window was opened.\n')
process.exit(windows.length > 0 ? 99 : (app.exitCode ?? 98))
