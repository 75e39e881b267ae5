import type { Links } from './links.ts'
import type { StoredOutput } from './outputs.ts'
import type { Run } from './runs.ts'

/** What records need beside the run itself. */
export interface RecordContext {
  readonly links: Links
  /** The service's time, skew included. */
  readonly nowMs: number
  readonly skewMs: number
  readonly linkSeconds: number
}

/** A run summary (2.3). */
export function runSummary(run: Run, skewMs: number): Record<string, unknown> {
  return {
    run_id: run.runId,
    app_id: run.appId,
    app_title: run.appTitle,
    status: run.status,
    created: timestamp(run.createdMs + skewMs),
    credits_charged: run.creditsCharged,
  }
}

/** A run record (2.1, 2.2): each field present exactly where its presence rule says so. */
export function runRecord(run: Run, context: RecordContext): Record<string, unknown> {
  const record: Record<string, unknown> = { ...runSummary(run, context.skewMs), is_video: run.isVideo }
  if (run.completedMs !== undefined) record['completed'] = timestamp(run.completedMs + context.skewMs)
  if (run.status === 'FAILED') record['error'] = run.error ?? 'The run failed.'
  const [primary, ...extras] = run.outputs
  if (run.status !== 'SUCCESS' || !primary) return record
  record['output_url'] = linkTo(run, primary, context)
  if (extras.length > 0) {
    record['primary_label'] = primary.label
    record['extra_outputs'] = extras.map((extra) => ({
      label: extra.label,
      slug: extra.slug,
      format: extra.format,
      url: linkTo(run, extra, context),
    }))
  }
  return record
}

/** A download link (2.5) of a SUCCESS run. */
export function downloadLink(run: Run, context: RecordContext): Record<string, unknown> {
  const primary = run.outputs[0]!
  return {
    download_url: linkTo(run, primary, context),
    filename: `${nameOf(run)}.${primary.format}`,
    expires_in: Math.round(context.linkSeconds),
  }
}

/** The completion notice (6); its vocabulary for failure differs from the run record's. */
export function completionNotice(run: Run, context: RecordContext): Record<string, unknown> {
  const primary = run.outputs[0]
  if (run.status !== 'SUCCESS' || !primary) {
    return { run_id: run.runId, status: 'FAILURE', error: run.error ?? 'The run failed.' }
  }
  return {
    run_id: run.runId,
    status: 'SUCCESS',
    output_url: linkTo(run, primary, context),
    thumbnail: linkTo(run, run.thumbnail ?? primary, context),
  }
}

/** Path of an output on the file server. */
function filePath(run: Run, output: StoredOutput): string {
  return `/files/${run.runId}/${output.slug}.${output.format}`
}

function linkTo(run: Run, output: StoredOutput, context: RecordContext): string {
  return context.links.sign(filePath(run, output), context.nowMs, context.linkSeconds)
}

function timestamp(ms: number): string {
  return new Date(ms).toISOString()
}

/** A name for the download, from the source's own. */
function nameOf(run: Run): string {
  const image = run.parameters['image']
  const path = typeof image === 'string' ? (URL.parse(image)?.pathname ?? '') : ''
  const name = path
    .slice(path.lastIndexOf('/') + 1)
    .replace(/\.[^.]*$/, '')
    .replace(/[^\w-]+/g, '-')
    .slice(0, 80)
  return `${name || 'output'}-${run.appId}`
}
