import type { EngineContract } from '../../shared/contract/engine-contract.ts'
import { engineContract } from '../../shared/contract/engine-contract.ts'
import type { Contract, HandlerContext, Handlers } from '../../shared/rpc/contract.ts'
import { Fault } from '../../shared/rpc/fault.ts'
import type { Clock } from '../clock.ts'
import type { PreferenceStore } from '../preferences/preferences.ts'
import type { Store } from '../store/store.ts'
import type { KeyVault } from '../vault/vault.ts'
import { Drops } from './drops.ts'

/** What an interface is made of; a shell puts it together, a test does so with other pieces. */
export interface InterfaceParts {
  /** Data folder, absolute. */
  readonly home: string
  readonly store: Store
  readonly preferences: PreferenceStore
  readonly vault: KeyVault
  readonly clock: Clock
}

/** The engine as an interface sees it. */
export interface EngineInterface {
  readonly handlers: Handlers<EngineContract>
  /** Where a shell puts what a person dropped or picked. */
  readonly drops: Drops
  /** Answers `pictures/…` (shared/contract/pictures.ts), whatever the scheme and host. */
  readonly pictures: (request: Request) => Promise<Response>
  /** Ends all work in good order; what is on the disk is enough to go on from. */
  readonly close: () => Promise<void>
}

/** Puts the engine behind the contract. */
export function createInterface(_parts: InterfaceParts): EngineInterface {
  const drops = new Drops()
  return {
    handlers: notYet(engineContract),
    drops,
    pictures: () => Promise.resolve(new Response('There is no such picture.', { status: 404 })),
    close: () => Promise.resolve(),
  }
}

function notYet<C extends Contract>(contract: C): Handlers<C> {
  const groups = Object.entries(contract).map(([group, procedures]) => [
    group,
    Object.fromEntries(
      Object.entries(procedures).map(([name, { kind }]) => [
        name,
        kind === 'call'
          ? () => {
              throw new Fault('refused', 'Not there yet.')
            }
          : (_: unknown, { signal }: HandlerContext) => new Silence(signal),
      ]),
    ),
  ])
  return Object.fromEntries(groups) as Handlers<C>
}

/** A subscription on which nothing happens until it is left. */
class Silence implements AsyncIterable<never> {
  readonly #signal: AbortSignal
  constructor(signal: AbortSignal) {
    this.#signal = signal
  }

  [Symbol.asyncIterator](): AsyncIterator<never> {
    return {
      next: () =>
        new Promise((resolve) => {
          const end = () => resolve({ done: true, value: undefined })
          if (this.#signal.aborted) end()
          else this.#signal.addEventListener('abort', end, { once: true })
        }),
    }
  }
}
