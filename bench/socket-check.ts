import { ApiKey } from '../engine/service/api-key.ts'
import { checkBaseUrl } from '../engine/service/base-url.ts'
import { systemClock } from '../engine/clock.ts'
import { defaultQueueSettings } from '../engine/queue/parts.ts'
import { Queue } from '../engine/queue/queue.ts'
import {
  addRehearsalBatch,
  idealMakespan,
  instantDeliverer,
  noSafetyFiles,
  rehearse,
} from '../engine/queue/testing/rehearsal.ts'
import { createNodeTransport } from '../engine/service/node-transport.ts'
import { createServiceClient } from '../engine/service/service-client.ts'
import { Store } from '../engine/store/store.ts'
import { startPracticeService, type BookedRun } from '../practice-service/start.ts'
import { fixed, handOver, quantile } from './table.ts'

// The same queue once more, over real sockets and in real time: a check on the simulation.
const images = 300
const concurrency = 20
const latencyMs = 80
/** Runs take a quarter of the usual time, so that this takes a minute and a half. */
const processing = { median: 5.5, sigma: 0.4 }

interface Measured {
  readonly makespan: number
  readonly apiPerRun: number
  readonly lagP95: number
}

async function onSockets(): Promise<{ measured: Measured; durations: number[] }> {
  const service = await startPracticeService({
    imageWork: 'echo',
    concurrency,
    processing,
    latencyMs,
    accounts: [{ key: 'practice', subscriptionCredits: 100_000, subscription: 'Pro' }],
  })
  const transport = createNodeTransport()
  const store = new Store(':memory:')
  try {
    const checked = checkBaseUrl(service.url)
    if (!checked.ok) throw new Error(`${service.url} is no address.`)
    const key = ApiKey.parse('practice')
    if (typeof key === 'string') throw new Error(key)
    const client = createServiceClient({ base: checked.base, key, transport, clock: systemClock })
    const connection = store.connections.add(service.url, 'practice')
    addRehearsalBatch(store, connection.id, images, null)
    const queue = new Queue({
      store,
      safety: noSafetyFiles(),
      connectionId: connection.id,
      service: client,
      deliverer: instantDeliverer(systemClock),
      clock: systemClock,
      random: Math.random,
      settings: defaultQueueSettings,
      report: () => {},
    })
    const from = Date.now()
    await queue.run(new AbortController().signal)
    const books = service.books()
    const runs = books.runs.toSorted((a, b) => a.startedMs! - b.startedMs!)
    const durations = runs.map((run) => run.completedMs! - run.startedMs!)
    const known = runs.map((run: BookedRun) => run.firstReadMs! + latencyMs / 2)
    const lags = runs.map((run, index) => known[index]! - run.completedMs!)
    const requests = ['submit', 'list', 'run'] as const
    const asked = requests.reduce((sum, kind) => sum + books.requests[kind].count, 0)
    const makespan = (Math.max(...known) - from) / idealMakespan(durations, concurrency)
    return {
      measured: { makespan, apiPerRun: asked / images, lagP95: quantile(lags, 0.95) },
      durations,
    }
  } finally {
    store.close()
    transport.close()
    await service.close()
  }
}

/** The simulation, with the very durations that the real service took. */
async function simulated(durations: readonly number[]): Promise<Measured> {
  const rehearsal = rehearse(images, { concurrency, seed: 1, latency: latencyMs / 2, durations })
  const started = rehearsal.clock.now()
  await rehearsal.run()
  const { runs, requests } = rehearsal.service
  rehearsal.store.close()
  const lags = runs.map((run) => run.knownAt! - run.completed!)
  return {
    makespan:
      (Math.max(...runs.map((run) => run.knownAt!)) - started) / idealMakespan(durations, concurrency),
    apiPerRun: (requests.submit + requests.list + requests.run) / images,
    lagP95: quantile(lags, 0.95),
  }
}

function told({ makespan, apiPerRun, lagP95 }: Measured): string {
  return `${fixed(makespan, 3)}; ${fixed(apiPerRun)}; ${fixed(lagP95 / 1000)} s`
}

const { measured, durations } = await onSockets()
const expected = await simulated(durations)
const apart = Math.max(
  Math.abs(measured.makespan / expected.makespan - 1),
  Math.abs(measured.apiPerRun / expected.apiPerRun - 1),
)
handOver([
  {
    what: '300 images on real sockets, C = 20: makespan / ideal; requests per run; p95 of the lag',
    goal: 'as simulated, within 5 %',
    here: told(measured),
    rivals: `simulated, with the same durations: ${told(expected)}`,
    floor: '',
    met: apart <= 0.05,
  },
])
