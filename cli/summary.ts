import type { QueueEnd } from '../engine/queue/queue.ts'
import { plainText } from '../shared/plain-text.ts'
import type { SummaryEvent } from './events.ts'
import type { ExitStatus } from './exit-status.ts'
import type { Shell } from './shell.ts'
import { counted } from './table.ts'
import { sumOf, type BatchTotals, type Totals } from './totals.ts'

export interface WorkResult {
  readonly end: QueueEnd
  readonly status: ExitStatus
  readonly totals: readonly BatchTotals[]
  readonly seconds: number
}

/** The end of work on batches: a few lines for a person, and with `--json` the last event. */
export function tellSummary(shell: Shell, result: WorkResult) {
  const { terminal, json } = shell
  terminal.live('')
  for (const line of summaryLines(result)) terminal.say(line)
  if (json) {
    terminal.json(summaryEvent(result))
    shell.summed = true
  }
}

function summaryEvent(result: WorkResult): SummaryEvent {
  const { end, status, totals, seconds } = result
  const only = totals.length === 1 ? totals[0] : undefined
  return {
    event: 'summary',
    batch: only?.batch ?? null,
    ...sumOf(totals),
    outDir: only?.outDir ?? null,
    manifest: only?.manifest ?? null,
    seconds: Math.round(seconds * 10) / 10,
    stopped: end.kind === 'done' ? null : end.kind,
    message: 'message' in end ? plainText(end.message) : null,
    exit: status,
    batches: [...totals],
  }
}

/** What a person reads at the end: what is safe first, then what to do. */
export function summaryLines({ end, totals }: WorkResult): string[] {
  const lines: string[] = []
  for (const batch of totals) {
    lines.push(`Batch ${batch.batch}: ${outcome(batch)}. ${counted(batch.creditsCharged, 'credit')} charged.`)
    if (batch.delivered + batch.skipped > 0) {
      lines.push(`The pictures and ${manifestShown(batch)} are in ${batch.outDir}`)
    }
    if (batch.failed > 0) lines.push(`To try the failed ones again: vitrine retry ${batch.batch}`)
    if (batch.review > 0) lines.push(`To decide on those that need review: vitrine review ${batch.batch}`)
    if (batch.held > 0) lines.push(`To send the held ones: vitrine release ${batch.batch}`)
  }
  return [...lines, ...endLines(end, sumOf(totals))]
}

function manifestShown(batch: BatchTotals): string {
  return batch.manifest.slice(batch.outDir.length).replace(/^[\\/]/, '')
}

function outcome(totals: Totals): string {
  const parts = [
    `${totals.delivered.toLocaleString('en')} delivered`,
    totals.skipped > 0 && `${totals.skipped.toLocaleString('en')} skipped (there already)`,
    totals.failed > 0 && `${totals.failed.toLocaleString('en')} failed`,
    totals.review > 0 && counted(totals.review, 'needs review', 'need review'),
    totals.held > 0 && `${totals.held.toLocaleString('en')} held`,
    totals.cancelled > 0 && `${totals.cancelled.toLocaleString('en')} cancelled`,
    totals.active > 0 && `${totals.active.toLocaleString('en')} at the service`,
    totals.waiting > 0 && `${totals.waiting.toLocaleString('en')} waiting`,
  ]
  return `${counted(totals.images, 'image')}: ${parts.filter(Boolean).join(', ')}`
}

function endLines(end: QueueEnd, totals: Totals): string[] {
  const said = 'message' in end ? ` (${plainText(end.message).replace(/\.$/, '')})` : ''
  const resume = 'vitrine resume'
  switch (end.kind) {
    case 'done':
      return []
    case 'interrupted':
      return [
        totals.active > 0
          ? `Interrupted. ${counted(totals.active, 'image')} at the service will still finish. To go on: ${resume}`
          : `Interrupted. Nothing is lost. To go on: ${resume}`,
      ]
    case 'out-of-credits':
      return [`Out of credits${said}. Nothing is lost. When the balance allows it: ${resume}`]
    case 'budget':
      return [
        `The budget is used up. Nothing is lost. To go on with a larger one: ${resume} --budget CREDITS`,
      ]
    case 'key-rejected':
      return [`The service rejected the key${said}. Nothing is lost. With a valid key: ${resume}`]
    case 'paused':
      return [`Paused${said}. Once that is settled: ${resume}`]
    case 'unwritable':
      return [`${plainText(end.message)} Nothing is lost. Then: ${resume}`]
  }
}
