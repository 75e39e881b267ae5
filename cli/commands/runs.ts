import { existsSync } from 'node:fs'
import { extname } from 'node:path'
import { Option } from 'commander'
import { dataFolder } from '../../engine/data-folder.ts'
import { defaultNameTemplate, parseNameTemplate } from '../../engine/delivery/names.ts'
import { outputsOf } from '../../engine/queue/offered-outputs.ts'
import type { OfferedOutput } from '../../engine/queue/parts.ts'
import type { OnConflict } from '../../engine/store/rows.ts'
import type { Store } from '../../engine/store/store.ts'
import { plainText } from '../../shared/plain-text.ts'
import type { Run, RunSummary } from '../../shared/wire.ts'
import { type Account, addressOf, openAccount, patiently, valueOf } from '../account.ts'
import { fetchOutputs } from '../fetch-outputs.ts'
import { exitStatus, type ExitStatus } from '../exit-status.ts'
import { wholeNumber } from '../numbers.ts'
import { prepareOutputFolder } from '../output-folder.ts'
import { Problem, usageProblem } from '../problem.ts'
import { openStore, type Shell } from '../shell.ts'
import { counted, table } from '../table.ts'
import { jsonOption, type AddCommands } from './perform.ts'

/** Statuses that the list can be asked for (interface, 4.3). */
const statuses = ['SUCCESS', 'FAILED', 'IN_QUEUE', 'IN_PROGRESS', 'all'] as const

interface ListOptions {
  readonly status: (typeof statuses)[number]
  readonly page: number
  readonly limit: number
  readonly json?: boolean
}

interface DownloadOptions {
  readonly out: string
  readonly name: string
  readonly onConflict: OnConflict
  readonly json?: boolean
}

/** `vitrine runs`: what the service has, also from other computers and the web application. */
export const addRuns: AddCommands = (program, perform) => {
  const runs = program.command('runs').description("the account's runs at the service")
  runs
    .command('list', { isDefault: true, hidden: true })
    .description('list runs, newest first')
    .addOption(new Option('--status <STATUS>', 'only these').choices(statuses).default('all'))
    .option('--page <N>', 'page, from 1', wholeNumber(1), 1)
    .option('--limit <N>', 'runs on a page', wholeNumber(1, 50), 20)
    .option(...jsonOption)
    .action(
      async (options: ListOptions) => await perform(options, async (shell) => await list(shell, options)),
    )
  runs
    .command('show')
    .description('everything about one run')
    .argument('<RUN>', 'the id of a run')
    .option(...jsonOption)
    .action(async (id: string, options: { json?: boolean }) => {
      await perform(options, async (shell) => await show(shell, id))
    })
  runs
    .command('download')
    .description('fetch the outputs of one run')
    .argument('<RUN>', 'the id of a run')
    .requiredOption('--out <DIR>', 'where outputs go')
    .option('--name <TEMPLATE>', 'names of the outputs', defaultNameTemplate)
    .addOption(
      new Option('--on-conflict <WHAT>', 'a file of that name that is not this result')
        .choices(['rename', 'skip', 'overwrite'])
        .default('rename'),
    )
    .option(...jsonOption)
    .action(async (id: string, options: DownloadOptions) => {
      await perform(options, async (shell) => await download(shell, id, options))
    })
}

/** Looks a run up in the store, where there is one: which image of which batch it belongs to. */
async function imagesOf(
  shell: Shell,
): Promise<{ find: (runId: string) => string | null; close: () => void }> {
  if (!existsSync(dataFolder(shell.home).queue)) return { find: () => null, close: () => {} }
  const store: Store = await openStore(shell)
  return {
    find(runId) {
      const image = store.images.byRun(runId)
      return image ? `${store.batches.bySeq(image.batchSeq).id}/${image.position + 1}` : null
    },
    close: () => store.close(),
  }
}

function recordOf(run: RunSummary, image: string | null) {
  return {
    runId: run.runId,
    appId: run.appId,
    appTitle: run.appTitle ?? null,
    status: run.status,
    created: run.created,
    credits: run.creditsCharged ?? null,
    image,
  }
}

async function list(shell: Shell, { page, limit, status }: ListOptions): Promise<ExitStatus> {
  const account = await openAccount(shell, await addressOf(shell))
  const answer = await patiently(shell, () => account.client.list({ page, limit, status }))
  account.close()
  const found = valueOf(answer, account)
  const images = await imagesOf(shell)
  const records = found.runs.map((run) => recordOf(run, images.find(run.runId)))
  images.close()
  if (shell.json) for (const record of records) shell.terminal.json(record)
  else if (records.length === 0) shell.terminal.say('No runs.')
  else {
    const rows = records.map((run) => [
      run.runId,
      run.appTitle ?? run.appId,
      run.status,
      run.created,
      run.credits ?? '',
      run.image ?? '',
    ])
    for (const line of table(['Run', 'App', 'Status', 'Created', 'Credits', 'Image'], rows)) {
      shell.terminal.print(line)
    }
    const total = found.total === undefined ? '' : ` of ${found.total.toLocaleString('en')}`
    const more = found.hasMore ? `; go on with --page ${page + 1}` : ''
    shell.terminal.say(`${counted(records.length, 'run')}${total}${more}.`)
  }
  return exitStatus.done
}

async function readRun(shell: Shell, account: Account, id: string): Promise<Run> {
  return valueOf(await patiently(shell, () => account.client.run(id)), account)
}

async function show(shell: Shell, id: string): Promise<ExitStatus> {
  const account = await openAccount(shell, await addressOf(shell))
  const run = await readRun(shell, account, id)
  account.close()
  const images = await imagesOf(shell)
  const image = images.find(run.runId)
  images.close()
  // Links are left out: they are secrets for as long as they live. `runs download` uses them.
  const formats = new Map(run.extraOutputs.map((extra) => [extra.slug, extra.format]))
  const outputs = outputsOf(run).map(({ label, slug }) => ({
    label,
    slug,
    format: formats.get(slug) ?? null,
  }))
  if (shell.json) {
    shell.terminal.json({
      ...recordOf(run, image),
      completed: run.completed ?? null,
      error: run.error ?? null,
      isVideo: run.isVideo,
      outputs,
    })
    return exitStatus.done
  }
  const facts: [string, string | undefined][] = [
    ['Run', run.runId],
    ['App', run.appTitle === undefined ? run.appId : `${run.appTitle} (${run.appId})`],
    ['Status', run.status],
    ['Created', run.created],
    ['Completed', run.completed],
    ['Charged', run.creditsCharged === undefined ? undefined : counted(run.creditsCharged, 'credit')],
    ['Outputs', outputs.map((output) => output.label).join(', ') || undefined],
    ['Error', run.error],
    ['Image', image ?? undefined],
  ]
  for (const [title, text] of facts) {
    if (text !== undefined && text !== '') shell.terminal.print(`${title.padEnd(10)} ${plainText(text)}`)
  }
  return exitStatus.done
}

async function download(shell: Shell, id: string, options: DownloadOptions): Promise<ExitStatus> {
  const template = parseNameTemplate(options.name)
  if (!template.ok) throw usageProblem(`--name: ${template.problem}`)
  if (options.out === '') throw usageProblem('--out is empty; give a folder.')
  const account = await openAccount(shell, await addressOf(shell))
  try {
    const run = await readRun(shell, account, id)
    const outputs = await offered(shell, account, run)
    const outDir = await prepareOutputFolder(options.out, shell.io.cwd)
    const name = await nameOf(shell, account, run)
    await fetchOutputs(shell, account, {
      run,
      outputs,
      outDir,
      name,
      template: template.template,
      onConflict: options.onConflict,
    })
    return exitStatus.done
  } finally {
    account.close()
  }
}

/** @throws Problem: 2 where the run failed or is not finished, 69 where the service offers no link */
async function offered(shell: Shell, account: Account, run: Run): Promise<readonly OfferedOutput[]> {
  const id = plainText(run.runId, 80)
  if (run.status === 'FAILED') {
    throw new Problem(
      exitStatus.attention,
      `Run ${id} failed: ${plainText(run.error ?? 'no reason was given')}`,
    )
  }
  if (run.status !== 'SUCCESS') {
    throw new Problem(exitStatus.attention, `Run ${id} is not finished yet (${run.status}); try again later.`)
  }
  const outputs = outputsOf(run)
  if (outputs.length > 0) return outputs
  const link = valueOf(await patiently(shell, () => account.client.downloadLink(run.runId)), account)
  return [{ label: 'Result', slug: 'primary', url: link.downloadUrl, isVideo: run.isVideo }]
}

/** The service's own name for the file (2.5), else the run's id. */
async function nameOf(shell: Shell, account: Account, run: Run): Promise<string> {
  const link = await patiently(shell, () => account.client.downloadLink(run.runId))
  const filename = link.kind === 'ok' ? link.value.filename : undefined
  return filename === undefined ? run.runId : filename.slice(0, filename.length - extname(filename).length)
}
