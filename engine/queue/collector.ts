import type { Run } from '../../shared/wire.ts'
import type { Image } from '../store/rows.ts'
import type { Desk } from './desk.ts'
import { startOf, type Flight } from './flights.ts'
import { outputsOf, primaryOutput } from './offered-outputs.ts'
import type { OfferedOutput } from './parts.ts'
import { extraCredits } from '../../shared/prices.ts'
import { say } from '../../shared/language/say.ts'

/** A run that is asked for again because the answer made no sense, or 404, goes to a person after this often. */
const mostPuzzles = 5
const puzzlePauseMs = 2000
const puzzling: ReadonlySet<string> = new Set(['not-found', 'refused'])
const asksAtOnce = 8
/** Finished runs whose files wait for a download; asking for more links would only let them grow old. */
const mostFetched = 16
/** Tries for a result that does not come whole; a file host that is away is given longer. */
const mostTries = 8
const mostTriesAway = 20
const longestPauseMs = 60_000
/** A folder that could not be written is tried again this often by a queue that waits (desktop). */
const unwritablePauseMs = 30_000

interface Finished {
  readonly image: Image
  outputs: readonly OfferedOutput[] | undefined
  tries: number
  notBefore: number
}

/**
 * Asks for runs that have left the list, keeps what became of them, and has their files delivered. A GET is only
 * made while downloads keep up: links live 15 minutes, "finished, not fetched" costs nothing.
 */
export class Collector {
  readonly #desk: Desk
  readonly #asking = new Set<Promise<void>>()
  readonly #fetching = new Map<number, { readonly seq: number; readonly work: Promise<void> }>()
  readonly #finished: Finished[] = []
  /** Why an output folder could not be written; its batch waits for a person. */
  readonly #unwritable = new Map<number, string>()
  readonly #tryFolderAt = new Map<number, number>()
  /** What asking or fetching in the background threw: the store failed, and the queue has to end. */
  #fault: { readonly error: unknown } | undefined

  constructor(desk: Desk) {
    this.#desk = desk
  }

  get unwritable(): ReadonlyMap<number, string> {
    return this.#unwritable
  }

  /** True when nothing of these batches is being fetched, or only what their folders cannot take. */
  idleFor(batches: readonly number[]): boolean {
    const concerns = (seq: number) => batches.includes(seq)
    return (
      ![...this.#fetching.values()].some((entry) => concerns(entry.seq)) &&
      this.#finished.every(({ image }) => !concerns(image.batchSeq) || this.#unwritable.has(image.batchSeq))
    )
  }

  /** True while the files of this image are being fetched, or wait for that. */
  has(imageId: number): boolean {
    return this.#fetching.has(imageId) || this.#finished.some((entry) => entry.image.id === imageId)
  }

  /** Takes up an image that a crash or an earlier stop left in `downloading`. */
  resume(image: Image) {
    this.#finished.push({ image, outputs: undefined, tries: 0, notBefore: 0 })
  }

  async run(signal: AbortSignal) {
    const { collectBell, parts } = this.#desk
    while (!signal.aborted && !this.#fault) {
      const next = Math.min(this.#startAsking(signal), this.#startFetching(signal), 5000)
      if (next > 0) await collectBell.wait(next, signal)
    }
    if (!this.#fault) {
      await Promise.all([...this.#asking, ...[...this.#fetching.values()].map((entry) => entry.work)])
      await parts.deliverer.flush()
    }
    if (this.#fault) throw this.#fault.error
  }

  /** Asks for runs that left the list; returns the time until the next may be asked. */
  #startAsking(signal: AbortSignal): number {
    const desk = this.#desk
    const now = desk.parts.clock.monotonic()
    let next = Infinity
    if (desk.state === 'key-rejected') return next
    if (desk.pauseMs > 0) return desk.pauseMs
    for (const flight of desk.flights.values()) {
      if (this.#asking.size >= asksAtOnce || this.#finished.length + this.#fetching.size >= mostFetched) break
      if (!(flight.left || flight.suspected) || flight.asking) continue
      if (flight.askAfter > now) {
        next = Math.min(next, flight.askAfter - now)
        continue
      }
      flight.asking = true
      const work = this.#inBackground(this.ask(flight, signal), () => {
        this.#asking.delete(work)
        this.#desk.collectBell.ring()
      })
      this.#asking.add(work)
    }
    return next
  }

  /** What it throws ends the collector, and with it the queue, instead of the process. */
  async #inBackground(work: Promise<void>, after: () => void): Promise<void> {
    try {
      await work
    } catch (error) {
      this.#fault ??= { error }
    } finally {
      after()
    }
  }

  /** One GET for one run; the only thing that says what became of it. */
  async ask(flight: Flight, signal: AbortSignal) {
    const desk = this.#desk
    const { service, clock } = desk.parts
    flight.asking = true
    await desk.pacer.take('get')
    if (!signal.aborted) {
      const sentAt = clock.monotonic()
      const answer = await service.run(flight.runId)
      // Where lists fail too, a 404 may be the word of whatever stands in the service's place.
      const doubtful = answer.kind === 'not-found' && desk.lists.doubtful && !(await desk.present(sentAt))
      if (!doubtful) desk.heed(answer)
      if (answer.kind === 'ok') this.#learn(flight, answer.value, sentAt)
      else if (!doubtful && puzzling.has(answer.kind)) this.#puzzled(flight)
      else flight.askAfter = clock.monotonic() + 500
    }
    flight.asking = false
  }

  #learn(flight: Flight, run: Run, sentAt: number) {
    const { store } = this.#desk.parts
    switch (run.status) {
      case 'SUCCESS':
        this.#succeeded(flight, run)
        return
      case 'FAILED':
        store.transaction(() => {
          this.#charged(flight, run)
          store.images.move(flight.imageId, 'running', 'failed', {
            serviceStatus: 'FAILED',
            credits: run.creditsCharged ?? 0,
            error: run.error ?? say`The service gave no reason.`,
          })
        })
        this.#landed(flight)
        return
      case 'IN_QUEUE':
      case 'IN_PROGRESS':
        this.#stillThere(flight, run, sentAt)
        return
      default:
        this.#puzzled(flight, say`The service reports a status that Vitrine does not know (${run.status}).`)
    }
  }

  #succeeded(flight: Flight, run: Run) {
    const { store } = this.#desk.parts
    const outputs = outputsOf(run)
    store.transaction(() => {
      this.#charged(flight, run)
      store.images.move(flight.imageId, 'running', 'downloading', {
        serviceStatus: 'SUCCESS',
        credits: run.creditsCharged ?? 0,
        error: null,
        outputCount: outputs.length > 0 ? outputs.length : null,
      })
    })
    this.#learnDuration(flight, run)
    this.#finished.push({
      image: store.images.byId(flight.imageId)!,
      outputs: outputs.length > 0 ? outputs : undefined,
      tries: 0,
      notBefore: 0,
    })
    this.#landed(flight)
  }

  #charged(flight: Flight, run: Run) {
    const { store, connectionId } = this.#desk.parts
    const attempt = store.ledger.byRun(flight.runId)!
    const credits = run.creditsCharged ?? 0
    store.ledger.note(attempt.id, credits, run.status)
    const image = store.images.byId(flight.imageId)!
    const recipe = store.images.recipeById(image.recipeId)
    const extras = extraCredits(recipe.settings)
    // A run charged less than its extras, or not at all, says nothing about the base price.
    if (run.status === 'SUCCESS' && credits >= extras.max) {
      store.connections.learnBasePrice(connectionId, recipe.appId, credits - extras.min)
    }
  }

  /** How long the service worked on it, on the service's own clock, from the start that the lists suggest. */
  #learnDuration(flight: Flight, run: Run) {
    const inService = run.completedMs - run.createdMs
    const queued = flight.startedBetween ? startOf(flight) - flight.ackedAt : 0
    const duration = inService - queued
    if (duration > 0) this.#desk.durations.add(duration)
  }

  #stillThere(flight: Flight, run: Run, sentAt: number) {
    const { store, clock } = this.#desk.parts
    if (Number.isFinite(run.createdMs)) flight.created = run.createdMs
    flight.left = false
    flight.suspected = false
    flight.unseen = 0
    flight.aliveAt = sentAt
    flight.askAfter = clock.monotonic() + 1000
    if (run.status === 'IN_PROGRESS') flight.startedBetween ??= { from: flight.waitingAt, to: sentAt }
    else flight.waitingAt = sentAt
    const image = store.images.byId(flight.imageId)!
    if (image.serviceStatus !== run.status) {
      store.images.patch(flight.imageId, 'running', { serviceStatus: run.status })
    }
    this.#desk.pollBell.ring()
  }

  /** Asked again a few times, with pauses; then a person has to look. The run may have been charged. */
  #puzzled(flight: Flight, why = say`The service no longer knows this run (404).`) {
    const { store, clock, connectionId } = this.#desk.parts
    flight.puzzles += 1
    flight.askAfter = clock.monotonic() + puzzlePauseMs * flight.puzzles
    if (flight.puzzles < mostPuzzles) return
    store.transaction(() => {
      store.ledger.close(store.ledger.byRun(flight.runId)!.id, 'LOST')
      // The list's totals cannot be told apart any more: a run that was counted as ours may not be in them.
      store.connections.forbidResends(connectionId)
      store.images.move(flight.imageId, 'running', 'review', { error: why })
    })
    this.#landed(flight)
  }

  #landed(flight: Flight) {
    this.#desk.land(flight)
    this.#changed(flight.imageId, flight.batchSeq)
  }

  #changed(imageId: number, batchSeq: number) {
    const { store, deliverer, report } = this.#desk.parts
    deliverer.changed(store.batches.bySeq(batchSeq))
    report({ kind: 'image', imageId })
  }

  #startFetching(signal: AbortSignal): number {
    const { parts } = this.#desk
    const now = parts.clock.monotonic()
    let next = Infinity
    for (const entry of this.#finished.slice()) {
      if (this.#fetching.size >= parts.settings.downloads) break
      const pause = this.#unwritablePause(entry.image.batchSeq, now)
      if (pause > 0) {
        next = Math.min(next, pause)
        continue
      }
      if (entry.notBefore > now) {
        next = Math.min(next, entry.notBefore - now)
        continue
      }
      this.#finished.splice(this.#finished.indexOf(entry), 1)
      const work = this.#inBackground(this.#fetch(entry, signal), () => {
        this.#fetching.delete(entry.image.id)
        this.#desk.ringAll()
      })
      this.#fetching.set(entry.image.id, { seq: entry.image.batchSeq, work })
    }
    return next
  }

  /** How long a batch's folder is to be left alone; for ever where the queue ends and a person starts it again. */
  #unwritablePause(batchSeq: number, now: number): number {
    if (!this.#unwritable.has(batchSeq)) return 0
    if (this.#desk.parts.settings.whenStopped === 'end') return Infinity
    const pause = this.#tryFolderAt.get(batchSeq)! - now
    if (pause <= 0) this.#unwritable.delete(batchSeq)
    return pause
  }

  async #fetch(entry: Finished, signal: AbortSignal) {
    const { deliverer, store } = this.#desk.parts
    const batch = store.batches.bySeq(entry.image.batchSeq)
    entry.outputs ??= await this.#freshLinks(entry, signal)
    if (entry.outputs === undefined || signal.aborted) {
      if (!signal.aborted) this.#later(entry, say`The service gave no link to the result.`, 1000)
      return
    }
    const result = await deliverer.deliver(batch, entry.image, entry.outputs, signal)
    if (signal.aborted && result.kind !== 'delivered') return
    switch (result.kind) {
      case 'delivered':
        store.images.move(entry.image.id, 'downloading', 'delivered', { error: null })
        this.#changed(entry.image.id, batch.seq)
        return
      case 'link-expired':
        entry.outputs = undefined
        this.#later(entry, say`The link to the result was refused.`, 200)
        return
      case 'rejected':
        entry.outputs = undefined
        this.#later(entry, result.message, 1000)
        return
      case 'retry':
        this.#later(entry, result.message, result.afterMs ?? 500, mostTriesAway)
        return
      case 'unwritable':
        this.#unwritable.set(batch.seq, result.message)
        this.#tryFolderAt.set(batch.seq, this.#desk.parts.clock.monotonic() + unwritablePauseMs)
        this.#finished.push(entry)
    }
  }

  /** Tries again later, and in the end says so; the run stays known, so that a retry costs nothing. */
  #later(entry: Finished, message: string, pauseMs: number, most = mostTries) {
    const { store, clock, random } = this.#desk.parts
    entry.tries += 1
    if (entry.tries >= most) {
      store.images.move(entry.image.id, 'downloading', 'failed', {
        error: say`${message} The result is paid for; a retry fetches it again at no cost.`,
      })
      return this.#changed(entry.image.id, entry.image.batchSeq)
    }
    const pause = Math.min(longestPauseMs, pauseMs * 2 ** (entry.tries - 1)) * (0.75 + random() / 2)
    entry.notBefore = clock.monotonic() + pause
    this.#finished.push(entry)
  }

  /** A dead link is renewed by asking for the run again; it costs nothing. */
  async #freshLinks(entry: Finished, signal: AbortSignal): Promise<readonly OfferedOutput[] | undefined> {
    const desk = this.#desk
    await desk.pacer.take('get')
    if (signal.aborted) return undefined
    const answer = await desk.parts.service.run(entry.image.runId!)
    desk.heed(answer)
    if (answer.kind !== 'ok') return undefined
    const outputs = outputsOf(answer.value)
    if (outputs.length > 0) return outputs
    const link = await desk.parts.service.downloadLink(entry.image.runId!)
    desk.heed(link)
    if (link.kind !== 'ok') return undefined
    return [{ ...primaryOutput, url: link.value.downloadUrl, isVideo: answer.value.isVideo }]
  }
}
