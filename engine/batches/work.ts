import { dataFolder } from '../data-folder.ts'
import { Queue, type QueueEnd } from '../queue/queue.ts'
import type { QueueParts } from '../queue/parts.ts'
import { takeLease } from '../store/lease.ts'
import { openSafetyFiles } from '../store/safety-files.ts'
import type { Store } from '../store/store.ts'
import { say } from '../../shared/language/say.ts'

/** How often a process without the lease looks whether its batch is done, or the lease free. */
const followMs = 300

/** What `work` needs beside what it makes itself. */
export type WorkParts = Omit<QueueParts, 'safety'> & { readonly home: string }

/**
 * Works on batches until each has ended: with the lease by submitting and polling itself, without it by following
 * the process that holds it, and taking over when that one ends. Batches that nobody works on any more are marked
 * interrupted; `vitrine resume` goes on with them. Those that the holder still works on are left to it.
 *
 * @param own sequence numbers of the caller's batches
 * @param leads is told when this process begins to submit and poll itself
 */
export async function work(
  parts: WorkParts,
  own: readonly number[],
  signal: AbortSignal,
  leads: () => void = () => {},
): Promise<QueueEnd> {
  const folder = dataFolder(parts.home)
  for (const seq of own) parts.store.batches.setState(seq, 'running')
  let end: QueueEnd | undefined
  let told = false
  const tellOther = () => {
    if (told || !worksOnOther(parts.store, parts.connectionId)) return
    told = true
    parts.report({ kind: 'notice', message: otherAccount })
  }
  while (!signal.aborted && end === undefined) {
    const lease = takeLease(folder.lease, (message) => parts.report({ kind: 'notice', message }))
    if (lease) {
      leads()
      parts.store.connections.atWork = parts.connectionId
      const safety = openSafetyFiles(folder.highWater, folder.journal)
      try {
        parts.store.ledger.prove()
        parts.store.batches.interruptAbandoned(own)
        end = await new Queue({ ...parts, safety }, own).run(signal)
      } finally {
        safety.close()
        lease.release()
      }
    } else {
      tellOther()
      if (own.every((seq) => isDone(parts.store, seq))) end = { kind: 'done' }
      else await parts.clock.sleep(followMs, signal)
      // The holder marks what it does not know as interrupted when it starts; we still want ours.
      for (const seq of own) {
        if (parts.store.batches.bySeq(seq).state === 'interrupted')
          parts.store.batches.setState(seq, 'running')
      }
    }
  }
  if (end) {
    for (const seq of own) close(parts.store, seq, end)
    return end
  }
  end = { kind: 'interrupted' }
  // Ended while it followed: unless the holder is gone as well, it goes on with our batches too.
  const free = takeLease(folder.lease)
  if (!free) return end
  for (const seq of own) close(parts.store, seq, end)
  free.release()
  return end
}

/** What to tell whose batch waits for a process that works on another account's. */
export const otherAccount = say`Another program on this data folder works with another account; this one begins when that ends, or changes its account.`

/** Whether the process with the lease works on another connection, as far as it was noted. */
export function worksOnOther(store: Store, connectionId: number): boolean {
  const { atWork = 0 } = store.connections
  return atWork !== 0 && atWork !== connectionId
}

/** Nothing of a batch is under way or waits to be. */
export function isDone(store: Store, seq: number): boolean {
  const counts = store.batches.counts(seq)
  return counts.waiting + counts.submitting + counts.running + counts.downloading === 0
}

function close(store: Store, seq: number, end: QueueEnd) {
  const batch = store.batches.bySeq(seq)
  if (isDone(store, seq)) store.batches.setState(seq, 'finished')
  else if (batch.state === 'running') {
    store.batches.setState(seq, end.kind === 'interrupted' ? 'interrupted' : 'stopped', end.kind)
  }
}
