import { existsSync, readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { DecisionError } from '../engine/batches/decisions.ts'
import { DeliveryError } from '../engine/delivery/delivery-error.ts'
import { PreferencesError } from '../engine/preferences/preferences.ts'
import { QueueFault } from '../engine/queue/parts.ts'
import { StoreError } from '../engine/store/database.ts'
import { plainText } from '../shared/plain-text.ts'
import type { AddCommands, Perform } from './commands/perform.ts'
import { addBatchCommands } from './commands/batches.ts'
import { addCompletions } from './commands/completions.ts'
import { addFileManager } from './commands/file-manager.ts'
import { addFiles } from './commands/files.ts'
import { addHotFolders } from './commands/hot-folders.ts'
import { addLookups } from './commands/lookups.ts'
import { addPractice } from './commands/practice.ts'
import { addPresets } from './commands/presets.ts'
import { addReport } from './commands/report.ts'
import { addReview } from './commands/review.ts'
import { addRun } from './commands/run.ts'
import { addRuns } from './commands/runs.ts'
import { addServe } from './commands/serve.ts'
import { addStatus } from './commands/status.ts'
import { dataFolderTrouble } from './data-folder-trouble.ts'
import { homeFolder } from './environment.ts'
import { reportFault, withoutSecrets } from '../engine/fault-report.ts'
import { exitStatus, type ExitStatus } from './exit-status.ts'
import type { Io } from './io.ts'
import { Problem } from './problem.ts'
import { createShell, type Overrides, type Shell } from './shell.ts'
import { StopSwitch } from './stop-switch.ts'
import { Terminal } from './terminal.ts'

const commands: readonly AddCommands[] = [
  addRun,
  addBatchCommands,
  addStatus,
  addReview,
  addRuns,
  addLookups,
  addPresets,
  addFiles,
  addHotFolders,
  addReport,
  addFileManager,
  addPractice,
  addServe,
  addCompletions,
]

/**
 * The whole command line (design, section 9).
 * @param argv arguments after the program's name
 * @returns the exit status; never throws
 */
export async function main(argv: readonly string[], io: Io, overrides: Overrides = {}): Promise<ExitStatus> {
  const terminal = new Terminal(io)
  const stop = new StopSwitch(io)
  stop.signal.addEventListener('abort', () => terminal.stopWaiting(), { once: true })
  const shell = createShell({ io, terminal, stop, home: homeFolder(io.env, io.cwd), overrides })
  let status: ExitStatus = exitStatus.done
  const perform: Perform = async (options, work) => {
    shell.json = options.json ?? false
    const left = stop.left.then((): ExitStatus => {
      throw new Problem(exitStatus.interrupted, 'Interrupted. Nothing was begun.')
    })
    status = await Promise.race([work(shell), left])
  }
  try {
    await programWith(terminal, perform).parseAsync([...argv], { from: 'user' })
  } catch (error) {
    status = endOf(shell, argv, error)
  }
  terminal.close()
  stop.close()
  await terminal.drained()
  return status
}

function programWith(terminal: Terminal, perform: Perform): Command {
  const program = new Command('vitrine')
    .description('Batch retouching for jewellery and product photographers.')
    .version(versionText(), '--version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.print(text.trimEnd()),
      // Wrong use is told in one sentence at the end, by endOf.
      writeErr: () => {},
    })
    .addHelpText(
      'after',
      '\nEnvironment: VITRINE_API_KEY, VITRINE_BASE_URL (up to and including /api/v1), VITRINE_HOME (data folder),\n' +
        'VITRINE_SETTLE_SECONDS, VITRINE_S3_ACCESS_KEY and VITRINE_S3_SECRET_KEY. Exit status and events: docs/cli.md.',
    )
  for (const add of commands) add(program, perform)
  return program
}

function versionText(): string {
  // Beside the sources, and two folders above what was built of them.
  const files = ['../package.json', '../../package.json'].map((path) => new URL(path, import.meta.url))
  const file = files.find((one) => existsSync(one))!
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}

/** One sentence for a person, an event for a script, and the exit status. */
function endOf(shell: Shell, argv: readonly string[], error: unknown): ExitStatus {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return exitStatus.done
    shell.json = argv.includes('--json')
  }
  const { status, message } = judged(shell, error)
  const shown = withoutSecrets(message, shell.secrets)
  shell.terminal.live('')
  shell.terminal.say(shown)
  if (shell.json && !shell.summed) shell.terminal.json({ event: 'error', message: shown, exit: status })
  return status
}

function judged(shell: Shell, error: unknown): { status: ExitStatus; message: string } {
  if (error instanceof Problem) return { status: error.status, message: error.message }
  if (error instanceof CommanderError) {
    return { status: exitStatus.usage, message: sentenceOf(error) }
  }
  const message = error instanceof Error ? plainText(error.message, 600) : ''
  if (error instanceof DecisionError) return { status: exitStatus.usage, message }
  if (error instanceof DeliveryError) return { status: exitStatus.unwritable, message }
  const trouble = ofDataFolder(error) ? dataFolderTrouble(shell.home, error) : undefined
  if (trouble !== undefined) return { status: exitStatus.unwritable, message: trouble }
  if (error instanceof PreferencesError) return { status: exitStatus.fault, message }
  const report = reportFault(shell.home, error, shell.secrets)
  const where = report === undefined ? '' : ` A report is in ${report}`
  if (error instanceof StoreError || error instanceof QueueFault) {
    return { status: exitStatus.fault, message: message + where }
  }
  return {
    status: exitStatus.fault,
    message: `Vitrine had to stop because of a fault of its own. Nothing is lost; "vitrine resume" goes on.${where}`,
  }
}

/** The preferences, the queue's database and the files beside it are what is kept there. */
function ofDataFolder(error: unknown): boolean {
  const isOurs = error instanceof PreferencesError || error instanceof StoreError
  return isOurs || (error instanceof Error && error.name === 'SqliteError')
}

/** What the parser of the command line says, as one sentence. */
function sentenceOf(error: CommanderError): string {
  if (error.code === 'commander.help') return 'No command was given; "vitrine --help" lists them.'
  const said = plainText(error.message.replace(/^error: /, ''), 500)
  const hint = /did you mean/i.test(said) || error.code === 'commander.invalidArgument'
  const end = /[.?)]$/.test(said) ? '' : '.'
  return `${said[0]!.toUpperCase()}${said.slice(1)}${end}${hint ? '' : ' "vitrine --help" and "vitrine COMMAND --help" tell what there is.'}`
}
