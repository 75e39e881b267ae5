import {
  adoptRun,
  cancelBatch,
  dropImage,
  planRetry,
  releaseBatch,
  retryFailed,
  sendAgain,
} from '../../batches/decisions.ts'
import type { Attempt, Batch, Image } from '../../store/rows.ts'
import type { Store } from '../../store/store.ts'
import { listUnreadable } from '../evidence.ts'
import { addRehearsalBatch } from './rehearsal.ts'
import { orderOfImage } from './order.ts'
import type { Deed } from './story.ts'
import type { TroubledService } from './troubled-service.ts'
import type { VirtualClock } from './virtual-clock.ts'

/** A person was told that no list could be read, and knows that the picture may be charged. */
export function isBlind(attempt: Attempt): boolean {
  return attempt.detail === listUnreadable && (attempt.state === 'review' || attempt.state === 'dropped')
}

/** The people of a story, and other processes: they act through the store, and their consents are kept. */
export class Cast {
  /** Times a person agreed to one more run of an image. */
  readonly consents = new Map<number, number>()
  /** When somebody last did something (virtual, ms). */
  actedAt = -Infinity
  readonly #store: Store
  readonly #service: TroubledService
  readonly #clock: VirtualClock
  /** With how many presets each picture is made. */
  readonly #variants: number

  constructor(store: Store, service: TroubledService, clock: VirtualClock, variants = 1) {
    this.#store = store
    this.#variants = variants
    this.#service = service
    this.#clock = clock
  }

  act(deed: Deed) {
    const store = this.#store
    this.actedAt = this.#clock.monotonic()
    switch (deed.kind) {
      case 'add': {
        const id = `b${store.batches.all().length}`
        const batch = addRehearsalBatch(store, 1, deed.images, deed.budget, id, this.#variants)
        if (deed.held) {
          for (const image of store.images.inState(batch.seq, 'waiting').slice(1)) {
            store.images.move(image.id, 'waiting', 'held')
          }
        }
        return
      }
      case 'decide':
        this.#decide(deed.pick, deed.how)
        return
      case 'top-up':
        this.#service.credits += deed.credits
        return
      case 'revoke-key':
        this.#service.keyRevoked = true
        return
      case 'wall-jump':
        this.#clock.wallOffset += deed.ms
        return
      case 'pause':
      case 'go-on':
      case 'cancel':
      case 'retry':
      case 'release':
      case 'raise-budget':
        this.#command(deed.kind, this.#batch(deed.batch))
    }
  }

  #command(kind: 'pause' | 'go-on' | 'cancel' | 'retry' | 'release' | 'raise-budget', batch: Batch) {
    const store = this.#store
    switch (kind) {
      case 'pause':
        store.batches.setState(batch.seq, 'paused')
        return
      case 'go-on':
        store.batches.setState(batch.seq, 'running')
        return
      case 'cancel':
        cancelBatch(store, batch)
        return
      case 'release':
        releaseBatch(store, batch)
        return
      case 'raise-budget':
        if (batch.budget !== null) store.batches.setBudget(batch.seq, batch.budget + 7)
        return
      case 'retry': {
        const plan = planRetry(store, batch)
        // Only a run that failed at the service makes one more; a refusal made none.
        for (const image of plan.paid) if (image.serviceStatus === 'FAILED') this.#consent(image)
        retryFailed(store, batch, plan)
      }
    }
  }

  /** Nobody holds anything back any more, and budgets are large. */
  everythingGoesOn() {
    this.actedAt = this.#clock.monotonic()
    for (const batch of this.#store.batches.all()) {
      this.#store.batches.setState(batch.seq, 'running')
      if (batch.budget !== null) this.#store.batches.setBudget(batch.seq, 10_000)
    }
  }

  /** Every review is decided, as often as new ones appear while this is called. */
  decideEverything() {
    const reviews = this.#reviews()
    if (reviews.length > 0) this.actedAt = this.#clock.monotonic()
    for (const image of reviews) this.#settle(image, 'adopt')
  }

  #decide(pick: number, how: 'adopt' | 'again' | 'drop') {
    const reviews = this.#reviews()
    const image = reviews[pick % reviews.length]
    if (image) this.#settle(image, how)
  }

  /** A person knows the picture: takes the run that is really its own, and else sends again. */
  #settle(image: Image, how: 'adopt' | 'again' | 'drop') {
    const store = this.#store
    if (how === 'drop') {
      dropImage(store, image, this.#clock)
      return
    }
    const attempts = store.ledger.ofImage(image.id)
    const offered = attempts
      .filter((attempt) => attempt.state === 'review')
      .flatMap((attempt) => store.ledger.candidates(attempt.id).map((candidate) => candidate.runId))
    const lost = attempts.filter((one) => one.runStatus === 'LOST').map((one) => one.runId!)
    // Where no list could be read, they look at the account itself before they decide.
    const blind = attempts.some((attempt) => attempt.state === 'review' && isBlind(attempt))
    const account = blind ? this.#service.runs.map((run) => run.id) : []
    const seen = account.filter((runId) => !store.ledger.knows(runId))
    const own = [...offered, ...lost, ...seen].find((runId) => {
      const owner = store.ledger.byRun(runId)
      const free = owner === undefined || owner.imageId === image.id
      return free && this.#service.run1(runId)?.order === orderOfImage(store, image)
    })
    if (how === 'adopt' && own !== undefined) adoptRun(store, image, own, this.#clock)
    else {
      this.#consent(image)
      sendAgain(store, image, this.#clock)
    }
  }

  #consent(image: Image) {
    this.consents.set(image.id, (this.consents.get(image.id) ?? 0) + 1)
  }

  #reviews(): Image[] {
    return this.#store.batches.all().flatMap((batch) => this.#store.images.inState(batch.seq, 'review'))
  }

  #batch(n: number): Batch {
    const all = this.#store.batches.all()
    return all[n % all.length]!
  }

  /** Something of a running batch is still under way, or could be; `paused`: after three reviews in a row. */
  unsettled(paused: boolean): boolean {
    const paying = !paused || this.#reviews().length === 0
    return this.#store.batches.running(1).some((batch) => {
      const counts = this.#store.batches.counts(batch.seq)
      // What needs a decision may hold a budget that the others wait for.
      const held = batch.budget !== null && this.#store.ledger.pending(batch.seq).undecided > 0
      return (
        (held || !paying ? 0 : counts.waiting) + counts.submitting + counts.running + counts.downloading > 0
      )
    })
  }

  describe(): string {
    return this.#store.batches
      .all()
      .map((batch) => {
        const some = Object.entries(this.#store.batches.counts(batch.seq)).filter(([, n]) => n > 0)
        return `${batch.id} (${batch.state}): ${some.map(([state, n]) => `${n} ${state}`).join(', ')}`
      })
      .join('; ')
  }
}
