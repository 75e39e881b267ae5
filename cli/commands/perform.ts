import type { Command } from 'commander'
import type { ExitStatus } from '../exit-status.ts'
import type { Shell } from '../shell.ts'

/** Runs one command's work, with everything around it: the shell, the end, the exit status. */
export type Perform = (
  options: { readonly json?: boolean },
  work: (shell: Shell) => Promise<ExitStatus>,
) => Promise<void>

/** Adds commands to the program. */
export type AddCommands = (program: Command, perform: Perform) => void

export const jsonOption = ['--json', 'print JSON, one object a line, on stdout'] as const
export const yesOption = ['--yes', 'do not ask'] as const
