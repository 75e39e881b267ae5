import { contentOfSource } from '../own-files/own-source.ts'
import type { Batch } from '../store/rows.ts'
import type { Desk } from './desk.ts'
import { say } from '../../shared/language/say.ts'

/** Has pictures of this computer published for the batches of a queue, until the signal. */
export async function publishWhile(desk: Desk, signal: AbortSignal) {
  const { store, publisher, connectionId, deliverer, report } = desk.parts
  await publisher?.run(
    {
      batches: () => store.batches.running(connectionId).map(({ seq }) => seq),
      onReady: () => desk.laneBell.ring(),
      tell: (message) => report({ kind: 'notice', message }),
      failed: (source, error) => {
        for (const { id, batchSeq } of store.ownFiles.waiting(source)) {
          if (!store.images.tryMove(id, 'waiting', 'failed', { error })) continue
          deliverer.changed(store.batches.bySeq(batchSeq))
          report({ kind: 'image', imageId: id })
        }
      },
    },
    signal,
  )
}

/** Why these batches cannot go on: what is next in each is a picture that cannot be published. */
export function publishingTrouble(desk: Desk, waiting: readonly Batch[]): string | undefined {
  const { store, publisher } = desk.parts
  const isStuck = ({ seq }: Batch) => {
    const source = store.images.nextWaiting(seq)?.source
    return source !== undefined && contentOfSource(source) !== undefined && !publisher?.isReady(source)
  }
  const trouble = publisher ? publisher.trouble : say`Pictures of this computer cannot be published here.`
  return trouble !== undefined && waiting.every(isStuck) ? trouble : undefined
}
