import type { Batch, Image } from '../engine/store/rows.ts'
import type { Store } from '../engine/store/store.ts'
import { plainText } from '../shared/plain-text.ts'
import { imageStates, type ImageState } from '../shared/states.ts'
import type { Engine } from './compose.ts'
import { usageProblem } from './problem.ts'
import { warn, type Shell } from './shell.ts'

/** The batch that a person named. @throws Problem (64) */
export function batchNamed(store: Store, id: string): Batch {
  const batch = store.batches.byId(id.trim().toLowerCase())
  if (batch) return batch
  const recent = store.batches
    .all()
    .slice(-5)
    .map((one) => one.id)
  const known = recent.length > 0 ? `; the last ones are ${recent.join(', ')}` : '; there are none yet'
  throw usageProblem(`There is no batch "${plainText(id, 60)}"${known}.`)
}

/** Commands that spend or give up something want to be told what: one batch, or all of them. */
export function batchesChosen(store: Store, id: string | undefined, all: boolean | undefined): Batch[] {
  if (id !== undefined && all) throw usageProblem('Give either a BATCH or --all, not both.')
  if (id === undefined && !all)
    throw usageProblem('Name the BATCH, or take --all; "vitrine status" lists them.')
  return id === undefined ? store.batches.all() : [batchNamed(store, id)]
}

/** An image by BATCH/POSITION, counted from 1. @throws Problem (64) */
export function imageNamed(store: Store, text: string): { batch: Batch; image: Image } {
  const match = /^([^/]+)\/(\d{1,9})$/.exec(text.trim())
  if (!match) {
    throw usageProblem(
      `"${plainText(text, 60)}" names no image: it must be BATCH/POSITION, such as k3f9a/12.`,
    )
  }
  const batch = batchNamed(store, match[1]!)
  const position = Number(match[2]) - 1
  const image = position < 0 ? undefined : store.images.page(batch.seq, position - 1, 1)[0]
  if (image?.position === position) return { batch, image }
  throw usageProblem(`Batch ${batch.id} has no image ${match[2]}.`)
}

/**
 * Of these batches those that can be worked on with the key at hand. A batch of which nothing was ever sent moves to
 * the present account of its address; any other of another account is left alone, with a word.
 * @param named true where a person named the batch: then it is a problem, not a word
 */
export function ofThisAccount(
  shell: Shell,
  engine: Engine,
  batches: readonly Batch[],
  named: boolean,
): Batch[] {
  const { store, connectionId, account } = engine
  return batches.flatMap((batch) => {
    if (batch.connectionId === connectionId) return [batch]
    const { baseUrl } = store.connections.byId(batch.connectionId)
    if (baseUrl === account.base.href && neverSent(store, batch)) {
      store.batches.setConnection(batch.seq, connectionId)
      return [store.batches.bySeq(batch.seq)]
    }
    const why =
      baseUrl === account.base.href
        ? `Batch ${batch.id} belongs to another account of ${baseUrl}; give its key.`
        : `Batch ${batch.id} belongs to ${baseUrl}; set VITRINE_BASE_URL and the key to match.`
    if (named) throw usageProblem(why)
    warn(shell, why)
    return []
  })
}

function neverSent(store: Store, batch: Batch): boolean {
  const counts = store.batches.counts(batch.seq)
  const sent = imageStates.filter((state) => !neverSentStates.has(state))
  return (
    batch.charged === 0 &&
    store.ledger.pending(batch.seq).runs === 0 &&
    sent.every((state) => counts[state] === 0)
  )
}

const neverSentStates: ReadonlySet<ImageState> = new Set(['waiting', 'held', 'cancelled', 'skipped'])
