import { Store } from '../engine/store/store.ts'

/**
 * Changes the states of a batch's first images, fifty a second, until it is ended: as a queue does that works in
 * another process on the same data folder.
 */
const [file = '', rows = '20'] = process.argv.slice(2)
const store = new Store(file)
const batch = store.batches.all()[0]!
const images = store.images.page(batch.seq, -1, Number(rows)).map(({ id }) => id)
let turn = 0
setInterval(() => {
  const id = images[turn % images.length]!
  const isBack = Math.floor(turn / images.length) % 2 === 1
  store.images.move(id, isBack ? 'held' : 'waiting', isBack ? 'waiting' : 'held')
  turn += 1
}, 20)
