import type { Clock } from '../clock.ts'
import { extraCredits, widestRange, type CreditRange } from '../../shared/prices.ts'
import type { Batch, Image } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import { say } from '../../shared/language/say.ts'

/** A decision that does not fit the state of things; the message is for a person. */
export class DecisionError extends Error {
  override readonly name = 'DecisionError'
}

/** Cancels what is not yet submitted; runs at the service finish and are delivered. Returns how many. */
export function cancelBatch(store: Store, batch: Batch): number {
  return store.transaction(() => moveAll(store, batch, ['held', 'waiting'], 'cancelled'))
}

/** Lets held images go, with the settings frozen when they were added. Returns how many. */
export function releaseBatch(store: Store, batch: Batch): number {
  return store.transaction(() => {
    const released = moveAll(store, batch, ['held'], 'waiting')
    store.batches.setState(batch.seq, 'running')
    return released
  })
}

function moveAll(
  store: Store,
  batch: Batch,
  from: readonly ('held' | 'waiting')[],
  to: 'cancelled' | 'waiting',
) {
  let moved = 0
  for (const state of from) {
    for (const image of store.images.inState(batch.seq, state)) {
      if (store.images.tryMove(image.id, state, to)) moved += 1
    }
  }
  return moved
}

export interface RetryPlan {
  /** Failed images whose run succeeded: their result is fetched again at no cost. */
  readonly free: readonly Image[]
  /** Failed images that need a new run. */
  readonly paid: readonly Image[]
  /** Credits that their failed runs were charged. */
  readonly alreadyCharged: number
  readonly pricePerImage: CreditRange | undefined
  readonly extras: CreditRange
}

/** What retrying a batch's failed images means: which cost nothing, which are run again, at what price. */
export function planRetry(store: Store, batch: Batch): RetryPlan {
  const failed = store.images.inState(batch.seq, 'failed')
  const free = failed.filter((image) => image.serviceStatus === 'SUCCESS')
  const paid = failed.filter((image) => image.serviceStatus !== 'SUCCESS')
  const recipes = [...new Set(failed.map(({ recipeId }) => recipeId))].map((id) =>
    store.images.recipeById(id),
  )
  const extras = recipes.map(({ settings }) => extraCredits(settings))
  const prices = recipes.map(({ appId }, index) => {
    const base = store.connections.basePrice(batch.connectionId, appId)
    return base && { min: base.last + extras[index]!.min, max: base.highest + extras[index]!.max }
  })
  return {
    free,
    paid,
    alreadyCharged: paid.reduce((sum, image) => sum + (image.credits ?? 0), 0),
    pricePerImage:
      prices.length > 0 && prices.every((price) => price !== undefined) ? widestRange(prices) : undefined,
    extras: extras.length > 0 ? widestRange(extras) : { min: 0, max: 0 },
  }
}

/** Puts failed images back: a person's consent to a new charge for those that need a new run. */
export function retryFailed(store: Store, batch: Batch, plan: RetryPlan) {
  store.transaction(() => {
    for (const image of plan.free) store.images.tryMove(image.id, 'failed', 'downloading', { error: null })
    for (const image of plan.paid) {
      store.images.tryMove(image.id, 'failed', 'waiting', { ...fresh, resends: 0 })
    }
    store.batches.setState(batch.seq, 'running')
  })
}

const fresh = { error: null, runId: null, serviceStatus: null, credits: null } as const

/** Takes a run for an image in review: it is this picture's, no new charge. */
export function adoptRun(store: Store, image: Image, runId: string, clock: Clock) {
  store.transaction(() => {
    const attempt = openAttempt(store, image)
    const owner = store.ledger.byRun(runId)
    if (owner && owner.imageId !== image.id) {
      throw new DecisionError(say`Run ${runId} already belongs to another picture of the queue.`)
    }
    if (owner && store.formerSources.of(image.id).some(({ lastAttempt }) => owner.id <= lastAttempt)) {
      throw new DecisionError(
        say`Run ${runId} was made of another picture, before one was chosen in its place.`,
      )
    }
    if (owner && attempt) {
      throw new DecisionError(
        say`Run ${runId} is an earlier run of this picture; it does not answer this submission.`,
      )
    }
    if (owner) store.ledger.reopen(owner.id)
    else if (attempt) store.ledger.move(attempt.id, 'adopted', { runId, settledAt: clock.now() })
    else throw new DecisionError(say`This picture has no open submission that run ${runId} could answer.`)
    store.images.move(image.id, 'review', 'running', { runId, error: null, serviceStatus: 'IN_QUEUE' })
  })
}

/** Sends an image in review again: a person's consent that it may be charged a second time. */
export function sendAgain(store: Store, image: Image, clock: Clock) {
  store.transaction(() => {
    const attempt = openAttempt(store, image)
    if (attempt) store.ledger.move(attempt.id, 'dropped', { settledAt: clock.now() })
    store.images.move(image.id, 'review', 'waiting', { ...fresh, resends: 0 })
  })
}

/** Gives an image in review up. */
export function dropImage(store: Store, image: Image, clock: Clock) {
  store.transaction(() => {
    const attempt = openAttempt(store, image)
    if (attempt) store.ledger.move(attempt.id, 'dropped', { settledAt: clock.now() })
    store.images.move(image.id, 'review', 'cancelled')
  })
}

function openAttempt(store: Store, image: Image) {
  if (image.state !== 'review') throw new DecisionError(say`This picture does not wait for a decision.`)
  return store.ledger.ofImage(image.id).find((attempt) => attempt.state === 'review')
}
