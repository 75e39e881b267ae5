import { z } from 'zod'

const reportSchema = z.object({
  testResults: z.array(
    z.object({
      message: z.string().optional(),
      assertionResults: z.array(
        z.object({
          status: z.string(),
          fullName: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
})

/** What came of the tests that were run: `why` says in a few words what there is to say beside the counts. */
export type Verdict = {
  /** Names of those that passed. */
  readonly passed: readonly string[]
  /** Those that found something to be wrong. */
  readonly failed: readonly string[]
  /** Those that were left out, here or on this machine. */
  readonly skipped: readonly string[]
  readonly why: string
}

/** What fails for these reasons has judged nothing: the mistake is no program, or nobody waited for its end. */
const accident =
  /\b(?:SyntaxError|ReferenceError)\b|Cannot find (?:module|package)|ERR_MODULE_NOT_FOUND|(?:Test|Hook) timed out/

const nothing: Verdict = { passed: [], failed: [], skipped: [], why: '' }

/** Reads vitest's machine-readable report. */
export function readVerdict(report: string): Verdict {
  const files = parsed(report)
  if (files === undefined) return { ...nothing, why: 'the tests left no report, or took too long' }
  const tests = files.flatMap((file) => file.assertionResults)
  const named = (wanted: (status: string) => boolean) =>
    tests.filter(({ status }) => wanted(status)).map(({ fullName }) => fullName)
  const broken = tests.filter(({ status }) => status === 'failed')
  const messages = broken.map(({ failureMessages }) => (failureMessages ?? []).join('\n'))
  const seen = {
    passed: named((status) => status === 'passed'),
    failed: broken.filter((_, n) => !accident.test(messages[n]!)).map(({ fullName }) => fullName),
    skipped: named((status) => status !== 'passed' && status !== 'failed'),
  }
  const said = [...messages, ...files.map(({ message = '' }) => message)].join('').split('\n', 1)[0]!
  if (seen.failed.length > 0) return { ...seen, why: '' }
  if (broken.length > 0) return { ...seen, why: `it failed by accident: ${said}` }
  return { ...seen, why: seen.passed.length > 0 ? '' : `no test was run. ${said}`.trim() }
}

function parsed(report: string) {
  try {
    return reportSchema.parse(JSON.parse(report)).testResults
  } catch {
    return undefined
  }
}
