/** What a rival's program has to work with: requests that may be refused or lost, time, and chance. */
export interface PlainClient {
  /** `accepted` with the run's id; `refused`: 429; `broken`: the connection died without an answer. */
  submit(source: string): Promise<Answer<string>>
  /** True when the run is finished. */
  finished(runId: string): Promise<Answer<boolean>>
  sleep(ms: number): Promise<void>
  /** Uniform in [0, 1). */
  random(): number
  /** Costs nothing: resolves when the service is done, as a webhook would tell. */
  told(runId: string): Promise<void>
}

export type Answer<T> =
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'refused' }
  | { readonly kind: 'broken' }

/** A way to get pictures retouched, one at a time; many of them run side by side. */
export interface Rival {
  readonly name: string
  /** Pictures at a time, where the service works on `concurrency`. */
  readonly atATime: (concurrency: number) => number
  /** Resolves when the picture's run is known to be finished; false when it was given up. */
  readonly picture: (client: PlainClient, source: string) => Promise<boolean>
}

/** Tries again after a refusal or a broken connection, waiting longer each time; undefined when it was given up. */
export async function tried<T>(
  client: PlainClient,
  call: () => Promise<Answer<T>>,
  retries: number,
  waitMs: (attempt: number) => number,
): Promise<T | undefined> {
  for (let attempt = 0; ; attempt += 1) {
    const answer = await call()
    if (answer.kind === 'ok') return answer.value
    if (attempt >= retries) return undefined
    await client.sleep(waitMs(attempt))
  }
}
