import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{shared,engine,practice-service,cli,electron,renderer,e2e,bench,scripts}/**/*.test.{ts,tsx}'],
    // Two cores: real servers and image work in parallel files would only wait for each other.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
