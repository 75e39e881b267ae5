import type { EngineContract } from '../../shared/contract/engine-contract.ts'
import type { QueueRecord } from '../../shared/contract/records.ts'
import type { Handlers } from '../../shared/rpc/contract.ts'
import { plainText } from '../../shared/plain-text.ts'
import { otherAccount, worksOnOther } from '../batches/work.ts'
import type { BatchRecords } from './batch-records.ts'
import type { Changes } from './changes.ts'
import type { ConnectionBook } from './connection-book.ts'
import { joined } from './joined.ts'
import type { InterfaceParts } from './parts.ts'
import { sentence } from './service-words.ts'
import type { Workplace } from './workplace.ts'

export interface QueueHandlerParts {
  readonly parts: InterfaceParts
  readonly book: ConnectionBook
  readonly workplace: Workplace
  readonly changes: Changes
  readonly records: BatchRecords
}

export function queueHandlers(all: QueueHandlerParts): Handlers<EngineContract>['queue'] {
  const { parts, workplace, changes } = all
  const setPaused = (paused: boolean) => {
    parts.store.batches.allPaused = paused
    workplace.bench?.keeper.setPaused(paused)
    workplace.topic.ring()
    return {}
  }
  return {
    watch: (_, { signal }) =>
      joined([workplace.topic, changes.topic], () => queueRecord(all), signal, changes),
    pause: () => setPaused(true),
    resume: () => setPaused(false),
    checkBalance: async () => ({ balance: await workplace.checkBalance() }),
  }
}

/** How the queue of the active connection stands. */
function queueRecord({ parts, book, workplace, records }: QueueHandlerParts): QueueRecord {
  const active = book.active()
  const { bench } = workplace
  const queue = bench?.keeper.queue
  const common = {
    connectionId: active?.id ?? null,
    following: bench?.keeper.following ?? false,
    balance: workplace.balance ?? null,
    committed: bench ? records.committed(bench.session.storeId) : null,
    inFlight: queue?.desk.inFlight ?? 0,
  }
  if (active && !bench && workplace.trouble !== undefined) {
    return { ...common, state: 'key-rejected', message: workplace.trouble, nextTry: null }
  }
  const fault = bench?.keeper.fault
  if (fault !== undefined) return { ...common, state: 'paused', message: fault, nextTry: null }
  if (!queue) {
    const paused = parts.store.batches.allPaused
    const other = bench?.keeper.following && worksOnOther(parts.store, bench.session.storeId)
    return {
      ...common,
      state: paused ? 'paused' : 'running',
      message: other ? otherAccount : '',
      nextTry: null,
    }
  }
  const { desk, nextCheckMs } = queue
  const wait = desk.state === 'offline' ? desk.pauseMs : nextCheckMs
  return {
    ...common,
    state: desk.state,
    message: desk.state === 'running' || !desk.message ? '' : sentence(plainText(desk.message)),
    // To the second: what is told anew for every millisecond would never be the same twice.
    nextTry: wait === null ? null : Math.ceil((parts.clock.now() + wait) / 1000) * 1000,
  }
}
