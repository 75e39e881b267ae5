import { openDatabase } from '../../store/database.ts'
import type { SafetyFiles } from '../../store/safety-files.ts'
import type { Recipe } from '../../store/rows.ts'
import { Store } from '../../store/store.ts'
import type { Clock } from '../../clock.ts'
import { hashInPath, secretAddress, secretBytes } from '../../webhook/secret-address.ts'
import {
  defaultQueueSettings,
  type Deliverer,
  type PublisherPart,
  type QueueEvent,
  type QueueSettings,
  type WebhookHost,
  type WebhookPart,
} from '../parts.ts'
import { Queue, type QueueEnd } from '../queue.ts'
import { lognormal, seeded } from './random.ts'
import { SimulatedService, type SimulatedOptions } from './simulated-service.ts'
import { VirtualClock } from './virtual-clock.ts'

export interface Rehearsal {
  readonly clock: VirtualClock
  readonly service: SimulatedService
  readonly store: Store
  readonly events: readonly QueueEvent[]
  readonly batchSeq: number
  readonly queue: Queue
  run(signal?: AbortSignal): Promise<QueueEnd>
}

/** A database as it is on its first day; made once, since its schema takes longer than most stories. */
const firstDay = openDatabase(':memory:').serialize()

export function emptyStore(): Store {
  return new Store(firstDay)
}

/** How the notice of the n-th end travels (from 0): the delays of its copies, in ms; none where it is lost. */
export type Notices = (n: number, now: number) => readonly number[]

const rehearsalWebhook = 'https://vitrine.invalid/'

function simulatedWebhook(clock: VirtualClock, notices: Notices, random: () => number) {
  let host: WebhookHost | undefined
  let ends = 0
  const part: WebhookPart = {
    addressFor: (url) =>
      secretAddress(
        url,
        Uint8Array.from({ length: secretBytes }, () => random() * 256),
      ),
    async run(given, signal) {
      host = given
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      host = undefined
    },
  }
  const onEnd = (url: string, runId: string) => {
    const delays = notices(ends, clock.monotonic())
    ends += 1
    for (const delay of delays)
      clock.after(delay, () => host?.announced(hashInPath(new URL(url).pathname), runId))
  }
  return { part, onEnd }
}

/** The real queue on a real (in-memory) store, with the service, the time and the deliveries simulated. */
export function rehearse(
  images: number,
  options: Omit<SimulatedOptions, 'clock' | 'duration'> & {
    readonly seed: number
    readonly median?: number
    readonly spread?: number
    /** Processing times in ms, in turn of acceptance; drawn by the seed where they are left out. */
    readonly durations?: readonly number[]
    readonly budget?: number
    /** With how many presets each picture is made. */
    readonly variants?: number
    readonly settings?: Partial<QueueSettings>
    /** Notices of every end, as they travel; or a receiver of the test's own. */
    readonly notices?: Notices | undefined
    readonly webhook?: WebhookPart
    /** Publishes the images whose source is a content. */
    readonly publisher?: (clock: VirtualClock) => PublisherPart
    readonly safety?: SafetyFiles
  },
): Rehearsal {
  const clock = new VirtualClock()
  const webhook = options.notices && simulatedWebhook(clock, options.notices, seeded(options.seed + 2))
  const durations =
    options.durations ?? processingTimes(images * 2 + 100, options.seed, options.median, options.spread)
  const service = new SimulatedService({
    ...options,
    clock,
    duration: (n) => durations[n % durations.length]!,
    onEnd: webhook?.onEnd,
  })
  const store = emptyStore()
  const connection = store.connections.add(service.baseUrl, 'key')
  const batch = addRehearsalBatch(
    store,
    connection.id,
    images,
    options.budget ?? null,
    'b1',
    options.variants,
  )
  const events: QueueEvent[] = []
  const queue = new Queue({
    store,
    safety: options.safety ?? noSafetyFiles(),
    connectionId: connection.id,
    service,
    deliverer: instantDeliverer(clock),
    webhook: options.webhook ?? webhook?.part,
    publisher: options.publisher?.(clock),
    clock,
    random: seeded(options.seed + 1),
    settings: { ...defaultQueueSettings, ...options.settings },
    report: (event) => events.push(event),
  })
  return {
    clock,
    service,
    store,
    events,
    batchSeq: batch.seq,
    queue,
    run: (signal = new AbortController().signal) => clock.run(queue.run(signal)),
  }
}

/** A batch of that many pictures, each with an address of its own; with several presets each of one price. */
export function addRehearsalBatch(
  store: Store,
  connectionId: number,
  images: number,
  budget: number | null,
  id = 'b1',
  variants = 1,
) {
  const recipes = Array.from({ length: variants }, (_, n): Recipe => ({
    appId: 'rescue',
    settings: n === 0 ? {} : { framing_enabled: true, framing_pad_top: n },
    parameters: {},
  }))
  const batch = store.batches.add({
    id,
    connectionId,
    created: 0,
    outDir: '/out',
    preset: null,
    nameTemplate: '{name}.{ext}',
    onConflict: 'rename',
    webhookUrl: rehearsalWebhook,
    budget,
    inFlight: null,
  })
  store.images.add(
    batch.seq,
    0,
    recipes[0]!,
    '/out',
    Array.from({ length: images * variants }, (_, index) => ({
      source: `https://pictures.example/${id}/${Math.floor(index / variants)}.jpg`,
      folder: '',
      name: null,
      state: 'waiting' as const,
      earlierImageId: null,
      ...(variants > 1 && {
        variant: {
          preset: `P${index % variants}`,
          recipe: recipes[index % variants]!,
          picture: Math.floor(index / variants),
        },
      }),
    })),
  )
  return batch
}

/** Lognormal, median 22 s, spread 0.4, clipped to 10–60 s: the assumption of docs/performance.md. */
export function processingTimes(n: number, seed: number, median = 22_000, spread = 0.4): number[] {
  const random = seeded(seed)
  const low = Math.min(10_000, median / 2)
  const high = Math.max(60_000 * (median / 22_000), median)
  return Array.from({ length: n }, () => lognormal(random, median, spread, low, high))
}

/** First come, first served on `servers` servers, with everything there at once and no network. */
export function idealMakespan(durations: readonly number[], servers: number): number {
  const free = new Float64Array(servers)
  for (const duration of durations) {
    let first = 0
    for (let server = 1; server < servers; server += 1) if (free[server]! < free[first]!) first = server
    free[first]! += duration
  }
  return Math.max(...free)
}

/** Files that take a tenth of a second each, and are nowhere. */
export function instantDeliverer(clock: Clock): Deliverer {
  return {
    deliver: async () => {
      await clock.sleep(100)
      return { kind: 'delivered' }
    },
    obstacle: () => Promise.resolve(undefined),
    recover: () => Promise.resolve(false),
    tidy: () => Promise.resolve(),
    changed: () => {},
    flush: () => Promise.resolve(),
  }
}

/** For a store that does not outlive its process. */
export function noSafetyFiles(): SafetyFiles {
  return {
    raise: () => {},
    highWater: () => 0,
    rescue: () => {},
    rescued: () => new Map(),
    clear: () => {},
    close: () => {},
  }
}
