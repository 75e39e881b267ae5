import { addBatch, planBatch } from '../engine/batches/add-batch.ts'
import { systemClock } from '../engine/clock.ts'
import { gather } from '../engine/intake/gather.ts'
import { Store } from '../engine/store/store.ts'

// From a list to a batch that is ready, as `vitrine run` does: `node intake.ts DATABASE LIST`.
const [file = '', list = ''] = process.argv.slice(2)
const store = new Store(file)
const { id } = store.connections.add('http://127.0.0.1/api/v1', 'key')
const from = performance.now()
const found = await gather([{ kind: 'path', path: list }])
const plan = planBatch(store, {
  connectionId: id,
  pictures: found.images.map(({ url, folder, name }) => ({ source: url, folder, name: name ?? null })),
  recipe: { appId: 'rescue', settings: {}, parameters: {} },
  outDir: '/out',
  preset: null,
  nameTemplate: '{name}.{ext}',
  onConflict: 'rename',
  webhookUrl: 'https://vitrine.invalid/none',
  budget: null,
  inFlight: null,
  again: false,
  test: null,
})
const { seq } = addBatch(store, plan, systemClock)
const seconds = (performance.now() - from) / 1000
const { waiting } = store.batches.counts(seq)
store.close()
process.stdout.write(`${waiting} ${seconds} ${process.resourceUsage().maxRSS / 1000}`)
