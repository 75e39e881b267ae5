import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { InvalidArgumentError, type Command } from 'commander'
import type { FaultRule, PracticeOptions, ProcessingTime } from '../../practice-service/start.ts'
import { plainText } from '../../shared/plain-text.ts'
import { exitStatus, type ExitStatus } from '../exit-status.ts'
import { fractional, wholeNumber } from '../numbers.ts'
import { usageProblem } from '../problem.ts'
import type { Shell } from '../shell.ts'
import { jsonOption, type AddCommands } from './perform.ts'

interface PracticeFlags {
  readonly port: number
  readonly key: string
  readonly credits: number
  readonly concurrency?: number
  readonly seconds?: ProcessingTime
  readonly linkSeconds?: number
  readonly failureRate?: number
  readonly seed?: number
  readonly state?: string
  readonly faults?: string
  readonly echo?: boolean
  readonly shoot?: string
  readonly json?: boolean
}

/** `vitrine practice`: the practice service on loopback until Ctrl-C. */
export const addPractice: AddCommands = (program, perform) => {
  const command: Command = program
    .command('practice')
    .description('start the practice service, which needs no account, until Ctrl-C')
    .option('--port <N>', 'port on 127.0.0.1; 0 for any free one', wholeNumber(0, 65_535), 0)
    .option('--key <KEY>', 'the API key of its account', 'practice')
    .option('--credits <N>', 'credits of its account', wholeNumber(0, 1_000_000_000), 500)
    .option('--shoot <DIR>', 'write lists of the sample shoot into this folder')
    .option('--concurrency <N>', 'runs worked on at the same time', wholeNumber(1, 1000))
    .option('--seconds <S|MIN-MAX>', 'processing time of a run', processingTime)
    .option('--link-seconds <N>', 'life of signed links', wholeNumber(1))
    .option('--failure-rate <P>', 'chance from 0 to 1 that a run fails', fractional(0, 1))
    .option('--seed <N>', 'seed of times and failures', wholeNumber(0))
    .option('--state <DIR>', 'keep runs, credits and outputs in this folder')
    .option('--faults <FILE>', 'JSON with fault rules')
    .option('--echo', 'answer with tiny pictures, without image work')
    .option(...jsonOption)
  command.action(async (flags: PracticeFlags) => {
    await perform(flags, async (shell) => await practice(shell, flags))
  })
}

function processingTime(text: string): ProcessingTime {
  const match = /^(\d*\.?\d+)(?:-(\d*\.?\d+))?$/.exec(text.trim())
  if (!match) throw new InvalidArgumentError('It must be seconds, such as 2 or 10-60.')
  const [from, to] = [Number(match[1]), match[2] === undefined ? undefined : Number(match[2])]
  if (to === undefined) return from
  if (to < from) throw new InvalidArgumentError('The second number must not be smaller than the first.')
  return [from, to]
}

async function practice(shell: Shell, flags: PracticeFlags): Promise<ExitStatus> {
  const { terminal, stop } = shell
  if (!/^[\x21-\x7e]{1,200}$/.test(flags.key))
    throw usageProblem('--key must be plain characters without blanks.')
  const { parseFaultRules, startPracticeService, writeShootLists } =
    await import('../../practice-service/start.ts')
  const faults = flags.faults === undefined ? [] : readFaults(shell, flags.faults, parseFaultRules)
  const service = await startPracticeService(optionsOf(shell, flags, faults)).catch((error: unknown) => {
    throw usageProblem(error instanceof Error ? plainText(error.message, 500) : 'It could not be started.')
  })
  stop.endInGoodOrder()
  if (flags.shoot !== undefined) {
    const folder = resolve(shell.io.cwd, flags.shoot)
    const lists = await writeShootLists(folder, service.origin)
    terminal.say(`${lists.length} lists of the sample shoot are in ${folder}`)
  }
  if (shell.json) terminal.json({ baseUrl: service.url, key: flags.key, origin: service.origin })
  else {
    terminal.print(`export VITRINE_BASE_URL=${service.url}`)
    terminal.print(`export VITRINE_API_KEY=${flags.key}`)
  }
  terminal.say('The practice service runs until Ctrl-C.')
  await new Promise<void>((resolve) => {
    if (stop.signal.aborted) resolve()
    else stop.signal.addEventListener('abort', () => resolve(), { once: true })
  })
  await service.close()
  return exitStatus.done
}

function optionsOf(shell: Shell, flags: PracticeFlags, faults: readonly FaultRule[]): PracticeOptions {
  const { port, key, credits, concurrency, seconds, linkSeconds, failureRate, seed, state, echo } = flags
  return {
    port,
    accounts: [{ key, subscriptionCredits: credits, otherCredits: 0 }],
    faults,
    imageWork: echo ? 'echo' : 'real',
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(seconds === undefined ? {} : { processing: seconds }),
    ...(linkSeconds === undefined ? {} : { linkSeconds }),
    ...(failureRate === undefined ? {} : { failureRate }),
    ...(seed === undefined ? {} : { seed }),
    ...(state === undefined ? {} : { stateFolder: resolve(shell.io.cwd, state) }),
  }
}

function readFaults(shell: Shell, file: string, parse: (json: unknown) => FaultRule[]): FaultRule[] {
  const shown = plainText(file, 300)
  try {
    return parse(JSON.parse(readFileSync(resolve(shell.io.cwd, file), 'utf8')))
  } catch (error) {
    if (error instanceof SyntaxError) throw usageProblem(`The fault rules ${shown} are not JSON.`)
    const code = (error as NodeJS.ErrnoException).code
    const why = code === undefined ? (error as Error).message : `they cannot be read (${code})`
    throw usageProblem(`The fault rules ${shown}: ${plainText(why)}`)
  }
}
