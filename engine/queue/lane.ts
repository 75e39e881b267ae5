import { submitBody } from '../../shared/wire-submit.ts'
import { contentOfSource } from '../own-files/own-source.ts'
import type { SubmitOutcome } from '../service/service-result.ts'
import type { SubmitConnection } from '../service/transport.ts'
import type { Attempt, Batch, Image, Recipe } from '../store/rows.ts'
import { Baseline } from './baseline.ts'
import type { Desk } from './desk.ts'
import { QueueFault } from './parts.ts'
import { estimate, withinBudget } from './prices.ts'
import { Reconciler, type Outcome, type Settled } from './reconcile.ts'
import { SpareConnections } from './spare-connections.ts'
import { settleTold } from './told-runs.ts'
import { say } from '../../shared/language/say.ts'

interface Next {
  readonly batch: Batch
  readonly image: Image
  readonly recipe: Recipe
  /** What the service is given to fetch, where that is not the source. */
  readonly link?: string
}

/** Questions in a row that had to be left to a person before submitting pauses. */
const patienceWithReviews = 3
/** Refusals in a row of submissions alone that show a ceiling on queued runs rather than a rate. */
const ceilingAfter = 5

/**
 * The single lane through which everything that costs money goes (docs/reliability.md, promise 1): one submission in the act of
 * being sent, each intent on the disk before it, `SENDING` before its first byte, its run id before anything else.
 * While a question is open nothing is sent, but for other images while the account shows nothing of it (decision 0021).
 */
export class Lane {
  readonly #desk: Desk
  readonly #spare: SpareConnections
  readonly #reconciler: Reconciler
  readonly #baseline: Baseline
  #reviewsInRow = 0
  #refusalsInRow = 0
  /** Batches whose budget is used up, with that budget; they go on when it is raised. */
  readonly #spent = new Map<number, number | null>()

  constructor(desk: Desk) {
    this.#desk = desk
    this.#spare = new SpareConnections(desk)
    this.#reconciler = new Reconciler(desk)
    this.#baseline = new Baseline(desk)
  }

  /** Whether a batch waits for a larger budget than it has now: one that was raised since has yet to be tried. */
  isSpent(batch: Batch): boolean {
    return this.#spent.has(batch.seq) && this.#spent.get(batch.seq) === batch.budget
  }

  /** Submitting goes on once a person has decided what could not be settled. */
  #looked() {
    const { desk, store, connectionId } = this.#at()
    if (desk.state !== 'paused' || this.#reviewsInRow < patienceWithReviews) return
    if (store.ledger.open(connectionId, 'review').length > 0) return
    this.#reviewsInRow = 0
    desk.setState('running')
  }

  async run(signal: AbortSignal) {
    const desk = this.#desk
    try {
      while (!signal.aborted) {
        this.#looked()
        const told = await settleTold(desk, this.#reconciler, signal)
        if (told) this.#conclusions(told)
        const questions = desk.parts.store.ledger.open(desk.parts.connectionId, 'unknown')
        const rests = questions.length === 0 ? Infinity : this.#reconciler.restsFor(questions)
        if (rests === undefined) await this.#settle(questions, signal)
        else if (!(await this.#submitNext(signal))) await desk.laneBell.wait(Math.min(1000, rests), signal)
      }
    } finally {
      this.#spare.close()
    }
  }

  /** False when there is nothing to send now. */
  async #submitNext(signal: AbortSignal): Promise<boolean> {
    const desk = this.#desk
    const first = this.#pick()
    if (!first) return false
    if (await this.#skips(first)) return true
    if (desk.pauseMs > 0) {
      await desk.parts.clock.sleep(desk.pauseMs, signal)
      return true
    }
    if (!(await this.#baseline.prepare(signal))) return !signal.aborted
    await desk.pacer.take('submit', this.#refusalsInRow > 0)
    const connection = await this.#spare.take(signal)
    if (!connection) return true
    // Much may have changed while waiting for the pacer and the connection.
    const next = signal.aborted ? undefined : this.#pick()
    if (!next || next.image.id !== first.image.id || desk.pauseMs > 0) {
      this.#spare.giveBack(connection)
      return !signal.aborted && next !== undefined
    }
    const ready = contentOfSource(next.image.source) === undefined ? next : await this.#signed(next)
    if (ready) await this.#send(ready, connection)
    else this.#spare.giveBack(connection)
    return true
  }

  /** With a link that is signed now; undefined where there is none, or another picture's turn has come meanwhile. */
  async #signed({ image }: Next): Promise<Next | undefined> {
    const link = await this.#at().publisher?.link(image.source)
    const next = link === undefined ? undefined : this.#pick()
    return link !== undefined && next?.image.id === image.id ? { ...next, link } : undefined
  }

  /** The next image that may be sent now: state, window, caps and budgets allow it. */
  #pick(): Next | undefined {
    const { desk, store, connectionId, settings } = this.#at()
    const offlineOver = desk.state === 'offline'
    if (desk.state !== 'running' && !offlineOver) return undefined
    const room = Math.min(desk.window.size, settings.inFlight ?? Infinity)
    const open = store.ledger.open(connectionId, 'unknown')
    // The list of runs shows no settings: what a picture's lost submission became must never be taken for another of it.
    const asked = open.map(({ imageId }) => store.images.byId(imageId)!.source)
    // Under a person's cap a run counts until a GET has confirmed that it is finished, and so does one that may be.
    const counted = settings.inFlight === undefined ? desk.inFlight : desk.flights.size + open.length
    if (counted >= room) return undefined
    for (const batch of store.batches.running(connectionId)) {
      const questions = open.filter((one) => one.batchSeq === batch.seq).length
      if (batch.inFlight !== null && this.#flightsOf(batch.seq) + questions >= batch.inFlight) continue
      const image = store.images.nextWaiting(batch.seq, asked)
      if (!image || !this.#isReachable(image)) continue
      const recipe = store.images.recipeById(image.recipeId)
      const verdict = withinBudget(store, batch, estimate(store, connectionId, recipe))
      if (verdict === 'spent') this.#spent.set(batch.seq, batch.budget)
      else this.#spent.delete(batch.seq)
      if (verdict === 'go') return { batch, image, recipe }
    }
    return undefined
  }

  /** Pictures of this computer have to be published first; until then other batches go on. */
  #isReachable({ source }: Image): boolean {
    return contentOfSource(source) === undefined || this.#at().publisher?.isReady(source) === true
  }

  /** A file that the person wants left alone has the picture's name: its result could not be placed, so it is not paid for. */
  async #skips({ batch, image }: Next): Promise<boolean> {
    const { store, deliverer, report } = this.#at()
    const path = await deliverer.obstacle(batch, image)
    if (path === undefined) return false
    const error = say`A file of that name is there already (${path}), so nothing was sent.`
    if (store.images.tryMove(image.id, 'waiting', 'skipped', { error })) {
      deliverer.changed(batch)
      report({ kind: 'image', imageId: image.id })
    }
    return true
  }

  #flightsOf(batchSeq: number): number {
    let n = 0
    for (const flight of this.#desk.flights.values()) if (flight.batchSeq === batchSeq) n += 1
    return n
  }

  #at() {
    const desk = this.#desk
    return { desk, ...desk.parts }
  }

  async #send(next: Next, connection: SubmitConnection) {
    const { desk, store, safety, clock, service } = this.#at()
    const hook = this.#at().webhook?.addressFor(next.batch.webhookUrl)
    const attempt = this.#intend(next, hook?.hash)
    if (!attempt) {
      this.#spare.giveBack(connection)
      return
    }
    if (hook) desk.announcements.expect(attempt.id)
    desk.laneBusy = true
    const body = submitBody({
      appId: next.recipe.appId,
      image: next.link ?? next.image.source,
      settings: next.recipe.settings,
      parameters: next.recipe.parameters,
      webhookUrl: hook?.url ?? next.batch.webhookUrl,
    })
    const result = await service.submit(connection, body, () => {
      const time = desk.serviceTime.now()
      store.ledger.move(attempt.id, 'sending', { sentFrom: time?.from ?? null, sentTo: time?.to ?? null })
      safety.raise(attempt.id)
    })
    const closed = desk.serviceTime.at(clock.monotonic())?.to ?? null
    this.#conclude(next, attempt, result, closed)
    desk.laneBusy = false
    this.#heed(result)
    desk.parts.report({ kind: 'image', imageId: next.image.id })
  }

  #heed(result: SubmitOutcome) {
    const { desk } = this.#at()
    switch (result.kind) {
      case 'acked':
        desk.heed({ ...result, kind: 'ok', value: undefined })
        return
      case 'unsent':
      case 'unknown':
        desk.missed(result.message)
        return
      case 'refused':
        if (result.reason === 'busy') desk.pacer.refused(result.retryAfterMs)
        else if (result.reason === 'not-the-service') desk.missed(result.message)
        else desk.heed({ ...result, kind: 'ok', value: undefined })
    }
  }

  /** Undefined when another process cancelled the image just now. */
  #intend(next: Next, secretHash: string | undefined): Attempt | undefined {
    const { store, connectionId, clock } = this.#at()
    const price = estimate(store, connectionId, next.recipe)
    return store.transaction(() => {
      if (!store.images.tryMove(next.image.id, 'waiting', 'submitting', { error: null })) return undefined
      const attempt = store.ledger.intend({
        imageId: next.image.id,
        batchSeq: next.batch.seq,
        connectionId,
        appId: next.recipe.appId,
        priceMin: price?.min ?? null,
        priceMax: price?.max ?? null,
        totalBefore: this.#baseline.total ?? null,
        watermarkCreated: this.#baseline.newest ?? null,
        intentAt: clock.now(),
      })
      if (secretHash !== undefined) store.noticeSecrets.add(secretHash, attempt.id)
      return attempt
    })
  }

  #conclude(next: Next, attempt: Attempt, result: SubmitOutcome, closed: number | null) {
    switch (result.kind) {
      case 'acked':
        // A run id that is already ours belongs to another picture: the answer says nothing about this one.
        if (this.#isAnother(attempt, result.runId)) {
          this.#unknown(attempt, say`The service answered with the id of another run.`, closed)
        } else this.#acknowledge(next, attempt, result.runId)
        return
      case 'unknown':
        this.#unknown(attempt, result.message, closed)
        return
      case 'unsent':
        // What the store threw when it should have kept `SENDING`: without it nothing may be sent.
        if (result.cause !== undefined) throw result.cause
        this.#backToWaiting(next, attempt, 'unsent', undefined, result.message)
        return
      case 'refused':
        this.#refused(next, attempt, result)
    }
  }

  /** Known already, or shown to a person as the answer to an earlier question. */
  #isAnother(attempt: Attempt, runId: string): boolean {
    const { ledger } = this.#desk.parts.store
    return ledger.knows(runId) || ledger.offeredElsewhere(runId, attempt.id)
  }

  #acknowledge(next: Next, attempt: Attempt, runId: string) {
    const { desk, store, safety, clock } = this.#at()
    try {
      store.transaction(() => {
        store.ledger.move(attempt.id, 'acked', { runId, settledAt: clock.now() })
        store.images.move(next.image.id, 'submitting', 'running', { runId, serviceStatus: 'IN_QUEUE' })
      })
    } catch (error) {
      safety.rescue(attempt.id, runId)
      throw new QueueFault(
        say`The queue's file cannot be written (${(error as Error).message}); run ${runId} was noted beside it. Make room on the disk, then go on with "vitrine resume".`,
      )
    }
    this.#baseline.grow()
    this.#refusalsInRow = 0
    desk.announcements.acknowledged(attempt.id, desk.takeOff(runId, next.image.id, next.batch.seq))
  }

  #unknown(attempt: Attempt, detail: string, closedTo: number | null) {
    this.#desk.parts.store.ledger.move(attempt.id, 'unknown', { detail, closedTo })
  }

  #refused(next: Next, attempt: Attempt, result: Extract<SubmitOutcome, { kind: 'refused' }>) {
    const { desk, store, clock } = this.#at()
    const { status, message } = result
    if (result.reason === 'out-of-credits') desk.setState('out-of-credits', message)
    else if (result.reason === 'key-rejected') desk.setState('key-rejected', message)
    else if (result.reason === 'busy') {
      this.#refusalsInRow += 1
      if (this.#refusalsInRow >= ceilingAfter) desk.window.ceiling(Math.max(1, desk.inFlight))
    } else if (result.reason === 'invalid') {
      store.transaction(() => {
        store.ledger.move(attempt.id, 'refused', {
          httpStatus: status,
          detail: message,
          settledAt: clock.now(),
        })
        store.images.move(next.image.id, 'submitting', 'failed', { error: message })
      })
      return
    }
    this.#backToWaiting(next, attempt, 'refused', status, message)
  }

  #backToWaiting(
    next: Next,
    attempt: Attempt,
    state: 'unsent' | 'refused',
    httpStatus: number | undefined,
    detail: string,
  ) {
    const { store, clock } = this.#at()
    store.transaction(() => {
      store.ledger.move(attempt.id, state, { httpStatus: httpStatus ?? null, detail, settledAt: clock.now() })
      store.images.move(next.image.id, 'submitting', 'waiting')
    })
  }

  async #settle(questions: readonly Attempt[], signal: AbortSignal) {
    const settled = await this.#reconciler.look(questions, signal)
    const { ground } = this.#reconciler
    // What the list showed is the new baseline; it is read again before a submission that nothing is open beside.
    if (ground) this.#baseline.assume(ground.total, ground.newest)
    else this.#baseline.forget()
    for (const { question, outcome } of settled) this.#conclusion(question, outcome)
  }

  /** The account is read anew before the next submission. */
  #conclusions(told: readonly Settled[]) {
    if (told.length > 0) this.#baseline.forget()
    for (const { question, outcome } of told) this.#conclusion(question, outcome)
  }

  #conclusion(question: Attempt, outcome: Outcome) {
    const desk = this.#desk
    desk.parts.report({ kind: 'image', imageId: question.imageId })
    if (outcome.kind === 'adopted') desk.takeOff(outcome.runId, question.imageId, question.batchSeq)
    this.#reviewsInRow = outcome.kind === 'review' ? this.#reviewsInRow + 1 : 0
    if (this.#reviewsInRow >= patienceWithReviews) {
      desk.setState(
        'paused',
        say`${patienceWithReviews} submissions in a row could not be settled; nothing more is sent until you have looked at "vitrine review".`,
      )
    }
  }
}
