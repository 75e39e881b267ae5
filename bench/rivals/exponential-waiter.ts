import { tried, type PlainClient, type Rival } from './plain-client.ts'

const shortestMs = 2000
const longestMs = 120_000
/** Tries of one request, the first included. */
const tries = 3

function waitAfterRefusal(client: PlainClient): (attempt: number) => number {
  return (attempt) => client.random() * Math.min(20_000, 1000 * 2 ** attempt)
}

/** The habit of cloud SDKs: a waiter from 2 to 120 s that doubles, with full jitter; three tries of any request. */
export const exponentialWaiter: Rival = {
  name: 'exponential waiter',
  atATime: (concurrency) => 2 * concurrency,
  picture: async (client, source) => {
    const runId = await tried(client, () => client.submit(source), tries - 1, waitAfterRefusal(client))
    if (runId === undefined) return false
    const doublings = Math.log2(longestMs / shortestMs) + 1
    for (let asked = 1; ; asked += 1) {
      const done = await tried(client, () => client.finished(runId), tries - 1, waitAfterRefusal(client))
      if (done !== false) return done === true
      const ceiling = asked > doublings ? longestMs : Math.min(longestMs, shortestMs * 2 ** (asked - 1))
      const wait = asked > doublings ? longestMs : shortestMs + client.random() * (ceiling - shortestMs)
      await client.sleep(wait)
    }
  },
}
