import { dataFolder } from '../engine/data-folder.ts'
import type { Batch } from '../engine/store/rows.ts'
import { takeLease } from '../engine/store/lease.ts'
import type { Store } from '../engine/store/store.ts'
import { isDone } from '../engine/batches/work.ts'
import { composeDeliverer, composeDelivery } from './compose.ts'
import { warn, type Shell } from './shell.ts'

/**
 * After a decision that no work follows: closes batches of which nothing is left and brings their manifests up to
 * date. While another process works on the data folder that is left to it, for only one may write a manifest.
 */
export async function settleBatches(shell: Shell, store: Store, batches: readonly Batch[]) {
  const lease = takeLease(dataFolder(shell.home).lease, (message) => warn(shell, message))
  if (!lease) return
  const { baseUrl } = batches[0] ? store.connections.byId(batches[0].connectionId) : { baseUrl: '' }
  const delivery = composeDelivery(shell, baseUrl)
  try {
    const deliverer = composeDeliverer(shell, store, delivery)
    for (const batch of batches) {
      if (isDone(store, batch.seq)) store.batches.setState(batch.seq, 'finished')
      deliverer.changed(batch)
    }
    await deliverer.flush()
  } catch (error) {
    warn(shell, `The manifest could not be brought up to date: ${(error as Error).message}`)
  } finally {
    await delivery[Symbol.asyncDispose]()
    lease.release()
  }
}
