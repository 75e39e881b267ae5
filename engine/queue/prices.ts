import { extraCredits, type CreditRange } from '../../shared/prices.ts'
import type { Batch, Recipe } from '../store/rows.ts'
import type { Store } from '../store/store.ts'

/** What one run of a recipe will cost, or undefined while the app's base price was never seen. */
export function estimate(store: Store, connectionId: number, recipe: Recipe): CreditRange | undefined {
  const base = store.connections.basePrice(connectionId, recipe.appId)
  if (!base) return undefined
  const extras = extraCredits(recipe.settings)
  return { min: Math.min(base.last, base.highest) + extras.min, max: base.highest + extras.max }
}

export type BudgetVerdict = 'go' | 'wait' | 'spent'

/**
 * Whether a batch's budget allows one more submission: what was charged, plus what is reserved for runs that are not
 * charged yet, plus this run. With an unknown price one run goes alone until its charge is read. `wait` means that
 * what is under way will tell; a submission that a person has to decide about tells nothing by itself.
 */
export function withinBudget(store: Store, batch: Batch, price: CreditRange | undefined): BudgetVerdict {
  if (batch.budget === null) return 'go'
  const { charged } = store.batches.bySeq(batch.seq)
  const pending = store.ledger.pending(batch.seq)
  if (charged >= batch.budget) return 'spent'
  const otherwise = pending.runs > pending.undecided ? 'wait' : 'spent'
  if (price === undefined) {
    if (pending.runs > 0) return otherwise
    // A failed run teaches no price, but the next may well cost what it did.
    return charged + store.ledger.largestCharge(batch.seq) <= batch.budget ? 'go' : 'spent'
  }
  // Sent before the price was known: what it reserves is known when its charge is.
  if (pending.unpriced > 0) return otherwise
  if (charged + pending.reserved + price.max <= batch.budget) return 'go'
  // What is reserved may turn out cheaper than feared; only without anything pending is it certain.
  return otherwise
}
