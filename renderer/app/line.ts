import { createStore, type StoreApi } from 'zustand/vanilla'
import { windowContract, type WindowContract } from '../../shared/contract/desktop-bridge.ts'
import { connect } from '../../shared/rpc/connect.ts'
import type { CallOptions, Client } from '../../shared/rpc/contract.ts'
import { Fault } from '../../shared/rpc/fault.ts'
import type { Port } from '../../shared/rpc/frames.ts'
import { t } from '../../shared/language/text.ts'
import { heard } from './heard.ts'

/** One line carries both contracts; only a desktop window answers what is under `shell`. */
export type ProgramClient = Client<WindowContract>

/**
 * - `connecting`: for the first time.
 * - `open`: questions are answered.
 * - `reconnecting`: it was lost; what is shown may be old.
 * - `outdated`: the other side speaks another protocol: the page has to be loaded anew.
 */
export interface LineState {
  readonly state: 'connecting' | 'open' | 'reconnecting' | 'outdated'
  /** Attempts without success since the line was last open. */
  readonly failures: number
}

export interface Line {
  /** Stays the same over reconnections; a question without an open line fails with `disconnected`. */
  readonly api: ProgramClient
  readonly state: StoreApi<LineState>
  /** Keeps a subscription over reconnections until `signal` ends it or what it is about is gone. */
  follow<T>(
    open: (api: ProgramClient, options: CallOptions) => AsyncIterable<T>,
    onItem: (item: T) => void,
    signal: AbortSignal,
  ): void
  close(): void
}

export interface LineParts {
  readonly openPort: (signal: AbortSignal) => Promise<Port>
  /** Milliseconds; ends early when the signal does. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Keeps a line to the engine: opens it, and opens it again with growing pauses (0.25 to 5 s) whenever it is lost. */
export function createLine({ openPort, sleep = wait }: LineParts): Line {
  const state = createStore<LineState>(() => ({ state: 'connecting', failures: 0 }))
  const closing = new AbortController()
  let current: ProgramClient | undefined
  const api = facade(() => current)

  const once = async () => {
    const port = await openPort(closing.signal)
    const end = { isReached: false }
    const lost = new Promise<void>((resolve) => {
      port.onClose(() => {
        end.isReached = true
        resolve()
      })
    })
    const connection = connect(windowContract, port)
    try {
      await connection.ready
    } catch (error) {
      // Refused over a line that is still there: the other side speaks another protocol.
      if (end.isReached) throw error
      state.setState({ state: 'outdated' })
      return
    }
    current = connection.api
    state.setState({ state: 'open', failures: 0 })
    await lost
    current = undefined
  }
  const keep = async () => {
    while (!closing.signal.aborted) {
      try {
        await once()
      } catch {
        // Lost before it was open: the next attempt may do better.
      }
      if (closing.signal.aborted || state.getState().state === 'outdated') return
      const failures = state.getState().failures + 1
      const first = state.getState().state === 'connecting'
      state.setState({ state: first ? 'connecting' : 'reconnecting', failures })
      await sleep(Math.min(5000, 250 * 2 ** (failures - 1)), closing.signal)
    }
  }
  void keep()

  return {
    api,
    state,
    follow: (open, onItem, signal) => {
      const ends = AbortSignal.any([signal, closing.signal])
      void followStream({ api, state, sleep }, open, onItem, ends)
    },
    close: () => closing.abort(),
  }
}

interface Following {
  readonly api: ProgramClient
  readonly state: StoreApi<LineState>
  readonly sleep: NonNullable<LineParts['sleep']>
}

async function followStream<T>(
  { api, state, sleep }: Following,
  open: (api: ProgramClient, options: CallOptions) => AsyncIterable<T>,
  onItem: (item: T) => void,
  signal: AbortSignal,
) {
  while (!signal.aborted) {
    await whenOpen(state, signal)
    if (signal.aborted) return
    try {
      for await (const item of open(api, { signal })) {
        if (signal.aborted) return
        onItem(item)
      }
    } catch (error) {
      if (error instanceof Fault && (error.code === 'gone' || error.code === 'bad-input')) return
    }
    // An engine that ends a subscription at once must not be asked without a pause.
    await sleep(300, signal)
  }
}

function whenOpen(state: StoreApi<LineState>, signal: AbortSignal): Promise<void> {
  if (state.getState().state === 'open' || signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const stop = state.subscribe((now) => {
      if (now.state === 'open') end()
    })
    const end = () => {
      stop()
      signal.removeEventListener('abort', end)
      resolve()
    }
    signal.addEventListener('abort', end, { once: true })
  })
}

function facade(current: () => ProgramClient | undefined): ProgramClient {
  type Ask = (input: unknown, options?: CallOptions) => unknown
  const lost = () => new Fault('disconnected', t`The connection to the engine is lost. Trying again.`)
  const groups = Object.entries(windowContract).map(([group, procedures]) => [
    group,
    Object.fromEntries(
      Object.entries(procedures).map(([name, procedure]) => {
        const ask: Ask = (input, options) => {
          const live = current() as unknown as Record<string, Record<string, Ask>> | undefined
          const found = live?.[group]?.[name]
          if (found) return heard(found)(input, options)
          return procedure.kind === 'call' ? Promise.reject(lost()) : refusedStream(lost())
        }
        return [name, ask]
      }),
    ),
  ])
  return Object.fromEntries(groups) as ProgramClient
}

function refusedStream(fault: Fault): AsyncIterable<never> {
  return { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(fault) }) }
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms)
    function end() {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    signal.addEventListener('abort', end, { once: true })
  })
}
