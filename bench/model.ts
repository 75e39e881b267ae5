import { inspect } from 'node:util'
import fc from 'fast-check'
import { randomInt } from 'node:crypto'
import { play } from '../engine/queue/testing/play.ts'
import { accounts, stories } from '../engine/queue/testing/story.ts'

// The long form of model.test.ts, half of it with notices: `npm run model -- 20000 [seed [account]]`.
const count = Number(process.argv[2] ?? 5000)
const seed = Number(process.argv[3] ?? randomInt(2 ** 31))
const seen: Record<string, number> = {}
let failed = false
const only = process.argv[4] ?? ''
const chosen = accounts.filter((account) => account.includes(only))
const kinds = chosen.flatMap((account) => [
  { account, notices: false },
  { account, notices: true },
])
for (const { account, notices } of kinds) {
  const result = await fc.check(
    fc.asyncProperty(stories(account), async (story) => {
      const played = await play(story, undefined, notices)
      for (const [what, n] of Object.entries(played.seen)) {
        seen[what] = what.startsWith('most') ? Math.max(seen[what] ?? 0, n) : (seen[what] ?? 0) + n
      }
      if (played.breaches.length > 0) {
        throw new Error(played.breaches.map((one) => `${one.promise}: ${one.detail}`).join('\n'))
      }
    }),
    { numRuns: Math.ceil(count / kinds.length), seed },
  )
  process.stdout.write(
    `${account}${notices ? ', with notices' : ''}: ${result.numRuns} stories, seed ${seed}, ${result.failed ? 'BROKEN' : 'kept'}\n`,
  )
  if (result.failed) {
    failed = true
    const error = result.errorInstance as Error | undefined
    process.stdout.write(
      `${error?.message}\nafter ${result.numShrinks} shrinks, path ${result.counterexamplePath}:\n${inspect(result.counterexample, { depth: null })}\n`,
    )
  }
}
process.stdout.write(`${inspect(seen, { sorted: true })}\n`)
process.exitCode = failed ? 1 : 0
