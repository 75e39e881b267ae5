import { InvalidArgumentError, Option } from 'commander'
import { resolve } from 'node:path'
import { costKeys, type CostKey } from '../../engine/store/costs.ts'
import type { Batch } from '../../engine/store/rows.ts'
import type { Store } from '../../engine/store/store.ts'
import { batchNamed } from '../batch-choice.ts'
import { agree } from '../consent.ts'
import { exitStatus, type ExitStatus } from '../exit-status.ts'
import { Problem, usageProblem } from '../problem.ts'
import { openPreferences, openStore, type Shell } from '../shell.ts'
import { counted, table } from '../table.ts'
import { jsonOption, yesOption, type AddCommands } from './perform.ts'

interface ReportOptions {
  readonly html?: string
  readonly pdf?: string
  readonly csv?: string
  readonly before: boolean
  readonly by?: CostKey
  readonly since?: number
  readonly json?: boolean
  readonly yes?: boolean
}

/** `vitrine report`: a batch as a contact sheet or a table, and what was spent on what. */
export const addReport: AddCommands = (program, perform) => {
  program
    .command('report')
    .description('a contact sheet (HTML, PDF) or table (CSV) of a batch, or costs by folder, preset or day')
    .argument('[BATCH]', 'the id of a batch (default: the newest)')
    .option('--html <FILE>', 'write a contact sheet that opens anywhere, with before and after')
    .option('--pdf <FILE>', 'write the contact sheet as PDF, for paper and mail')
    .option('--csv <FILE>', 'write a table; - for stdout')
    .option('--no-before', 'leave the sources out of the contact sheet; they have to be fetched from the web')
    .addOption(new Option('--by <WHAT>', 'costs of all batches, summed up by this').choices(costKeys))
    .option('--since <DATE>', 'costs from this day on, such as 2026-11-01', dayOf)
    .option(...jsonOption)
    .option(...yesOption)
    .action(async (batch: string | undefined, options: ReportOptions) => {
      await perform(options, async (shell) => await report(shell, batch, options))
    })
}

/** The local midnight with which a day begins, in milliseconds since the epoch. */
function dayOf(text: string): number {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text.trim()) ?? []
  const date = new Date(Number(year), Number(month) - 1, Number(day))
  // The 31st of a shorter month would be another day.
  if (date.getMonth() === Number(month) - 1 && date.getDate() === Number(day)) return date.getTime()
  throw new InvalidArgumentError('It must be a day such as 2026-11-01.')
}

async function report(shell: Shell, id: string | undefined, options: ReportOptions): Promise<ExitStatus> {
  const { html, pdf, csv, by, since } = options
  const isCosts = by !== undefined || since !== undefined
  if (isCosts && (id !== undefined || html !== undefined || pdf !== undefined)) {
    throw usageProblem('Costs (--by, --since) are of all batches: leave BATCH, --html and --pdf out.')
  }
  if (!isCosts && html === undefined && pdf === undefined && csv === undefined) {
    throw usageProblem(
      'Say what to write: --html FILE, --pdf FILE, --csv FILE, or --by folder, preset or day.',
    )
  }
  const store = await openStore(shell)
  try {
    if (isCosts) return await costs(shell, store, options)
    const batch = id === undefined ? store.batches.all().at(-1) : batchNamed(store, id)
    if (!batch) throw usageProblem('There is no batch yet.')
    if (csv !== undefined) await writeCsv(shell, store, batch, csv, options.yes)
    if (html !== undefined || pdf !== undefined) await writeSheets(shell, store, batch, options)
    return exitStatus.done
  } finally {
    store.close()
  }
}

async function costs(
  shell: Shell,
  store: Store,
  { by = 'folder', since = 0, csv, json, yes }: ReportOptions,
) {
  const { terminal } = shell
  const rows = store.costs.by(by, since)
  if (csv !== undefined) {
    const { csvRows } = await import('../../engine/reports/csv.ts')
    const cells = rows.map(({ key, images, runs, credits }) => [key, images, runs, credits])
    const text = csvRows([[by, 'images', 'runs', 'credits'], ...cells])
    await write(shell, csv, () => once(csv === '-' ? text : `\uFEFF${text}`), yes)
  } else if (json) for (const row of rows) terminal.json({ by, ...row })
  else if (rows.length === 0) terminal.say('Nothing was sent in that time.')
  else {
    const title = { folder: 'Folder', preset: 'Preset', day: 'Day' }[by]
    const cells = rows.map(({ key, images, runs, credits }) => [key, images, runs, credits])
    for (const line of table([title, 'Images', 'Runs', 'Credits'], cells)) terminal.print(line)
    const credits = rows.reduce((sum, row) => sum + row.credits, 0)
    terminal.say(`Together: ${counted(credits, 'credit')}.`)
  }
  return exitStatus.done
}

async function* once(text: string) {
  yield text
}

async function writeCsv(shell: Shell, store: Store, batch: Batch, file: string, yes: boolean | undefined) {
  const { batchCsv } = await import('../../engine/reports/csv.ts')
  await write(shell, file, () => batchCsv(store, batch), yes)
}

async function writeSheets(shell: Shell, store: Store, batch: Batch, options: ReportOptions) {
  const { html, pdf, before, yes } = options
  if (html === '-' || pdf === '-') {
    throw usageProblem(`--${html === '-' ? 'html' : 'pdf'} writes a file; give it a name.`)
  }
  const [{ PictureDesk }, { createPictureWorkers }, { createDownloads }] = await Promise.all([
    import('../../engine/interface/picture-desk.ts'),
    import('../../engine/pictures/picture-workers.ts'),
    import('../../engine/service/undici-downloads.ts'),
  ])
  const { home, clock } = shell
  const preferences = await openPreferences(shell)
  const openDownloads = (baseUrl: string) => createDownloads({ baseUrl })
  const workers = createPictureWorkers({ start: shell.overrides.startPictureProcess })
  const desk = new PictureDesk(
    { home, clock, store, openDownloads, preferences },
    { bench: undefined },
    workers,
  )
  try {
    const parts = { store, batch, title: batch.name ?? `Batch ${batch.id}`, now: clock.now(), before }
    if (html !== undefined) {
      const { contactSheet } = await import('../../engine/reports/contact-sheet.ts')
      const picture = (image: number, which: string) => desk.small(image, which, 256)
      await write(shell, html, () => contactSheet({ ...parts, picture }), yes)
    }
    if (pdf !== undefined) {
      const { pdfSheet } = await import('../../engine/reports/pdf-sheet.ts')
      const picture = (image: number, which: string) => desk.smallJpeg(image, which, 512)
      await write(shell, pdf, () => pdfSheet({ ...parts, picture }), yes)
    }
  } finally {
    workers.close()
    await desk.close()
  }
}

async function write(
  shell: Shell,
  file: string,
  chunks: () => AsyncIterable<string | Uint8Array>,
  yes: boolean | undefined,
): Promise<void> {
  const { terminal, io } = shell
  if (file === '-') {
    let text = ''
    for await (const chunk of chunks()) text += String(chunk)
    // Terminals and pipes need no mark of the byte order.
    terminal.print(text.replace(/^\uFEFF/, '').trimEnd())
    return
  }
  const { writeReport } = await import('../../engine/reports/write-report.ts')
  const path = resolve(io.cwd, file)
  try {
    if (!(await writeReport(path, chunks(), { replace: false }))) {
      await agree(shell, `${path} is there already. Replace it?`, yes)
      await writeReport(path, chunks(), { replace: true })
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (error instanceof Problem || code === undefined) throw error
    throw new Problem(exitStatus.unwritable, `${path} cannot be written (${code}).`)
  }
  terminal.say(`Written: ${path}`)
}
