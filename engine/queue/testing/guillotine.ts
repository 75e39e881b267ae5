import type { Clock } from '../../clock.ts'
import type { ServiceClient } from '../../service/service-client.ts'
import type { SafetyFiles } from '../../store/safety-files.ts'
import type { Store } from '../../store/store.ts'
import type { Deliverer } from '../parts.ts'

/** What a process that was cut off meets at its next step towards the disk. */
class CutOff extends Error {
  override readonly name = 'CutOff'
}

/** Calls that change something; between any two of them a process may vanish. */
const writing = new Set([
  'intend',
  'move',
  'setClosed',
  'setTotalBefore',
  'note',
  'close',
  'reopen',
  'setCandidates',
  'tryMove',
  'patch',
  'add',
  'setFirstSeen',
  'markShared',
  'forbidResends',
  'learn',
  'learnBasePrice',
  'setState',
])

/**
 * The end of a process at any moment. Everything of the queue that reaches outside goes through here; after the cut
 * nothing takes effect any more: store and files throw, so that an open transaction rolls back, and requests and
 * timers never come back. What the service was sent goes its own way.
 */
export class Guillotine {
  #left = Infinity
  #dead = false
  #inTransaction = false
  #races: { left: number; act: () => void }[] = []
  readonly #fell: (place: string) => void

  /** @param fell told of the place at which a process vanishes that `cutAfter` was set for */
  constructor(fell: (place: string) => void = () => {}) {
    this.#fell = fell
  }

  get dead(): boolean {
    return this.#dead
  }

  cut() {
    this.#dead = true
  }

  /** Cuts after so many further touches. */
  cutAfter(touches: number) {
    this.#left = touches
  }

  /** Has another process act after so many further touches, between two transactions of this one. */
  race(touches: number, act: () => void) {
    this.#races.push({ left: touches, act })
  }

  /** Other processes rest from now on. */
  raceNoMore() {
    this.#races = []
  }

  /** A place at which the process may vanish, or another act. */
  touch(place: string) {
    if (this.#dead) throw new CutOff('This process was cut off.')
    if (!this.#inTransaction) {
      for (const race of this.#races) race.left -= 1
      const due = this.#races.filter((race) => race.left < 0)
      this.#races = this.#races.filter((race) => race.left >= 0)
      for (const race of due) race.act()
    }
    this.#left -= 1
    if (this.#left < 0) {
      this.#dead = true
      this.#fell(place)
      throw new CutOff('This process was cut off.')
    }
  }

  store(store: Store): Store {
    const view = {
      batches: this.#table('batches', store.batches),
      images: this.#table('images', store.images),
      ledger: this.#table('ledger', store.ledger),
      outputs: this.#table('outputs', store.outputs),
      connections: this.#table('connections', store.connections),
      noticeSecrets: this.#table('noticeSecrets', store.noticeSecrets),
      transaction: <T>(work: () => T): T => {
        this.touch('before a transaction')
        const outermost = !this.#inTransaction
        this.#inTransaction = true
        let result: T
        try {
          result = store.transaction(work)
        } finally {
          if (outermost) this.#inTransaction = false
        }
        this.touch('after a transaction')
        return result
      },
    }
    return view as unknown as Store
  }

  #table<T extends object>(of: string, table: T): T {
    return new Proxy(table, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target)
        if (typeof member !== 'function') return member
        return (...args: unknown[]) => {
          if (this.#dead) throw new CutOff('This process was cut off.')
          if (!writing.has(String(name))) return member.apply(target, args) as unknown
          this.touch(`before ${of}.${String(name)}`)
          const result: unknown = member.apply(target, args)
          this.touch(`after ${of}.${String(name)}`)
          return result
        }
      },
    })
  }

  service(service: ServiceClient): ServiceClient {
    return {
      baseUrl: service.baseUrl,
      openSubmission: (signal) => this.#call('connect', () => service.openSubmission(signal)),
      submit: (connection, body, sending) =>
        this.#call('submit', () =>
          service.submit(connection, body, () => {
            sending()
            this.touch('between SENDING and the first byte')
          }),
        ),
      run: (id, signal) => this.#call('run', () => service.run(id, signal)),
      list: (query, signal) => this.#call('list', () => service.list(query, signal)),
      balance: (signal) => this.#call('balance', () => service.balance(signal)),
      downloadLink: (id, signal) => this.#call('downloadLink', () => service.downloadLink(id, signal)),
      apps: (signal) => this.#call('apps', () => service.apps(signal)),
    }
  }

  /** A dead process sends nothing, and reads no answer. */
  async #call<T>(what: string, call: () => Promise<T>): Promise<T> {
    if (!this.#survives(`before ${what}`)) return await never()
    const result = await call()
    return this.#survives(`${what} answered`) ? result : await never()
  }

  #survives(place: string): boolean {
    try {
      this.touch(place)
      return true
    } catch {
      return false
    }
  }

  clock(clock: Clock): Clock {
    return {
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      sleep: async (ms, signal) => {
        if (this.#dead) return await never()
        await clock.sleep(ms, signal)
        return this.#dead ? await never() : undefined
      },
    }
  }

  deliverer(deliverer: Deliverer): Deliverer {
    return {
      deliver: (batch, image, outputs, signal) =>
        this.#call('deliver', () => deliverer.deliver(batch, image, outputs, signal)),
      obstacle: (batch, image) => this.#call('obstacle', () => deliverer.obstacle(batch, image)),
      recover: (batch, image) => this.#call('recover', () => deliverer.recover(batch, image)),
      tidy: (batch, images) => this.#call('tidy', () => deliverer.tidy(batch, images)),
      changed: (batch) => deliverer.changed(batch),
      flush: () => this.#call('flush', () => deliverer.flush()),
    }
  }

  safety(safety: SafetyFiles): SafetyFiles {
    return {
      raise: (attemptId) => this.#write('safety.raise', () => safety.raise(attemptId)),
      highWater: () => safety.highWater(),
      rescue: (attemptId, runId) => this.#write('safety.rescue', () => safety.rescue(attemptId, runId)),
      rescued: () => safety.rescued(),
      clear: () => this.#write('safety.clear', () => safety.clear()),
      close: () => {},
    }
  }

  #write(what: string, work: () => void) {
    this.touch(`before ${what}`)
    work()
    this.touch(`after ${what}`)
  }
}

function never(): Promise<never> {
  return new Promise(() => {})
}
