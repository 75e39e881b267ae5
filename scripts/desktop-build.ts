import { runTool } from './tool.ts'

const steps: readonly (readonly string[])[] = [
  ['--config', 'vite.main.config.ts', '--mode', 'main'],
  ['--config', 'vite.main.config.ts', '--mode', 'preload'],
]

/**
 * Builds what Electron runs into dist/electron: the program, then the preload.
 * @returns what the build said where it failed; undefined where it is there
 */
export async function buildDesktop(): Promise<string | undefined> {
  // One after the other: the first empties the folder.
  for (const step of steps) {
    const { ok, output } = await runTool('vite', ['build', '--logLevel', 'error', ...step])
    if (!ok) return output
  }
  return undefined
}
