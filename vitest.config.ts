import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{shared,engine,practice-service,cli,e2e,scripts}/**/*.test.ts'],
    // Two cores: real servers and image work in parallel files would only wait for each other.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
