import type { RunRecord } from '../../shared/contract/records.ts'
import { plainText } from '../../shared/plain-text.ts'
import type { Run, RunSummary } from '../../shared/wire.ts'
import { outputsOf } from '../queue/offered-outputs.ts'
import type { Candidate } from '../store/rows.ts'
import type { Store } from '../store/store.ts'

/** A row of the service's list; what only the full record says is not known yet. */
export function summaryRecord(store: Store, run: RunSummary): RunRecord {
  return {
    runId: run.runId,
    appId: plainText(run.appId, 200),
    appTitle: run.appTitle === undefined ? null : plainText(run.appTitle, 120),
    status: run.status,
    created: run.created,
    completed: null,
    credits: run.creditsCharged ?? null,
    error: null,
    isVideo: false,
    outputs: [],
    image: imageOfRun(store, run.runId),
  }
}

/** Everything about a run but its links: those are secrets for as long as they live. */
export function runRecord(store: Store, run: Run): RunRecord {
  const formats = new Map(run.extraOutputs.map((extra) => [extra.slug, extra.format]))
  return {
    ...summaryRecord(store, run),
    completed: run.completed ?? null,
    error: run.error === undefined ? null : plainText(run.error, 2000),
    isVideo: run.isVideo,
    outputs: outputsOf(run).map(({ label, slug }) => ({
      slug,
      label: plainText(label, 120),
      format: formats.get(slug) ?? null,
    })),
  }
}

/** What was noted of a run when it was found to be a candidate. */
export function candidateRecord(store: Store, candidate: Candidate): RunRecord {
  return {
    runId: candidate.runId,
    appId: candidate.appId,
    appTitle: null,
    status: candidate.status,
    created: candidate.created,
    completed: null,
    credits: candidate.credits,
    error: null,
    isVideo: false,
    outputs: [],
    image: imageOfRun(store, candidate.runId),
  }
}

function imageOfRun(store: Store, runId: string): RunRecord['image'] {
  const image = store.images.byRun(runId)
  return image ? { id: image.id, batch: store.batches.bySeq(image.batchSeq).id, title: image.title } : null
}
