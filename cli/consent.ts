import { usageProblem } from './problem.ts'
import type { Shell } from './shell.ts'

/**
 * Asks before something is spent or given up.
 * @throws Problem (64) where the answer is no, or nobody can be asked.
 */
export async function agree(shell: Shell, question: string, yes: boolean | undefined) {
  if (yes || (await shell.terminal.ask(question))) return
  throw usageProblem('Nothing was sent or changed.')
}
