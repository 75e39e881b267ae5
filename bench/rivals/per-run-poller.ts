import { tried, type PlainClient, type Rival } from './plain-client.ts'

const intervalMs = 500
const retries = { submit: 3, status: 5 }

function waitFor(client: PlainClient, longestMs: number): (attempt: number) => number {
  return (attempt) => Math.min(longestMs, 1000 * 2 ** attempt) * (0.75 + client.random() / 2)
}

/**
 * The habit of client libraries of hosted models: each run is asked for at once and then 500 ms after each answer;
 * refusals and broken connections are tried again, submissions too, without a key that would make that harmless.
 */
export const perRunPoller: Rival = {
  name: '500 ms poller',
  atATime: (concurrency) => 2 * concurrency,
  picture: async (client, source) => {
    const runId = await tried(client, () => client.submit(source), retries.submit, waitFor(client, 60_000))
    if (runId === undefined) return false
    for (;;) {
      const done = await tried(client, () => client.finished(runId), retries.status, waitFor(client, 30_000))
      if (done !== false) return done === true
      await client.sleep(intervalMs)
    }
  },
}
