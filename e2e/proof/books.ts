import { expect } from 'vitest'
import type { PracticeService } from '../../practice-service/start.ts'
import type { ProofDesk } from './desk.ts'

/** What is wrong with a batch, judged by the service's own books; empty where every promise held. */
export function broken(service: PracticeService, desk: ProofDesk, sources: readonly string[]): string[] {
  const wrong: string[] = []
  const { runs, filesRequestsWithAuthorization } = service.books()
  const lines = desk.manifest()
  for (const source of sources) {
    const taken = runs.filter((run) => run.source === source && !run.stranger)
    if (taken.length > 1) wrong.push(`${source} was taken ${taken.length} times`)
    const line = lines.findLast((one) => one.source === source && one.status === 'delivered')
    if (!line)
      wrong.push(`${source} is ${lines.findLast((one) => one.source === source)?.status ?? 'unknown'}`)
    else if (line.runId !== taken[0]?.runId) wrong.push(`${source} has the picture of ${line.runId}`)
    for (const { path, sha256 } of line?.outputs ?? []) {
      if (desk.hashOf(path) !== sha256) wrong.push(`${path} is not what the manifest says`)
    }
  }
  if (filesRequestsWithAuthorization > 0) wrong.push('a request for a file carried the key')
  const parts = desk.files(desk.out).filter((name) => /\.part|\.vitrine-/.test(name))
  if (parts.length > 0) wrong.push(`left behind: ${parts.join(', ')}`)
  return wrong
}

/** Nobody is ever shown where in the code something went wrong. */
export function expectPlainWords(text: string): void {
  expect(text).not.toMatch(/\bat .*\.ts:\d+|\n\s+at |node:internal|UnhandledPromise/)
}
