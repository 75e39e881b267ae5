import type { Accounts } from './accounts.ts'
import type { Journal, JournalEntry } from './journal.ts'
import { newRun } from './runs.ts'
import type { Run } from './runs.ts'

/**
 * Brings accounts and runs back to where a journal left them. Runs that were not finished are IN_QUEUE again, charged
 * as they were. Accounts the journal does not know are written into it with the credits they open with.
 */
export function restore(
  entries: readonly JournalEntry[],
  accounts: Accounts,
  journal: Journal,
): { readonly secret: string | undefined; readonly runs: readonly Run[] } {
  const runs = new Map<string, Run>()
  const known = new Set<string>()
  const byName = new Map(accounts.all.map((account) => [account.name, account]))
  let secret: string | undefined
  for (const entry of entries) {
    const account = 'account' in entry ? byName.get(entry.account) : undefined
    switch (entry.event) {
      case 'secret':
        secret = entry.secret
        break
      case 'account':
        known.add(entry.account)
        if (!account) break
        account.subscriptionCredits = entry.subscription
        account.otherCredits = entry.other
        break
      case 'top-up':
        if (account) account.otherCredits += entry.credits
        break
      case 'accepted':
        // An account that is no longer offered keeps its runs to itself: nobody can ask for them.
        if (!account) break
        account.take(entry.paid)
        runs.set(entry.runId, newRun(entry, runs.size + 1))
        break
      case 'finished':
        finish(runs.get(entry.runId), entry)
        break
    }
  }
  for (const run of runs.values()) {
    if (run.completedMs !== undefined && run.creditsCharged === 0 && run.price > 0) {
      byName.get(run.account)?.refund(run.paid)
    }
  }
  for (const account of accounts.all) {
    if (known.has(account.name)) continue
    const { name, subscriptionCredits: subscription, otherCredits: other } = account
    journal.write({ event: 'account', account: name, subscription, other })
  }
  return { secret, runs: [...runs.values()] }
}

function finish(run: Run | undefined, entry: Extract<JournalEntry, { event: 'finished' }>): void {
  if (!run) return
  run.status = entry.status
  run.startedMs = entry.startedMs
  run.completedMs = entry.completedMs
  run.creditsCharged = entry.creditsCharged
  run.error = entry.error
  run.isVideo = entry.isVideo
  run.outputs = entry.outputs
  run.thumbnail = entry.thumbnail
}
