import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{shared,engine,practice-service,cli,electron,renderer,e2e,bench,scripts}/**/*.test.{ts,tsx}'],
    // Two cores: real servers and image work in parallel files would only wait for each other.
    maxWorkers: 2,
    // Limits against a standstill, not on speed: a crowded machine may be ten times slower.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
