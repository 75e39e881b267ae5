import { defineConfig } from 'vitest/config'
import { LongestFirst } from './scripts/longest-first.ts'

export default defineConfig({
  test: {
    include: ['{shared,engine,practice-service,cli,electron,renderer,e2e,bench,scripts}/**/*.test.{ts,tsx}'],
    // On two cores: most of the long tests wait for a service, a program or a browser.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // Limits against a standstill, not on speed: a crowded machine may be ten times slower.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
