import { idealMakespan, processingTimes } from '../../engine/queue/testing/rehearsal.ts'
import { seeded } from '../../engine/queue/testing/random.ts'
import { SimulatedService, type Fate } from '../../engine/queue/testing/simulated-service.ts'
import { VirtualClock } from '../../engine/queue/testing/virtual-clock.ts'
import type { PlainClient, Rival } from './plain-client.ts'

/** What a rival's batch comes to, on the very durations of this program's rehearsals. */
export interface RivalFigures {
  readonly makespan: number
  readonly apiPerRun: number
  /** From completion to known, in ms. */
  readonly lagP95: number
  readonly lostShare: number
  readonly refusedShare: number
  /** POSTs per image. */
  readonly posts: number
}

export interface RivalConditions {
  readonly rateLimit?: number
  readonly fate?: (n: number) => Fate
}

/** One batch in virtual time: a rival's program and the same simulated service. */
export async function rivalRehearsed(
  rival: Rival,
  images: number,
  concurrency: number,
  seed: number,
  conditions: RivalConditions = {},
): Promise<RivalFigures> {
  const clock = new VirtualClock()
  const durations = processingTimes(images * 2 + 100, seed)
  const duration = (n: number) => durations[n % durations.length]!
  const service = new SimulatedService({ clock, concurrency, duration, ...conditions })
  const client = plainClient(service, clock, seed)
  const started = clock.now()
  let next = 0
  let lost = 0
  const work = async () => {
    while (next < images) {
      const source = `https://pictures.example/${(next += 1)}.jpg`
      if (!(await rival.picture(client, source))) lost += 1
    }
  }
  await clock.run(Promise.all(Array.from({ length: rival.atATime(concurrency) }, work)).then(() => undefined))
  const { requests } = service
  const known = service.runs.filter((run) => run.knownAt !== undefined)
  const lags = known.map((run) => run.knownAt! - run.completed!).toSorted((a, b) => a - b)
  const ideal = idealMakespan(durations.slice(0, images), concurrency)
  const api = requests.submit + requests.run
  return {
    makespan: (Math.max(started, ...known.map((run) => run.knownAt!)) - started) / ideal,
    apiPerRun: api / images,
    lagP95: lags[Math.floor(lags.length * 0.95)] ?? NaN,
    lostShare: lost / images,
    refusedShare: requests.refused / api,
    posts: requests.submit / images,
  }
}

function plainClient(service: SimulatedService, clock: VirtualClock, seed: number): PlainClient {
  const random = seeded(seed + 7)
  return {
    random,
    sleep: (ms) => clock.sleep(ms),
    submit: async (source) => {
      const opened = await service.openSubmission()
      if (opened.kind !== 'open') return { kind: 'broken' }
      const body = JSON.stringify({ parameters: { image: source } })
      const outcome = await service.submit(opened.connection, body, () => {})
      if (outcome.kind === 'acked') return { kind: 'ok', value: outcome.runId }
      return { kind: outcome.kind === 'refused' ? 'refused' : 'broken' }
    },
    finished: async (runId) => {
      const answer = await service.run(runId)
      if (answer.kind === 'ok') return { kind: 'ok', value: answer.value.status === 'SUCCESS' }
      return { kind: answer.kind === 'busy' ? 'refused' : 'broken' }
    },
    told: (runId) => service.whenDone(runId),
  }
}
