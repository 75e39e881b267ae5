import { setTimeout as wait } from 'node:timers/promises'
import { windowContract } from '../shared/contract/desktop-bridge.ts'
import type { DesktopContract } from '../shared/contract/desktop-contract.ts'
import type { Handlers } from '../shared/rpc/contract.ts'
import type { Port } from '../shared/rpc/frames.ts'
import { serve } from '../shared/rpc/serve.ts'
import type { DesktopEngine } from './desktop-program.ts'
import { EngineMirror } from './engine-mirror.ts'

/** Between two attempts to follow a subscription that ended, in ms. */
const pauseMs = 1000

/** The engine at work behind the windows' lines, and what the shell itself follows of it. */
export class RunningEngine {
  readonly engine: DesktopEngine
  readonly mirror: EngineMirror
  readonly #onFault: (error: unknown) => void

  constructor(engine: DesktopEngine, onFault: (error: unknown) => void) {
    this.engine = engine
    this.#onFault = onFault
    this.mirror = new EngineMirror({
      handlers: engine.handlers,
      onFault,
      pause: (signal) => wait(pauseMs, undefined, { signal }).catch(() => undefined),
    })
  }

  /** Answers one page, until its line ends. */
  serve(port: Port, desktop: Handlers<DesktopContract>): void {
    serve(windowContract, { ...this.engine.handlers, ...desktop }, port, {
      onInternal: (_, error) => this.#onFault(error),
    })
  }

  /** Ends all work in good order. */
  async close(): Promise<void> {
    this.mirror.close()
    await this.engine.close()
  }
}
