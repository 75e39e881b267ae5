import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test, type TestContext } from 'vitest'
import { startPracticeService, type FaultRule, type PracticeService } from '../../practice-service/start.ts'
import { broken, expectPlainWords } from './books.ts'
import { ProofDesk } from './desk.ts'
import { FaultProxy } from './fault-proxy.ts'
import { allFaults, concerns, isSlow, type Endpoint, type NetworkFault } from './network-faults.ts'

/** How many random kills, and of how many programs at a time; `npm run proof` takes more, `-- --long` thousands. */
const mode = String(process.env['PROOF'])
const kills = { undefined: 16, whole: 300, long: 4000 }[mode] ?? 16
const atATime = kills > 16 ? 5 : 2
const seed = Number(process.env['PROOF_SEED'] ?? randomInt(2 ** 31))
const patience = 4 * 3_600_000

const faults: readonly FaultRule[] = [
  { on: 'submit', probability: 0.08, fault: { kind: 'reset-after' } },
  { on: 'submit', probability: 0.04, fault: { kind: 'reset-before' } },
  { on: 'file', probability: 0.1, fault: { kind: 'truncate-length' } },
]

/** One request in so many meets a fault of the network, before the last commands of each batch. */
const oneIn = 6

function setScene(context: TestContext, service: PracticeService, baseUrl = service.url): ProofDesk {
  const desk = new ProofDesk(baseUrl)
  context.onTestFinished(async () => {
    desk.clear()
    await service.close()
  })
  return desk
}

/** mulberry32: the same kills for the same seed, as far as a machine is the same. */
function seeded(from: number): () => number {
  let state = from
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

function anyFault(endpoint: Endpoint, random: () => number): NetworkFault | undefined {
  const faults = allFaults.filter((fault) => concerns(fault, endpoint) && !isSlow(fault))
  return faults[Math.floor(random() * faults.length)]
}

function intact(desk: ProofDesk): unknown {
  const db = new Database(join(desk.home, 'queue.db'))
  try {
    return db.pragma('integrity_check', { simple: true })
  } finally {
    db.close()
  }
}

test(
  'killed at random moments, in recovery too: charged once, nothing lost, no broken queue',
  {
    timeout: patience,
  },
  async (context) => {
    const random = seeded(seed)
    const tally = { kills: 0, whileResuming: 0, batches: 0, images: 0, ends: 0 }
    const struck = new Map<string, number>()
    const work = async () => {
      const accounts = [{ key: 'practice', subscriptionCredits: 1_000_000 }]
      const options = { imageWork: 'echo', processing: 0.06, concurrency: 3, accounts, faults } as const
      const service = await startPracticeService({ ...options, seed: Math.floor(random() * 1e6) })
      const proxy = new FaultProxy(service.origin)
      await proxy.listen()
      context.onTestFinished(() => proxy.close())
      const desk = setScene(context, service, `${proxy.origin}/api/v1`)
      const sources: string[] = []
      while (tally.kills < kills) {
        const n = (tally.batches += 1)
        const more = Array.from({ length: 10 }, (_, m) => `https://pictures.example/b${n}-${m}.jpg`)
        sources.push(...more)
        proxy.choose = (endpoint) => (random() * oneIn < 1 ? anyFault(endpoint, random) : undefined)
        await killUntilDone(desk, desk.batch(more), random, tally)
        // What a person does then, on a network that works again.
        proxy.choose = () => undefined
        await finish(desk, desk.batch(more), () => broken(service, desk, sources).length > 0)
        expect(broken(service, desk, sources), `seed ${seed}`).toEqual([])
        expect(intact(desk), `seed ${seed}`).toBe('ok')
        tally.images += more.length
      }
      for (const [fault, times] of proxy.struck) struck.set(fault, (struck.get(fault) ?? 0) + times)
      for (const { headers } of proxy.strayed) expect(headers['authorization']).toBeUndefined()
    }
    await Promise.all(Array.from({ length: atATime }, work))
    const met = Array.from(struck.values()).reduce((sum, times) => sum + times, 0)
    process.stdout.write(
      `proof: random kills, seed ${seed}: ${JSON.stringify(tally)}, ${met} faults of the network of ${struck.size} kinds\n`,
    )
    if (kills > 100) process.stdout.write(`${JSON.stringify(Object.fromEntries(struck))}\n`)
    expect(tally.whileResuming).toBeGreaterThan(0)
  },
)

/** Kills a command and its resumptions at random moments; after a while, or when all is done, one may end. */
async function killUntilDone(
  desk: ProofDesk,
  command: readonly string[],
  random: () => number,
  tally: { kills: number; whileResuming: number; ends: number },
): Promise<void> {
  let begun = false
  for (let n = 0; n < 8; n += 1) {
    // A kill before the batch was stored leaves nothing to resume: the command is typed again.
    const running = desk.start(begun ? ['resume', '--json'] : command)
    // From its very start, or from when it has begun.
    if (random() < 0.7) await running.said('"event":"batch"')
    await sleep(random() * 700)
    running.child.kill('SIGKILL')
    const { code, err, out } = await running.ended
    expectPlainWords(err)
    begun ||= out.includes('"event":"batch"')
    if (code !== null) tally.ends += 1
    else {
      tally.kills += 1
      if (begun) tally.whileResuming += 1
    }
    if (code === 0) break
  }
}

async function finish(desk: ProofDesk, command: readonly string[], isBroken: () => boolean): Promise<void> {
  for (const last of [['resume', '--json'], command]) {
    const { code, err } = await desk.run(last)
    expectPlainWords(err)
    expect([0, 2], err).toContain(code)
  }
  for (let n = 0; n < 5 && isBroken(); n += 1) {
    await desk.run(['retry', '--all', '--yes', '--json'])
    await desk.run(['resume', '--json'])
  }
}

/** What shows that an image is in a state, and what the service does so that it stays there for a moment. */
const states = [
  ['submitting', { on: 'submit', fault: { kind: 'slow', ms: 900, phase: 'before' } }],
  ['running', { on: 'list', fault: { kind: 'slow', ms: 300, phase: 'before' } }],
  ['downloading', { on: 'file', fault: { kind: 'drip', pauseMs: 120, pieces: 8 } }],
  ['delivered', { on: 'file', fault: { kind: 'slow', ms: 200, phase: 'before' } }],
] as const satisfies readonly (readonly [string, FaultRule])[]

test.concurrent.for(states)(
  'a machine that sleeps while a picture is %s: goes on by itself, charged once',
  { timeout: 300_000 },
  async ([state, rule], context) => {
    const service = await startPracticeService({
      imageWork: 'echo',
      processing: state === 'running' ? 1.5 : 0.2,
      concurrency: 4,
      keepAliveMs: 400,
      faults: [rule],
    })
    const desk = setScene(context, service)
    const sources = Array.from({ length: 5 }, (_, n) => `https://pictures.example/s${n}.jpg`)
    const running = desk.start(desk.batch(sources))
    expect(await running.said(`"state":"${state}"`)).toBe(true)
    running.child.kill('SIGSTOP')
    // Longer than idle connections are kept: what the program wakes up with is dead, its links too.
    await sleep(2000)
    service.control.expireLinks()
    const before = service.books().requests.list.count
    running.child.kill('SIGCONT')
    await sleep(300)
    expect(service.books().requests.list.count - before).toBeLessThan(6)
    const { code, err } = await running.ended
    expect(code, err).toBe(0)
    expect(broken(service, desk, sources)).toEqual([])
  },
)
