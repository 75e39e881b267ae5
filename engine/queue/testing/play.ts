import type { SafetyFiles } from '../../store/safety-files.ts'
import type { Store } from '../../store/store.ts'
import { defaultQueueSettings, type Deliverer } from '../parts.ts'
import { Queue, type QueueEnd } from '../queue.ts'
import { addRehearsalBatch, emptyStore } from './rehearsal.ts'
import { watchAdoptions } from './adoption-watch.ts'
import { Cast } from './cast.ts'
import { Guillotine } from './guillotine.ts'
import { checkAtEnd, checkNow } from './oracle.ts'
import { NoticeTraffic } from './notice-traffic.ts'
import { seeded } from './random.ts'
import type { Step, Story } from './story.ts'
import { TroubledService } from './troubled-service.ts'
import { VirtualClock } from './virtual-clock.ts'

/** A promise that a story broke. */
export interface Breach {
  readonly promise: string
  readonly detail: string
}

export interface Played {
  readonly breaches: readonly Breach[]
  /** What happened, for figures about how much of the state space was seen. */
  readonly seen: Readonly<Record<string, number>>
}

/** What a planted bug changes; the harness is believed because it finds them. */
export interface Bug {
  readonly store?: (store: Store) => Store
  readonly settings?: Partial<typeof defaultQueueSettings>
}

/** The time in which everything comes to rest once nothing goes wrong any more, in virtual ms. */
const restWithinMs = 20 * 60_000
const watchMs = 1000
/** With nothing wrong any more: API requests a minute while runs are in flight, and for each run. */
const calmRequests = { perMinute: 110, perRun: 10 }

/** One story, told: the real queue on a real store, in virtual time, with a service that is up to no good. */
class Play {
  readonly story: Story
  readonly clock = new VirtualClock()
  readonly service: TroubledService
  readonly store: Store
  readonly cast: Cast
  readonly breaches: Breach[] = []
  readonly seen: Record<string, number> = {}
  readonly files = new Map<number, string>()
  /** Pictures whose runs were mistaken for each other because one was accepted too late. */
  readonly late = new Set<string>()
  readonly #bug: Bug
  /** Undefined where nobody listens for notices. */
  readonly traffic: NoticeTraffic | undefined
  readonly #fetching = new Set<string>()
  #process:
    | { guillotine: Guillotine; stop: AbortController; done: boolean; paused: () => boolean }
    | undefined
  #processes = 0
  readonly #stops: AbortController[] = []
  #highWater = 0
  #endedAt = 0
  readonly #rescued = new Map<number, string>()

  constructor(story: Story, bug: Bug = {}, notices = false) {
    this.story = story
    this.#bug = bug
    this.service = new TroubledService(story.service, this.clock)
    const store = emptyStore()
    this.store = bug.store?.(store) ?? store
    this.store.connections.add(this.service.baseUrl, 'key')
    addRehearsalBatch(this.store, 1, story.images, story.budget, 'b0', story.variants)
    this.traffic = notices
      ? new NoticeTraffic(this.clock, this.store, seeded(story.service.seed + 77))
      : undefined
    this.service.isHeard = (runId) => this.store.ledger.knows(runId)
    this.service.onEnd = (run) => this.traffic?.announce(run)
    this.cast = new Cast(this.store, this.service, this.clock, story.variants)
    watchAdoptions(this)
  }

  async tell(): Promise<Played> {
    try {
      await this.clock.run(this.#tell())
    } catch (error) {
      this.breach('no surprise', (error as Error).stack ?? String(error))
    } finally {
      this.#process?.guillotine.cut()
      // Node keeps signals that somebody listens to until they are aborted, and all that the listener knows.
      for (const stop of this.#stops) stop.abort()
      this.store.close()
    }
    if (this.traffic) this.count('notices', this.traffic.notices)
    for (const [fault, n] of this.service.met) this.count(`fault: ${fault}`, n)
    this.count('hours', this.clock.monotonic() / 3_600_000)
    return { breaches: this.breaches, seen: this.seen }
  }

  breach(promise: string, detail: string) {
    this.breaches.push({ promise, detail })
  }

  count(what: string, by = 1) {
    this.seen[what] = (this.seen[what] ?? 0) + by
  }

  async #tell() {
    this.#start()
    for (const { afterMs, step } of this.story.steps) {
      await this.#pass(afterMs)
      await this.#take(step)
      checkNow(this)
    }
    await this.#pass(10_000)
    this.service.calm = true
    if (this.service.keyRevoked) await this.#restart()
    this.service.credits += 10_000
    // Those who stopped or paused anything want it now; reviews stay open in the first rest.
    this.#process!.guillotine.raceNoMore()
    this.cast.everythingGoesOn()
    await this.#rest('with reviews open')
    checkAtEnd(this)
    this.count(
      `stories with ${this.store.images.inState(1, 'review').length > 0 ? 'a person' : 'nobody'} asked`,
    )
    this.cast.decideEverything()
    await this.#rest('with every review decided')
    checkAtEnd(this)
  }

  async #take(step: Step) {
    const { guillotine } = this.#process!
    this.count(step.kind)
    if ('deed' in step) this.count(`${step.kind}: ${step.deed.kind}`)
    switch (step.kind) {
      case 'deed':
        this.cast.act(step.deed)
        return
      case 'race':
        guillotine.race(step.touches, () => this.cast.act(step.deed))
        return
      case 'new-key':
        this.service.keyRevoked = true
        await this.#restart()
        return
      case 'restart':
        await this.#restart()
        return
      case 'crash':
        guillotine.cut()
        this.#start()
        return
      case 'crash-at':
        guillotine.cutAfter(step.touches)
    }
  }

  /** Lets time pass; a process that ended is started again after a while, as people do. */
  async #pass(ms: number) {
    const until = this.clock.monotonic() + ms
    do {
      await this.clock.sleep(Math.min(watchMs, Math.max(0, until - this.clock.monotonic())))
      const process = this.#process!
      if (process.guillotine.dead) this.#start()
      else if (process.done && this.#unsettled() && this.clock.monotonic() > this.#endedAt + 5000)
        this.#start()
    } while (this.clock.monotonic() < until)
  }

  async #rest(when: string) {
    const from = this.clock.monotonic()
    const requests = this.service.requests
    const runs = this.service.runs.filter((run) => run.completed === undefined).length
    while (this.#unsettled()) {
      if (this.clock.monotonic() - from > restWithinMs) {
        this.breach('progress', `${when}: ${this.cast.describe()}`)
        return
      }
      await this.#pass(watchMs)
    }
    const minutes = Math.max(1, Math.ceil((this.clock.monotonic() - from) / 60_000))
    const spent = this.service.requests - requests
    const allowed =
      calmRequests.perMinute * minutes + calmRequests.perRun * (runs + this.store.ledger.newest())
    if (spent > allowed) this.breach('no storm', `${spent} requests in ${minutes} min, ${runs} runs`)
    this.seen['most requests a minute'] = Math.max(this.seen['most requests a minute'] ?? 0, spent / minutes)
  }

  #unsettled(): boolean {
    return this.cast.unsettled(this.#process!.paused())
  }

  /** The program is ended in an orderly way and begun anew, with a key that is good. */
  async #restart() {
    await this.#stop()
    this.service.keyRevoked = false
    this.#start()
  }

  async #stop() {
    const process = this.#process!
    process.stop.abort()
    const from = this.clock.monotonic()
    while (!process.done && !process.guillotine.dead) {
      await this.clock.sleep(100)
      if (this.clock.monotonic() - from > 60_000) {
        this.breach('progress', 'An aborted queue did not end within a minute.')
        process.guillotine.cut()
      }
    }
    process.guillotine.cut()
  }

  #start() {
    this.#process?.guillotine.cut()
    const guillotine = new Guillotine((place) => this.count(`cut ${place}`))
    const stop = new AbortController()
    this.#stops.push(stop)
    this.#processes += 1
    this.#fetching.clear()
    const { settleMs, holdMs, whenStopped } = this.story
    const queue = new Queue({
      store: guillotine.store(this.store),
      safety: guillotine.safety(this.#safety()),
      connectionId: 1,
      service: guillotine.service(this.service),
      deliverer: guillotine.deliverer(this.#deliverer()),
      webhook: this.traffic?.part(guillotine),
      clock: guillotine.clock(this.clock),
      random: seeded(this.story.service.seed + this.#processes),
      settings: { ...defaultQueueSettings, settleMs, holdMs, whenStopped, ...this.#bug.settings },
      report: () => {},
    })
    const process = { guillotine, stop, done: false, paused: () => queue.desk.state === 'paused' }
    this.#process = process
    const ended = (end: QueueEnd | undefined, error?: unknown) => {
      if (process.done) return
      process.done = true
      this.#endedAt = this.clock.monotonic()
      if (guillotine.dead) return
      if (end) this.#judgeEnd(end)
      else this.breach('no surprise', (error as Error).stack ?? String(error))
    }
    queue.run(stop.signal).then(ended, (error: unknown) => ended(undefined, error))
  }

  #judgeEnd(end: QueueEnd) {
    this.count(`end: ${end.kind}`)
    // What others add while it ends is for the next process.
    if (end.kind !== 'done' || this.clock.monotonic() - this.cast.actedAt < 2000) return
    for (const batch of this.store.batches.running(1)) {
      const counts = this.store.batches.counts(batch.seq)
      const left = counts.waiting + counts.submitting + counts.running + counts.downloading
      if (left > 0) this.breach('done means done', JSON.stringify(counts))
    }
  }

  #deliverer(): Deliverer {
    return {
      deliver: async (_, image, outputs) => {
        const runId = outputs[0]!.url.split('/').at(-1)!
        const fetching = `${this.#processes}:${image.id}`
        if (this.#fetching.has(fetching)) this.breach('one download', `image ${image.id} is fetched twice`)
        this.#fetching.add(fetching)
        await this.clock.sleep(100 + (image.id % 5) * 400)
        this.#fetching.delete(fetching)
        if (this.service.troubled('file-unwritable')) return { kind: 'unwritable', message: 'Full.' }
        if (this.service.troubled('file-retry')) return { kind: 'retry', message: 'No answer.' }
        if (this.service.troubled('file-rejected')) return { kind: 'rejected', message: 'Half of it.' }
        if (this.service.troubled('file-expired')) return { kind: 'link-expired' }
        this.files.set(image.id, runId)
        return { kind: 'delivered' }
      },
      obstacle: () => Promise.resolve(undefined),
      recover: (_, image) => Promise.resolve(this.files.get(image.id) === image.runId),
      tidy: (_, images) => {
        for (const image of images) {
          if (this.#fetching.has(`${this.#processes}:${image.id}`))
            this.breach('no file harmed', `tidied the file of image ${image.id} while it was fetched`)
        }
        return Promise.resolve()
      },
      changed: () => {},
      flush: () => Promise.resolve(),
    }
  }

  #safety(): SafetyFiles {
    return {
      raise: (attemptId) => {
        this.#highWater = Math.max(attemptId, this.#highWater)
      },
      highWater: () => this.#highWater,
      rescue: (attemptId, runId) => void this.#rescued.set(attemptId, runId),
      rescued: () => this.#rescued,
      clear: () => this.#rescued.clear(),
      close: () => {},
    }
  }
}

/**
 * Tells one story and says which promises it broke.
 * @param notices whether the service's notices are heard
 */
export function play(story: Story, bug?: Bug, notices?: boolean): Promise<Played> {
  return new Play(story, bug, notices).tell()
}
