import { Argument } from 'commander'
import { completionScript, completionShells, type CompletionShell } from '../completion-scripts.ts'
import { exitStatus } from '../exit-status.ts'
import type { AddCommands } from './perform.ts'

/** `vitrine completions SHELL`: what a shell offers at the tab key, made of the commands as they are. */
export const addCompletions: AddCommands = (program, perform) => {
  program
    .command('completions')
    .description('print a script with which a shell completes commands and options')
    .addArgument(new Argument('<SHELL>', 'for which shell').choices(completionShells))
    .action(async (shell: CompletionShell) => {
      await perform({}, async ({ terminal }) => {
        terminal.print(completionScript(program, shell).trimEnd())
        return await Promise.resolve(exitStatus.done)
      })
    })
}
