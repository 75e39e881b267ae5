import { createHash } from 'node:crypto'
import { afterEach, expect, it } from 'vitest'
import { startPracticeService, type FaultRule, type PracticeService } from '../practice-service/start.ts'
import { Desk } from './program.ts'

let service: PracticeService
let desk: Desk
afterEach(async () => {
  desk.clear()
  await service.close()
})

/** Each of these strikes one request in twenty, on every endpoint where it makes sense. */
const everyTwentieth = 0.05
const api = ['submit', 'run', 'list', 'balance', 'apps'] as const
const chance: FaultRule[] = [
  {
    on: [...api, 'file'],
    probability: everyTwentieth,
    fault: { kind: 'status', status: 429, retryAfter: 0 },
  },
  { on: [...api, 'file'], probability: everyTwentieth, fault: { kind: 'status', status: 503 } },
  { on: [...api, 'file'], probability: everyTwentieth / 2, fault: { kind: 'reset-before' } },
  { on: [...api, 'file'], probability: everyTwentieth / 2, fault: { kind: 'reset-after' } },
  { on: ['submit', 'run', 'list'], probability: everyTwentieth, fault: { kind: 'truncate-chunked' } },
  { on: 'file', probability: everyTwentieth, fault: { kind: 'truncate-length' } },
  { on: [...api, 'file'], probability: everyTwentieth, fault: { kind: 'stall-body' } },
  { on: 'file', probability: everyTwentieth, fault: { kind: 'html-as-file' } },
  { on: 'file', probability: everyTwentieth, fault: { kind: 'expired' } },
]

/** Each kind once for certain, whatever chance has in store. */
const certain: FaultRule[] = [
  { on: 'submit', nth: 2, fault: { kind: 'status', status: 429, retryAfter: 0 } },
  { on: 'submit', nth: 4, fault: { kind: 'reset-before' } },
  { on: 'submit', nth: 6, fault: { kind: 'reset-after' } },
  { on: 'submit', nth: 8, fault: { kind: 'truncate-chunked' } },
  { on: 'file', nth: 3, fault: { kind: 'stall-body' } },
  { on: 'file', nth: 6, fault: { kind: 'expired' } },
  { on: 'file', nth: 9, fault: { kind: 'html-as-file' } },
  { on: 'file', nth: 12, fault: { kind: 'truncate-length' } },
]

/** `npm run faults` takes 200: most of its minutes are waiting for stalled answers. */
const images = Number(process.env['FAULT_IMAGES'] ?? 40)

it(
  'a batch under five percent of everything ends whole and byte-exact',
  {
    timeout: 1_200_000,
  },
  async () => {
    service = await startPracticeService({
      imageWork: 'echo',
      concurrency: 40,
      processing: 0.2,
      faults: [...certain, ...chance],
      accounts: [{ key: 'practice', name: 'studio', subscriptionCredits: 5000, otherCredits: 0 }],
      seed: 20,
    })
    desk = new Desk(service, 0.5)
    const sources = Array.from({ length: images }, (_, n) => `${service.origin}/shoot/piece-${n}.jpg`)
    const run = await desk.run(
      'run',
      '--app',
      'rescue',
      '--set',
      'debanding=true',
      '--yes',
      '--out',
      desk.out,
      ...sources,
    )
    expect(run.stderr).not.toMatch(/ at .*\.ts:\d+/)
    expect(run.code).toBe(0)

    service.control.clearFaults()
    const { runs, faults } = service.books()
    for (const source of sources) expect(runs.filter((one) => one.source === source)).toHaveLength(1)
    const manifest = desk.manifest()
    expect(manifest.filter((line) => line.status === 'delivered')).toHaveLength(images)
    for (const line of manifest) {
      expect(line.outputs.map((output) => output.label)).toEqual(['De-Banded', 'Original'])
      const record = await recordOf(line.runId!)
      const links = [record.output_url, ...record.extra_outputs.map((extra) => extra.url)]
      for (const [index, output] of line.outputs.entries()) {
        const bytes = await (await fetch(links[index]!)).bytes()
        expect(createHash('sha256').update(bytes).digest('hex')).toBe(output.sha256)
        expect(desk.hashOf(output.path)).toBe(output.sha256)
      }
    }
    // The faults really struck.
    for (const { fault } of [...certain, ...chance]) {
      expect(faults[fault.kind], fault.kind).toBeGreaterThan(0)
    }
  },
)

async function recordOf(runId: string) {
  const answer = await fetch(`${service.url}/runs/${runId}`, {
    headers: { authorization: 'Bearer practice' },
  })
  return (await answer.json()) as { output_url: string; extra_outputs: { url: string }[] }
}
