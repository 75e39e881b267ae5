import { createInterface } from 'node:readline'
import { systemClock } from '../../engine/clock.ts'
import { dataFolder } from '../../engine/data-folder.ts'
import { Desk } from '../../engine/queue/desk.ts'
import type { QueueParts } from '../../engine/queue/parts.ts'
import { recover } from '../../engine/queue/recovery.ts'
import { StoreError } from '../../engine/store/database.ts'
import { takeLease } from '../../engine/store/lease.ts'
import { openSafetyFiles } from '../../engine/store/safety-files.ts'
import { Store } from '../../engine/store/store.ts'

/**
 * What a start does before it sends anything, on one data folder after another: each line of stdin is a folder as a
 * JSON string, each line of stdout what was found there. A test reads it that must not reach into the engine.
 */
for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(found(JSON.parse(line) as string))}\n`)
}

function found(home: string) {
  const folder = dataFolder(home)
  try {
    const store = new Store(folder.queue)
    try {
      return foundIn(store, folder)
    } finally {
      store.close()
    }
  } catch (error) {
    if (error instanceof StoreError) return { refused: error.message }
    return { fault: String((error as Error).stack) }
  }
}

function foundIn(store: Store, folder: ReturnType<typeof dataFolder>) {
  const lease = takeLease(folder.lease)
  if (!lease) return { fault: 'The lease of the folder is held by nobody, and was not given.' }
  const safety = openSafetyFiles(folder.highWater, folder.journal)
  try {
    store.ledger.prove()
    const recorded = attemptsIn(store)
    const mark = safety.highWater()
    const newest = store.ledger.newest()
    const connections = new Set(store.batches.all().map(({ connectionId }) => connectionId))
    for (const connectionId of connections) recoverAt(store, safety, connectionId)
    return { recorded, mark, newest, attempts: attemptsIn(store), images: imagesIn(store) }
  } finally {
    safety.close()
    lease.release()
  }
}

function recoverAt(store: Store, safety: QueueParts['safety'], connectionId: number) {
  const parts: Partial<QueueParts> = { store, safety, connectionId, clock: systemClock, report() {} }
  recover(new Desk(parts as QueueParts))
}

function allImages(store: Store) {
  return store.batches.all().flatMap(({ seq }) => store.images.page(seq, -1, 1000))
}

function attemptsIn(store: Store) {
  return allImages(store).flatMap(({ id, source }) =>
    store.ledger.ofImage(id).map(({ state, runId }) => ({ source, state, runId })),
  )
}

function imagesIn(store: Store) {
  return allImages(store).map(({ id, source, state, runId, outputCount }) => ({
    source,
    state,
    runId,
    outputCount,
    outputs: store.outputs
      .ofImage(id)
      .map(({ path, bytes, sha256, state }) => ({ path, bytes, sha256, state })),
  }))
}
