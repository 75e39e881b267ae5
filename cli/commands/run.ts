import { type Command, Option } from 'commander'
import type { BatchRequest } from '../../engine/batches/add-batch.ts'
import { chooseVariants, type ChosenVariants } from '../../engine/batches/variants.ts'
import { defaultNameTemplate, parseNameTemplate } from '../../engine/delivery/names.ts'
import type { Preferences } from '../../engine/preferences/preferences.ts'
import type { ReceiverSettings } from '../../engine/webhook/receiver.ts'
import type { OnConflict } from '../../engine/store/rows.ts'
import { changesPictures, metadataChoices, type MetadataChoice } from '../../shared/metadata.ts'
import { settingRules } from '../../shared/settings.ts'
import type { Balance } from '../../shared/wire.ts'
import { openAccount, readBalance, warnOfUnknownApp } from '../account.ts'
import { tellBatch } from '../begin.ts'
import type { Engine } from '../compose.ts'
import { agree } from '../consent.ts'
import { beginDraft, draftRun, type Draft } from '../../engine/batches/draft.ts'
import { serviceAddress, settleMs } from '../environment.ts'
import { tellCost, tellDryRun } from '../estimate.ts'
import type { ExitStatus } from '../exit-status.ts'
import { repeated, wholeNumber } from '../numbers.ts'
import { namedOutputFolder, prepareOutputFolder } from '../output-folder.ts'
import { publishingWays, publishLocal, tellUploads } from '../own-files.ts'
import { usageProblem } from '../problem.ts'
import { checkSettings, chooseRecipes, type ChosenRecipe } from '../recipe.ts'
import { openPreferences, warn, type Shell } from '../shell.ts'
import { counted } from '../table.ts'
import { loadEngine } from './load-engine.ts'
import { jsonOption, yesOption, type AddCommands } from './perform.ts'

interface RunOptions {
  readonly out?: string
  readonly app?: string
  readonly preset?: readonly string[]
  readonly set?: readonly string[]
  readonly webhookUrl?: string
  readonly webhookPort?: number
  readonly budget?: number
  readonly inFlight?: number
  readonly name: string
  readonly onConflict: OnConflict
  readonly metadata?: MetadataChoice
  readonly again?: boolean
  readonly test?: number
  readonly publish?: string
  readonly json?: boolean
  readonly dryRun?: boolean
  readonly yes?: boolean
}

/** Reaches nobody, by its ending: the service has to be given some address, and signed links go there. */
const webhookToNobody = 'https://vitrine.invalid/none'
const defaultOut = 'Retouched'

/** `vitrine run`: from sources to delivered pictures. */
export const addRun: AddCommands = (program, perform) => {
  const command = program
    .command('run')
    .description('retouch every picture that the sources name')
    .argument('<SOURCE...>', 'folder, list file, shortcut, http(s) URL, or - (stdin)')
    .option('--out <DIR>', `where outputs go (default: the saved one, else ./${defaultOut})`)
    .option('--app <ID>', "the app (else the preset's)")
    .option(
      '--preset <NAME|FILE>',
      'a saved or built-in preset, or a preset file; repeatable: each picture once with each',
      repeated,
    )
    .option('--set <KEY=VALUE>', 'one parameter; repeatable; JSON value, else a string', repeated)
    .option('--webhook-url <URL>', 'where the service sends its notice (default: nowhere)')
    .option(
      '--webhook-port <PORT>',
      'hear notices that a tunnel from that address brings to this port of 127.0.0.1 (0: any)',
      wholeNumber(0, 65_535),
    )
  addLimits(command)
    .option('--dry-run', 'show what would be sent and what it costs, and end')
    .option(...jsonOption)
    .option(...yesOption)
    .addHelpText('after', settingsHelp)
    .action(async (sources: string[], options: RunOptions) => {
      await perform(options, async (shell) => await run(shell, sources, options))
    })
}

function addLimits(command: Command): Command {
  return command
    .option('--budget <CREDITS>', 'stop submitting before more than this is charged', wholeNumber(0))
    .option('--in-flight <N>', 'at most N runs submitted and unfinished', wholeNumber(1, 10_000))
    .option('--name <TEMPLATE>', 'names of the outputs', defaultNameTemplate)
    .addOption(
      new Option('--on-conflict <WHAT>', 'a file of that name that is not this result')
        .choices(['rename', 'skip', 'overwrite'])
        .default('rename'),
    )
    .addOption(
      new Option(
        '--metadata <WHAT>',
        'what is written into the outputs (default: the saved choice, else none)',
      ).choices(metadataChoices),
    )
    .option('--again', 'do not skip what was already delivered with these settings')
    .option(
      '--publish <HOW>',
      'pictures of this computer: storage, address, no, or the http(s) address of SOURCE (default: as set up)',
    )
    .option('--test <N>', 'submit N pictures, hold the rest until "vitrine release"', wholeNumber(1))
}

const settingsHelp = `
Settings of the retouchers (--set KEY=VALUE; a key that is left out is up to the account):
${settingRules
  .map((rule) => {
    const kinds = {
      choice: rule.kind === 'choice' ? rule.choices.join(' | ') : '',
      color: '#RRGGBB',
      switch: 'true | false',
      number: rule.kind === 'number' ? `${rule.min} to ${rule.max}` : '',
    }
    return `  ${rule.key.padEnd(20)} ${kinds[rule.kind].padEnd(28)} ${rule.help}`
  })
  .join('\n')}`

/** Usage and settings first, without the network; then the key; then the rest (design, section 9). */
async function run(shell: Shell, sources: readonly string[], options: RunOptions): Promise<ExitStatus> {
  const { io } = shell
  const preferences = (await openPreferences(shell)).read()
  settleMs(io.env)
  checkUse(sources, options)
  const ways = publishingWays(options.publish, preferences.ownFiles, sources, io.cwd)
  checkSettings(options)
  const base = serviceAddress(io.env, preferences.baseUrl)
  const chosen = chooseRecipes(options, preferences, io.cwd, base.href)
  const several = severalOf(chosen, options.name)
  const webhookUrl = checkWebhook(options.webhookUrl ?? preferences.webhookUrl ?? webhookToNobody)
  const receiver = receiverOf(options, webhookUrl)
  for (const word of new Set([...chosen.flatMap(({ words }) => words), ...several.words])) warn(shell, word)
  const metadata = options.metadata ?? preferences.chosen.metadata ?? 'none'
  await warnOfMetadata(shell, metadata)
  const account = await openAccount(shell, base)
  const { readSources } = await import('../sources.ts')
  const intake = await readSources(shell, sources, (found) => publishLocal(shell, found, ways, base.href))
  tellUploads(shell, intake, ways)
  const folder = outFolder(shell, options, preferences)
  const outDir = await (options.dryRun ? namedOutputFolder : prepareOutputFolder)(folder, io.cwd)
  const balance = await readBalance(shell, account)
  for (const app of new Set(several.variants.map(({ recipe }) => recipe.appId))) {
    await warnOfUnknownApp(shell, account.client, app)
  }
  const { composeEngine, workOn } = await loadEngine()
  const engine = await composeEngine(shell, account, receiver)
  try {
    const [first, ...others] = several.variants
    const request: BatchRequest = {
      connectionId: engine.connectionId,
      pictures: intake.images.map(({ url, folder, name }) => ({ source: url, folder, name: name ?? null })),
      ...first!,
      others,
      outDir,
      nameTemplate: several.nameTemplate,
      onConflict: options.onConflict,
      webhookUrl,
      metadata,
      budget: options.budget ?? null,
      inFlight: options.inFlight ?? null,
      again: options.again ?? false,
      test: options.test ?? null,
    }
    const draft = draftRun(engine.store, request)
    refuseLargerTest(engine, draft)
    tellUnfinished(shell, engine, draft)
    if (options.dryRun) return tellDryRun(shell, engine, draft, balance)
    return await begin(shell, engine, draft, { balance, options, workOn })
  } finally {
    await engine.close()
  }
}

interface Beginning {
  readonly balance: Balance
  readonly options: RunOptions
  readonly workOn: Awaited<ReturnType<typeof loadEngine>>['workOn']
}

/** Asks, adds the batch and works on it. */
async function begin(
  shell: Shell,
  engine: Engine,
  draft: Draft,
  { balance, options, workOn }: Beginning,
): Promise<ExitStatus> {
  await confirm(shell, engine, draft, balance, options.yes)
  const since = engine.store.images.change()
  const { earlier, batch } = beginDraft(engine.store, draft, shell.clock)
  if (!batch && earlier.length === 1 && options.budget !== undefined) {
    engine.store.batches.setBudget(earlier[0]!.seq, options.budget)
  }
  for (const one of earlier)
    tellBatch(shell, engine, engine.store.batches.bySeq(one.seq), { resumed: true, balance })
  if (batch) {
    tellBatch(shell, engine, batch, { resumed: false, balance })
    shell.terminal.say(`Batch ${batch.id} goes to ${batch.outDir}`)
  }
  return await workOn(shell, engine, batch ? [...earlier, batch] : earlier, { since })
}

function checkUse(sources: readonly string[], options: RunOptions) {
  if (sources.filter((source) => source === '-').length > 1) {
    throw usageProblem('SOURCE - (stdin) can be read once only.')
  }
  if (sources.some((source) => source === '')) throw usageProblem('A SOURCE is empty.')
  if (options.out === '') throw usageProblem('--out is empty; give a folder.')
  const template = parseNameTemplate(options.name)
  if (!template.ok) throw usageProblem(`--name: ${template.problem}`)
}

/** Said where it is chosen; the pictures are delivered all the same. */
async function warnOfMetadata(shell: Shell, metadata: MetadataChoice) {
  if (!changesPictures(metadata)) return
  const { metadataTrouble } = await import('../../engine/metadata/exiftool.ts')
  const trouble = await metadataTrouble()
  if (trouble !== undefined) warn(shell, trouble)
}

function checkWebhook(text: string): string {
  const url = URL.parse(text.trim())
  if (
    url &&
    (url.protocol === 'https:' || url.protocol === 'http:') &&
    url.username === '' &&
    url.password === ''
  ) {
    return text.trim()
  }
  throw usageProblem('--webhook-url must be an http or https address without a name or password in it.')
}

/** @throws Problem (64) where a port is given and no address that leads to it */
function receiverOf({ webhookPort }: RunOptions, address: string): ReceiverSettings | undefined {
  if (webhookPort === undefined) return undefined
  if (address === webhookToNobody) {
    throw usageProblem("--webhook-port needs --webhook-url: the tunnel's address, which the service is told.")
  }
  return { address, port: webhookPort }
}

function outFolder(shell: Shell, options: RunOptions, preferences: Preferences): string {
  if (options.out !== undefined) return options.out
  if (preferences.outDir !== undefined) return preferences.outDir
  shell.terminal.say(`No --out was given: outputs go to ${defaultOut} in the current folder.`)
  return defaultOut
}

/** Several presets, told apart by name. @throws Problem (64) */
function severalOf(chosen: readonly ChosenRecipe[], nameTemplate: string): ChosenVariants {
  const wanted = chosen.map(({ presetName, recipe }) => ({ preset: presetName, recipe }))
  const several = chooseVariants(wanted, nameTemplate)
  if (several.trouble !== undefined) throw usageProblem(several.trouble)
  return several
}

/** The estimate beside the balance, and the question; nothing is asked where nothing is spent. */
async function confirm(
  shell: Shell,
  engine: Engine,
  draft: Draft,
  balance: Balance,
  yes: boolean | undefined,
) {
  const toSubmit = tellCost(shell, engine, draft, balance)
  if (toSubmit > 0) await agree(shell, `Send ${counted(toSubmit, 'image')}?`, yes)
}

/** To go on with an earlier batch must not send more than the test that was asked for. @throws Problem (64) */
function refuseLargerTest({ store }: Engine, { earlier, plan }: Draft) {
  const { test } = plan.request
  const most = (test ?? 0) * plan.variants.length
  const larger = earlier.find((batch) => test !== null && store.batches.counts(batch.seq).waiting > most)
  if (!larger) return
  throw usageProblem(
    `Batch ${larger.id} is already under way with these images, and more of them wait than --test ${test}; ` +
      `"vitrine resume ${larger.id}" goes on with it, "vitrine cancel ${larger.id}" gives it up.`,
  )
}

/** Batches from before: those that have these pictures are gone on with, the others only named. */
function tellUnfinished(shell: Shell, engine: Engine, { earlier, taken }: Draft) {
  if (taken > 0) {
    const names = earlier.map((batch) => batch.id).join(', ')
    warn(
      shell,
      `${counted(taken, 'image is', 'images are')} already in batch ${names}, which is gone on with; ` +
        'to send them a second time add --again.',
    )
  }
  const left = engine.store.batches
    .unfinished()
    .filter((batch) => batch.state !== 'running' && batch.connectionId === engine.connectionId)
    .filter((batch) => earlier.every((one) => one.seq !== batch.seq))
  if (left.length === 0) return
  const names = left.slice(-5).map((batch) => batch.id)
  shell.terminal.say(`Unfinished from before: ${names.join(', ')}; "vitrine resume" goes on with them.`)
}
