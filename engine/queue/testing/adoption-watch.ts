import type { Attempt } from '../../store/rows.ts'
import type { Store } from '../../store/store.ts'
import type { NoticeTraffic } from './notice-traffic.ts'
import { areTwins, orderOfAttempt } from './order.ts'
import type { Story } from './story.ts'
import type { TroubledService } from './troubled-service.ts'
import type { VirtualClock } from './virtual-clock.ts'

/** The story whose adoptions are watched. */
export interface Watched {
  readonly story: Story
  readonly clock: VirtualClock
  readonly service: TroubledService
  readonly store: Store
  /** Undefined where nobody listens for notices. */
  readonly traffic: NoticeTraffic | undefined
  /** Pictures whose runs were mistaken for each other because one was accepted too late. */
  readonly late: Set<string>
  breach(promise: string, detail: string): void
  count(what: string): void
}

/** The rule that makes a wrong adoption rare: never by itself on an account that others are known to use. */
export function watchAdoptions(play: Watched) {
  const { ledger, connections } = play.store
  /** When each attempt was sent (virtual). */
  const sentAt = new Map<number, number>()
  const move = ledger.move.bind(ledger)
  ledger.move = (id, to, patch) => {
    if (to === 'sending') sentAt.set(id, play.clock.monotonic())
    if (to === 'adopted') {
      const attempt = ledger.byId(id)
      if (attempt.state === 'unknown' && !connections.byId(1).solitary) {
        // But for one whose secret has come back: that is its own.
        const order = orderOfAttempt(play.store, attempt)
        const isOwn = play.traffic && play.service.run1(patch?.runId ?? '')?.order === order
        if (!isOwn) play.breach('no adoption on a shared account', `attempt ${id}: ${patch?.runId}`)
      }
      if (play.traffic?.hasNamed(id, patch?.runId))
        play.count(`adopted from ${attempt.state} after its secret came back`)
      if (attempt.state === 'unknown') watchLate(play, attempt, sentAt.get(id) ?? Infinity, patch?.runId)
    }
    return move(id, to, patch)
  }
}

/**
 * A run that was accepted long after its connection had closed, just when another submission was in question whose
 * own run does not show: the one coincidence that the rule for several questions excludes by assumption (decision 0021).
 */
function watchLate(play: Watched, attempt: Attempt, sentAt: number, runId: string | null | undefined) {
  const { service, store, late } = play
  const run = service.run1(runId ?? '')
  const order = orderOfAttempt(store, attempt)
  const besideAnother = store.ledger.open(1, 'unknown').length > 1
  if (!run || !run.ours || run.order === order) {
    if (run && besideAnother) play.count('adopted beside another question')
    return
  }
  // Of presets of one picture nobody would see it: excused only if an earlier coincidence left the run without owner.
  if (areTwins(run.order, order) && play.story.service.foreign.length === 0) {
    if (late.has(run.order)) play.count('presets of one picture mistaken in turn')
    else play.breach('presets of one picture are told apart', `${order} was given ${run.order}`)
  }
  const now = play.clock.monotonic()
  // Its own run shows already; not one of before, beside which a person had it sent again.
  const own = service.runs.some(
    (one) =>
      one.order === order &&
      one.acceptedAt >= sentAt &&
      !store.ledger.knows(one.id) &&
      one.visibleAt < now - 1000,
  )
  // Lists tell times by the second; a run of ours between the two tells more.
  const between = service.runs.some(
    (one) =>
      one.created > run.created && one.acceptedAt < sentAt && store.ledger.byRun(one.id)?.state === 'acked',
  )
  const meanwhile = run.acceptedAt >= sentAt - 2500 && !between
  const coincidence = run.late && meanwhile && !own && besideAnother
  if (!coincidence && !late.has(run.order)) return
  play.count('wrongly adopted (a late acceptance)')
  late.add(run.order).add(order)
}
