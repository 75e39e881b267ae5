import { Door } from './http/server.ts'
import type { Books } from './service/books.ts'
import type { FaultRule } from './service/faults.ts'
import { completeOptions } from './service/options.ts'
import type { Conduct, PracticeOptions } from './service/options.ts'
import { Service } from './service/service.ts'

export type { PracticeAccount } from './service/accounts.ts'
export type { AppParameter, PracticeApp } from './service/apps.ts'
export type { BookedRun, Books, RequestTally } from './service/books.ts'
export type { Clock } from './service/clock.ts'
export { writeShootLists } from './shoot/lists.ts'
export { parseFaultRules } from './service/faults.ts'
export type { EndpointKind, Fault, FaultRequest, FaultRule } from './service/faults.ts'
export type { Conduct, Outcome, OutcomeRun, PracticeOptions } from './service/options.ts'
export type { ProcessingTime } from './service/random.ts'

/** What a test or a person may order from a running practice service. */
export interface PracticeControl {
  readonly setFaults: (rules: readonly FaultRule[]) => void
  readonly addFault: (rule: FaultRule) => void
  readonly clearFaults: () => void
  /** Changes speed, limits, refunds, clock skew and so on from now on. */
  readonly change: (conduct: Partial<Conduct>) => void
  /** Adds credits (of the add-on kind) to an account. */
  readonly topUp: (account: string, credits: number) => void
  /** No further run is begun until `release`: runs stay IN_QUEUE. */
  readonly hold: () => void
  readonly release: () => void
  /** Resolves when no run waits or is worked on. */
  readonly idle: () => Promise<void>
  /** Submits as another client of the account; returns the run's id. */
  readonly submitAsStranger: (
    account: string,
    appId: string,
    parameters: Readonly<Record<string, unknown>>,
  ) => string
  /** Makes every link handed out so far an expired one. */
  readonly expireLinks: () => void
}

/** A running practice service. */
export interface PracticeService {
  /** Address up to and including the version: what a client is given as its base URL. */
  readonly url: string
  readonly origin: string
  /** Where signed links lead; another port than `origin` with `filesOrigin: 'separate'`. */
  readonly filesOrigin: string
  /** Every API key. */
  readonly keys: readonly string[]
  readonly control: PracticeControl
  /** The service's own ledger as of now. */
  readonly books: () => Books
  /** Stops at once: connections are cut, work in hand is given up. */
  readonly close: () => Promise<void>
}

/**
 * Starts a local server of the whole service interface. Rejects with a sentence when the address is not loopback, the
 * port is taken, or the options contradict each other.
 */
export async function startPracticeService(options: PracticeOptions = {}): Promise<PracticeService> {
  const setup = completeOptions(options)
  if (setup.host !== '127.0.0.1' && setup.host !== '::1') {
    throw new Error(`The practice service listens on 127.0.0.1 or ::1 only, not on ${setup.host}.`)
  }
  const service = new Service(setup)
  const separate = setup.filesOrigin === 'separate'
  const doors = separate
    ? [new Door(service, 'service'), new Door(service, 'files')]
    : [new Door(service, 'all')]
  const close = async () => {
    const stopped = service.close()
    await Promise.all(doors.map((door) => door.close()))
    await stopped
  }
  try {
    const origin = await doors[0]!.listen(setup.port)
    const filesOrigin = doors[1] ? await doors[1].listen(0) : origin
    service.links.origin = filesOrigin
    service.resume()
    return {
      url: `${origin}/api/v1`,
      origin,
      filesOrigin,
      keys: service.accounts.keys,
      control: controlOf(service),
      books: () => service.books(),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

function controlOf(service: Service): PracticeControl {
  return {
    setFaults: (rules) => service.faults.set(rules),
    addFault: (rule) => service.faults.add(rule),
    clearFaults: () => service.faults.set([]),
    change: (conduct) => service.change(conduct),
    topUp: (account, credits) => service.topUp(account, credits),
    hold: () => service.pool.hold(),
    release: () => service.pool.release(),
    idle: () => service.pool.idle(),
    submitAsStranger: (account, appId, parameters) => service.submitAsStranger(account, appId, parameters),
    expireLinks: () => service.links.expireAll(),
  }
}
