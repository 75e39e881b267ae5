import { exitStatus, type ExitStatus } from './exit-status.ts'

/** The end of a command for a reason that a person can do something about: one sentence and an exit status. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly status: ExitStatus
  constructor(status: ExitStatus, message: string) {
    super(message)
    this.status = status
  }
}

/** Wrong use: an option, argument, setting or environment variable. */
export function usageProblem(message: string): Problem {
  return new Problem(exitStatus.usage, message)
}
