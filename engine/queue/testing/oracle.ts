import type { Image } from '../../store/rows.ts'
import type { Store } from '../../store/store.ts'
import { isBlind, type Cast } from './cast.ts'
import { orderOfImage, type Order } from './order.ts'
import type { Story } from './story.ts'
import type { TroubledService } from './troubled-service.ts'

/** What the promises are checked on. */
export interface Stage {
  readonly story: Story
  readonly store: Store
  readonly service: TroubledService
  readonly cast: Cast
  /** The run whose file each image has. */
  readonly files: ReadonlyMap<number, string>
  /** Pictures mistaken for each other because a run was accepted later than is assumed. */
  readonly late: ReadonlySet<string>
  breach(promise: string, detail: string): void
  count(what: string): void
}

/** What must hold at any moment. */
export function checkNow(play: Stage) {
  const { store } = play
  if (store.ledger.open(1, 'sending').length > 1) play.breach('one lane', 'two submissions are being sent')
  for (const batch of store.batches.all()) {
    const counted = new Map<string, number>()
    const images = store.images.page(batch.seq, -1, 1000)
    for (const image of images) counted.set(image.state, (counted.get(image.state) ?? 0) + 1)
    for (const [state, n] of Object.entries(store.batches.counts(batch.seq))) {
      if ((counted.get(state) ?? 0) !== n) play.breach('tally', `${batch.id} ${state}: ${n}`)
    }
    // The first run of an unknown price goes alone, and may by itself cost more than the budget.
    const most = Math.max(batch.budget ?? Infinity, play.story.service.price)
    if (batch.charged > most) {
      play.breach('budget', `${batch.id}: ${batch.charged} of ${batch.budget}`)
    }
    for (const image of images) checkCharges(play, image)
  }
}

/** What must hold once nothing is under way any more, against the service's own books. */
export function checkAtEnd(play: Stage) {
  checkNow(play)
  for (const batch of play.store.batches.all()) {
    for (const image of play.store.images.page(batch.seq, -1, 1000)) {
      play.count(`images ${image.state}`)
      if (image.state === 'delivered') checkDelivered(play, image)
      if (image.state === 'failed') checkFailed(play, image)
    }
  }
  checkOrphans(play)
}

/** At most one run that the service took, and one more for each time a person agreed. */
function checkCharges(play: Stage, image: Image) {
  const order = orderOfImage(play.store, image)
  const runs = play.service.runs.filter((run) => run.ours && run.order === order)
  const allowed = 1 + (play.cast.consents.get(image.id) ?? 0)
  if (runs.length > allowed && !play.late.has(order)) {
    play.breach('no double charge', `${order}: ${runs.map((run) => run.id).join(', ')}`)
  }
}

function checkDelivered(play: Stage, image: Image) {
  const order = orderOfImage(play.store, image)
  const run = play.service.run1(image.runId ?? '')
  if (!run || run.status !== 'SUCCESS') {
    play.breach('delivered is true', `${order} by ${image.runId}`)
    return
  }
  if (play.store.ledger.byRun(run.id)?.imageId !== image.id) {
    play.breach('own run', `${order}: ${run.id} is another picture's in the ledger`)
  }
  if (run.order !== order) wronglyAdopted(play, order, run.id)
  if (play.files.get(image.id) !== run.id) play.breach('delivered is true', `no file for ${order}`)
}

/**
 * Somebody else's run taken for ours: possible only as the first coincidence on an account that had never shown
 * another user (assumption A3); our own run is then free to be mistaken in its turn. Never otherwise.
 */
function wronglyAdopted(play: Stage, order: Order, runId: string) {
  const run = play.service.run1(runId)!
  if (!run.ours) play.count('wrongly adopted (A3)')
  else if (play.late.has(run.order)) play.count('wrongly adopted (a late acceptance) in the end')
  else if (mistaken(play).has(run.order)) play.count('wrongly adopted in its turn (A3)')
  else play.breach('own run', `${order} has ${runId}, which is ${run.order}`)
}

/** Pictures for which a run that is not theirs was adopted, or acknowledged because its own picture had lost it so. */
function mistaken(play: Stage): Set<string> {
  const orders = new Set<string>()
  for (const batch of play.store.batches.all()) {
    for (const image of play.store.images.page(batch.seq, -1, 1000)) {
      const order = orderOfImage(play.store, image)
      for (const attempt of play.store.ledger.ofImage(image.id)) {
        const run = attempt.runId === null ? undefined : play.service.run1(attempt.runId)
        if (!run || run.order === order) continue
        if (attempt.state === 'adopted' || orders.has(run.order)) orders.add(order)
      }
    }
  }
  return play.story.service.foreign.length > 0 ? orders : new Set()
}

/** A picture whose run succeeded is never given up without saying that it is paid for. */
function checkFailed(play: Stage, image: Image) {
  const order = orderOfImage(play.store, image)
  const won = play.service.runs.find((run) => run.id === image.runId && run.status === 'SUCCESS')
  if (won && !(image.error ?? '').includes('paid')) {
    play.breach('no lost result', `${order}: ${won.id} succeeded, and it says "${image.error}"`)
  }
}

/** Every run of ours is in the ledger, or was offered to a person; but for those that somebody else's run stands for. */
function checkOrphans(play: Stage) {
  const { store, service } = play
  const offered = new Set<string>()
  const decidedBlind = new Set<string>()
  const blind = new Set<string>()
  const excused = mistaken(play)
  for (const batch of store.batches.all()) {
    for (const image of store.images.page(batch.seq, -1, 1000)) {
      const order = orderOfImage(store, image)
      for (const attempt of store.ledger.ofImage(image.id)) {
        for (const candidate of store.ledger.candidates(attempt.id)) offered.add(candidate.runId)
        play.count(`attempt ${attempt.state}`)
        if (attempt.state === 'review' || attempt.state === 'dropped') decidedBlind.add(order)
        if (isBlind(attempt)) blind.add(order)
      }
    }
  }
  for (const run of service.runs) {
    if (!run.ours || store.ledger.knows(run.id) || offered.has(run.id)) continue
    if (excused.has(run.order)) {
      play.count('orphans of a wrong adoption (A3)')
      continue
    }
    if (play.late.has(run.order)) continue
    if (blind.has(run.order)) {
      play.count('runs that no list has shown')
      continue
    }
    const was = decidedBlind.has(run.order) ? ' (its picture was in review, without it)' : ''
    play.breach('no orphan charge', `${run.id} for ${run.order}${was}`)
  }
}
