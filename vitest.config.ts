import { defineConfig } from 'vitest/config'
import { LongestFirst } from './scripts/longest-first.ts'

const folders = '{shared,engine,practice-service,cli,electron,renderer,e2e,bench,scripts}'
const windows = 'e2e/!(batch-under-faults|requests).test.ts'
// `npm run screens` photographs every way of looking with real pictures; what is right and wrong there, and axe in each
// mode, is the business of e2e/compare and e2e/preview.
const photographed = process.env['VITRINE_SCREENS'] === undefined ? ['e2e/every-screen-looking.test.ts'] : []

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: { name: 'all', include: [`${folders}/**/*.test.{ts,tsx}`], exclude: [windows] },
      },
      // A browser on a crowded machine now and then misses a press. What fails twice is wrong, and the report names
      // what had to be repeated. Nothing else is repeated: the promises about money and files are tested without a window.
      { extends: true, test: { name: 'window', include: [windows], exclude: photographed, retry: 1 } },
    ],
    // On two cores: most of the long tests wait for a service, a program or a browser.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // Limits against a standstill, not on speed: a crowded machine may be ten times slower.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
