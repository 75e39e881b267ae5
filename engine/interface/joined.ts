import type { Changes } from './changes.ts'
import type { Topic } from './topic.ts'

/**
 * Follows several topics as one: what `read` says now, and again when any of them rings; never the same twice. `changes` are
 * looked for meanwhile.
 */
export async function* joined<T>(
  topics: readonly Topic[],
  read: () => T,
  signal: AbortSignal,
  changes?: Changes,
): AsyncGenerator<T> {
  const leave = changes?.follow()
  let told: string | undefined
  try {
    while (!signal.aborted) {
      const known = topics.map(({ version }) => version)
      const value = read()
      const text = JSON.stringify(value)
      if (text !== told) {
        told = text
        yield value
      }
      await anyAfter(topics, known, signal)
    }
  } finally {
    leave?.()
  }
}

/** Resolves when one of the topics has another version than the known one. */
export async function anyAfter(
  topics: readonly Topic[],
  known: readonly number[],
  signal: AbortSignal,
): Promise<void> {
  const first = new AbortController()
  const either = AbortSignal.any([signal, first.signal])
  await Promise.race(topics.map((topic, index) => topic.after(known[index]!, either)))
  first.abort()
}
