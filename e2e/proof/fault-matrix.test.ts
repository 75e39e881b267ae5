import { expect, test, type TestContext } from 'vitest'
import { startPracticeService, type PracticeService } from '../../practice-service/start.ts'
import { broken, expectPlainWords } from './books.ts'
import { ProofDesk } from './desk.ts'
import { FaultProxy } from './fault-proxy.ts'
import { allFaults, concerns, isSlow, type Endpoint, type NetworkFault } from './network-faults.ts'

/** `npm run proof` sets it: every fault, also those that take as long as the program's patience; else a fourth. */
const whole = process.env['PROOF'] !== undefined
const endpoints = ['submit', 'run', 'list', 'file'] as const
const patience = 900_000

interface Scene {
  readonly service: PracticeService
  readonly proxy: FaultProxy
  readonly desk: ProofDesk
}

async function setScene({ onTestFinished }: TestContext): Promise<Scene> {
  const service = await startPracticeService({
    imageWork: 'echo',
    processing: 0.05,
    concurrency: 8,
    accounts: [{ key: 'practice', subscriptionCredits: 100_000 }],
  })
  const proxy = new FaultProxy(service.origin)
  await proxy.listen()
  const desk = new ProofDesk(`${proxy.origin}/api/v1`)
  onTestFinished(async () => {
    desk.clear()
    await proxy.close()
    await service.close()
  })
  return { service, proxy, desk }
}

function faultsFor(endpoint: Endpoint): NetworkFault[] {
  const faults = allFaults.filter((fault) => concerns(fault, endpoint))
  if (whole) return faults
  const share = endpoints.findIndex((one) => one === endpoint)
  return faults.filter((fault, n) => !isSlow(fault) && n % endpoints.length === share)
}

/** Every second request of an endpoint meets the next of the faults; the others go through. */
function everySecond(endpoint: Endpoint, faults: readonly NetworkFault[]) {
  const left = [...faults]
  return {
    left,
    choose: (asked: Endpoint, number: number) =>
      asked === endpoint && number % 2 === 0 ? left.shift() : undefined,
  }
}

test.concurrent.for(endpoints)(
  'every fault of the network on every second %s: charged once, delivered whole, nothing led astray',
  { timeout: patience },
  async (endpoint, context) => {
    const { service, proxy, desk } = await setScene(context)
    const faults = faultsFor(endpoint)
    const plan = everySecond(endpoint, faults)
    proxy.choose = plan.choose
    const sources: string[] = []
    const said: string[] = []
    let peakMb = 0
    for (let round = 0; round < 40 && plan.left.length > 0; round += 1) {
      const more = Array.from({ length: 8 }, (_, n) => `https://pictures.example/r${round}-${n}.jpg`)
      sources.push(...more)
      const ended = await desk.run(desk.batch(more))
      said.push(`${ended.code}: ${ended.err.split('\n').at(-2)}`)
      expectPlainWords(ended.err + ended.out)
      peakMb = Math.max(peakMb, ended.peakMb)
    }
    expect(plan.left, said.join('\n')).toEqual([])
    // What a person does then, without a network that fails.
    for (let n = 0; n < 5 && broken(service, desk, sources).length > 0; n += 1) {
      await desk.run(['resume', '--json'])
      await desk.run(['retry', '--all', '--yes', '--json'])
    }
    expect(broken(service, desk, sources), said.join('\n')).toEqual([])
    expect(proxy.struck.size).toBe(faults.length)
    for (const { headers } of proxy.strayed) expect(headers['authorization']).toBeUndefined()
    expect(peakMb).toBeLessThan(600)
    process.stdout.write(
      `proof: ${endpoint}: ${faults.length} faults, ${sources.length} images, most memory ${Math.round(peakMb)} MB\n`,
    )
  },
)

test(
  'every fault of the network on a question that costs nothing: an answer or one sentence',
  {
    timeout: patience,
  },
  async (context) => {
    const { service, proxy, desk } = await setScene(context)
    await desk.run(desk.batch(['https://pictures.example/known.jpg']))
    const runId = service.books().runs[0]!.runId
    const questions = {
      balance: ['balance'],
      apps: ['apps'],
      list: ['runs'],
      run: ['runs', 'show', runId],
    } as const
    const kinds = ['balance', 'apps', 'list', 'run'] as const
    const cases = kinds.flatMap((endpoint, share) =>
      allFaults
        .filter((fault, n) => concerns(fault, endpoint) && (whole || (!isSlow(fault) && n % 16 === share)))
        .map((fault) => ({ endpoint, fault })),
    )
    const ask = async (proxy: FaultProxy, { endpoint, fault }: (typeof cases)[number]) => {
      proxy.choose = (asked) => (asked === endpoint ? fault : undefined)
      const env = { VITRINE_BASE_URL: `${proxy.origin}/api/v1` }
      const { code, err, out } = await desk.run(questions[endpoint], env)
      const name = `${endpoint} ${fault.how} ${fault.when}: ${code} ${err}`
      expectPlainWords(err + out)
      expect([0, 69], name).toContain(code)
      expect(code === 0 ? out : err, name).toMatch(code === 0 ? /\S/ : /^[^\n]+[.?)]\n$/)
      for (const { headers } of proxy.strayed) expect(headers['authorization']).toBeUndefined()
    }
    // A network for each of those who ask at the same time.
    const left = [...cases]
    const work = async () => {
      const proxy = new FaultProxy(service.origin)
      context.onTestFinished(() => proxy.close())
      await proxy.listen()
      for (let one = left.shift(); one; one = left.shift()) await ask(proxy, one)
    }
    await Promise.all(Array.from({ length: 6 }, work))
    expect(service.books().runs).toHaveLength(1)
    for (const { headers } of proxy.strayed) expect(headers['authorization']).toBeUndefined()
    process.stdout.write(`proof: questions: ${cases.length} faults\n`)
  },
)
