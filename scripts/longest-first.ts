import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take half a minute and more on two cores, the longest first. */
const long = [
  'cli/crash-walk',
  'e2e/batch-under-faults',
  'e2e/every-screen',
  'engine/queue/polling-goals',
  'e2e/component-sheet',
  'e2e/preview',
  'e2e/proof/',
  'cli/web/preview',
  'cli/run',
  'cli/web/batches',
  'cli/web/connections',
  'e2e/',
  'engine/queue/model',
  'practice-service/imaging/process',
  'cli/',
]

/**
 * Begins with the files that take longest, so that none of them is left alone at the end. On a fresh machine nothing is
 * known of earlier runs; a file that is not named comes after those that are.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = ({ moduleId }: TestSpecification) => {
      const path = relative(this.ctx.config.root, moduleId).replaceAll('\\', '/')
      const at = long.findIndex((start) => path.startsWith(start))
      return at < 0 ? long.length : at
    }
    return sorted.sort((a, b) => rank(a) - rank(b))
  }
}
