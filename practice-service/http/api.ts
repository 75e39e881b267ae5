import { describeApp } from '../service/apps.ts'
import type { Account } from '../service/accounts.ts'
import { downloadLink, runRecord, runSummary } from '../service/records.ts'
import { runStatuses } from '../service/runs.ts'
import type { Run, RunStatus } from '../service/runs.ts'
import type { Service } from '../service/service.ts'
import { judgeSubmission } from '../service/submission.ts'
import { json, refusal } from './answer.ts'
import type { Answer } from './answer.ts'
import type { Call } from './call.ts'

const defaultLimit = 20
const maximumLimit = 50

/** POST /api/v1/run (4.1). */
export function submitRun(service: Service, call: Call): Answer {
  return withAccount(service, call, (account) => {
    if (!/^application\/json\s*(;|$)/i.test(call.headers['content-type'] ?? '')) {
      return refusal(400, 'The Content-Type of a submission must be application/json.')
    }
    const judged = judgeSubmission(call.body, service.apps)
    if (!judged.ok) return refusal(400, judged.problem)
    const { maxQueued } = service.conduct
    if (maxQueued !== null && service.pool.queued >= maxQueued) {
      return refusal(429, 'Too many runs are waiting already.', { 'retry-after': '1' })
    }
    const run = service.submit(account, judged.submission)
    return run ? json(200, { run_id: run.runId }) : refusal(402, 'Insufficient credits to run this app.')
  })
}

/** GET /api/v1/runs/{run_id} (4.2). */
export function readRun(service: Service, call: Call, runId: string): Answer {
  return withRun(service, call, runId, (run) => {
    if (run.completedMs !== undefined) run.firstReadMs ??= service.setup.clock.now()
    return json(200, runRecord(run, service.recordContext()))
  })
}

/** GET /api/v1/runs/{run_id}/download (4.5). */
export function readDownload(service: Service, call: Call, runId: string): Answer {
  return withRun(service, call, runId, (run) =>
    run.status === 'SUCCESS'
      ? json(200, downloadLink(run, service.recordContext()))
      : refusal(400, 'The run has not completed successfully yet.'),
  )
}

/** GET /api/v1/runs (4.3). */
export function listRuns(service: Service, call: Call): Answer {
  return withAccount(service, call, (account) => {
    const page = wholeNumber(call.query.get('page'), 1)
    if (page === undefined) return refusal(400, 'page must be a whole number from 1.')
    const limit = wholeNumber(call.query.get('limit'), defaultLimit)
    if (limit === undefined || limit > maximumLimit) {
      return refusal(400, `limit must be a whole number from 1 to ${maximumLimit}.`)
    }
    const status = call.query.get('status') ?? 'all'
    if (!isFilter(status)) return refusal(400, `status must be one of ${runStatuses.join(', ')}, all.`)
    const { runs, total } = service.runs.page(account.name, status, page, limit)
    const nowMs = service.setup.clock.now()
    for (const run of runs) if (run.completedMs !== undefined) run.firstListedMs ??= nowMs
    return json(200, {
      runs: runs.map((run) => runSummary(run, service.conduct.clockSkewMs)),
      total,
      page,
      has_more: page * limit < total,
    })
  })
}

/** GET /api/v1/balance (4.4). */
export function readBalance(service: Service, call: Call): Answer {
  return withAccount(service, call, (account) => json(200, account.balance()))
}

/** GET /api/v1/apps (4.6): the one endpoint without a key. */
export function listApps(service: Service): Answer {
  return json(200, Array.from(service.apps.values(), describeApp))
}

function withAccount(service: Service, call: Call, answer: (account: Account) => Answer): Answer {
  const key = /^Bearer +(\S.*)$/i.exec(call.headers.authorization ?? '')?.[1]?.trim()
  const account = key === undefined ? undefined : service.accounts.ofKey(key)
  return account
    ? answer(account)
    : refusal(401, key === undefined ? 'The API key is missing.' : 'The API key is not valid.', {
        'www-authenticate': 'Bearer',
      })
}

/** Runs of other accounts are not found, exactly as runs that do not exist (5, rule 5). */
function withRun(service: Service, call: Call, runId: string, answer: (run: Run) => Answer): Answer {
  return withAccount(service, call, (account) => {
    const run = service.runs.find(runId)
    return run && run.account === account.name ? answer(run) : refusal(404, 'Run not found.')
  })
}

function wholeNumber(text: string | null, missing: number): number | undefined {
  if (text === null) return missing
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0
  return value >= 1 ? value : undefined
}

function isFilter(status: string): status is RunStatus | 'all' {
  return status === 'all' || (runStatuses as readonly string[]).includes(status)
}
