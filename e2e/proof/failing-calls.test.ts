import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { startPracticeService } from '../../practice-service/start.ts'
import { broken, expectPlainWords } from './books.ts'
import { ProofDesk } from './desk.ts'

/** Of all the places one in so many is tried; `npm run proof` tries more, and `-- --long` every fourth. */
const oneIn = { whole: 75, long: 4 }[process.env['PROOF'] ?? ''] ?? 337
/** What SQLite and the delivery ask of the disk, and about how often in this batch. */
const calls = [
  ['fdatasync', 8],
  ['fsync', 90],
  ['pwrite64', 660],
] as const
const errors = ['EIO', 'ENOSPC'] as const
const patience = 3_600_000

const cases = calls.flatMap(([name, times]) =>
  errors.flatMap((error) =>
    Array.from({ length: times }, (_, n) => n + 1).flatMap((at) =>
      ['', '+'].map((further) => ({ name, error, when: `${at}${further}` })),
    ),
  ),
)

/** strace lets the n-th call of a kind fail; not every machine has it, or lets us. */
const canInject = spawnSync('strace', ['-f', '-qq', '-o', '/dev/null', 'true']).status === 0

test.skipIf(!canInject)(
  'the disk fails at any flush or write, once or from then on: charged once, nothing lost, a sentence',
  { timeout: patience },
  async (context) => {
    const left = cases.filter((_, n) => n % oneIn === 0)
    const ends: Record<string, number> = {}
    const tried = left.length
    const work = async () => {
      for (let one = left.shift(); one; one = left.shift()) {
        const end = await failOnce(one)
        ends[end] = (ends[end] ?? 0) + 1
      }
    }
    await Promise.all([work(), work(), work()])
    process.stdout.write(`proof: ${tried} failing calls of the disk, exit status: ${JSON.stringify(ends)}\n`)
    expect(Object.keys(ends).length, context.task.name).toBeGreaterThan(1)
  },
)

async function failOnce({ name, error, when }: (typeof cases)[number]): Promise<string> {
  const faults = [{ on: 'submit', nth: 2, fault: { kind: 'reset-after' } }] as const
  const service = await startPracticeService({ imageWork: 'echo', processing: 0.05, faults })
  const desk = new ProofDesk(service.url)
  try {
    const sources = ['a', 'b', 'c'].map((stem) => `https://pictures.example/${stem}.jpg`)
    desk.under = [
      'strace',
      '-f',
      '-qq',
      '-o',
      '/dev/null',
      '-e',
      `inject=${name}:error=${error}:when=${when}`,
    ]
    const struck = await desk.run(desk.batch(sources))
    expectPlainWords(struck.err)
    expect([0, 2, 70, 73], `${name} ${error} ${when}: ${struck.err}`).toContain(struck.code)
    desk.under = []
    let last = await desk.run(['resume', '--json'])
    if (broken(service, desk, sources).length > 0) last = await desk.run(desk.batch(sources))
    expect(broken(service, desk, sources), `${name} ${error} ${when}: ${struck.err} ${last.err}`).toEqual([])
    expect(struck.err, `${name} ${error} ${when}`).not.toMatch(/fault of its own/)
    return String(struck.code)
  } finally {
    desk.clear()
    await service.close()
  }
}
