import { inspect } from 'node:util'
import { randomInt } from 'node:crypto'
import { capacities, settleBatch, shares, type Settlement } from '../engine/queue/testing/lost-answers.ts'

// Submissions in question, many of them: `npm run lost-answers -- 100000 [seed]`. How many are settled without a person?
const wanted = Number(process.argv[2] ?? 1000)
const seed = Number(process.argv[3] ?? randomInt(2 ** 31))
const sums: Record<string, Record<string, number>> = {}
for (let n = 0, lost = 0; lost < wanted; n += 1) {
  const share = shares[n % shares.length]!
  const concurrency = capacities[n % capacities.length]!
  const settled: Settlement = await settleBatch(400, { share, concurrency, seed: seed + n })
  lost += settled.lost
  const sum = (sums[`${share * 100} % lost`] ??= {})
  for (const [what, count] of Object.entries(settled)) sum[what] = (sum[what] ?? 0) + count
}
process.stdout.write(`seed ${seed}\n${inspect(sums)}\n`)
const wrong = Object.values(sums).some((sum) => sum['chargedTwice']! + sum['mistaken']! > 0)
process.exitCode = wrong ? 1 : 0
