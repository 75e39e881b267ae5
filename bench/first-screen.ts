import { Store } from '../engine/store/store.ts'

/** Opens a store as a start does, and reads what the first screen shows; returns how many rows that is. */
function firstScreen(file: string): number {
  const store = new Store(file)
  const batches = store.batches.all()
  const last = batches.at(-1)!
  for (const batch of batches) store.batches.counts(batch.seq)
  store.images.inState(last.seq, 'running')
  store.images.inState(last.seq, 'downloading')
  const rows = store.lists.window(last.seq, 0, 200).length
  store.close()
  return rows
}

/** Changes states until it is killed, so that a log is left which nobody has tidied up. */
function write(file: string) {
  const store = new Store(file)
  const last = store.batches.all().at(-1)!
  const waiting = store.images.inState(last.seq, 'waiting').slice(0, 20_000)
  for (const [n, image] of waiting.entries()) {
    store.images.move(image.id, 'waiting', 'held')
    store.images.move(image.id, 'held', 'waiting')
    if (n === 1000) process.stdout.write('going\n')
  }
}

const [what, file] = process.argv.slice(2)
if (what === 'write' && file !== undefined) write(file)
if (what === 'read' && file !== undefined) {
  const from = performance.now()
  const rows = firstScreen(file)
  process.stdout.write(`${rows} ${performance.now() - from}\n`)
}
