import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { errorSentence, longestSentence, plainText, sentenceIn } from './plain-text.ts'
import { readApps } from './wire-apps.ts'
import { timeOf } from './wire-fields.ts'
import { submitBody, SubmissionError } from './wire-submit.ts'
import {
  readBalance,
  readDownloadLink,
  readRun,
  readRunList,
  readSubmitAnswer,
  readWebhook,
  type Read,
} from './wire.ts'
import { tries } from './tries.ts'

const readers = {
  readApps,
  readBalance,
  readDownloadLink,
  readRun,
  readRunList,
  readSubmitAnswer,
  readWebhook,
}

/** A value that must have been read. */
function value<T>(read: Read<T>): T {
  if (!read.ok) throw new Error(`not read: ${read.field} ${read.problem}`)
  return read.value
}

const documented = {
  run_id: 'run_1',
  app_id: 'rescue',
  app_title: 'Rescue',
  status: 'SUCCESS',
  created: '2026-11-21T08:00:00Z',
  completed: '2026-11-21T08:00:24Z',
  credits_charged: 9,
  output_url: 'https://files.example/a.png?sig=1',
  is_video: false,
  primary_label: 'De-Banded',
  extra_outputs: [{ label: 'Original', slug: 'original', format: 'png', url: 'https://files.example/b.png' }],
}

test('a documented run is read whole', () => {
  expect(value(readRun(documented))).toEqual({
    runId: 'run_1',
    appId: 'rescue',
    appTitle: 'Rescue',
    status: 'SUCCESS',
    created: '2026-11-21T08:00:00Z',
    createdMs: Date.UTC(2026, 10, 21, 8),
    creditsCharged: 9,
    completed: '2026-11-21T08:00:24Z',
    completedMs: Date.UTC(2026, 10, 21, 8, 0, 24),
    outputUrl: 'https://files.example/a.png?sig=1',
    error: undefined,
    isVideo: false,
    extraOutputs: [
      { label: 'Original', slug: 'original', format: 'png', url: 'https://files.example/b.png' },
    ],
    unreadableOutputs: 0,
    primaryLabel: 'De-Banded',
  })
})

test('nulls, numbers as text, unknown fields and a missing is_video are borne', () => {
  const run = value(
    readRun({
      ...documented,
      run_id: 77,
      credits_charged: '9',
      output_url: null,
      extra_outputs: null,
      is_video: 'true',
      error: { message: 'no\u001b[31m picture' },
      novelty: [1],
    }),
  )
  expect(run).toMatchObject({
    runId: '77',
    creditsCharged: 9,
    isVideo: true,
    error: 'no picture',
    extraOutputs: [],
  })
  expect(run.outputUrl).toBeUndefined()
})

test('a status that nobody knows is kept, not thrown', () => {
  expect(value(readRun({ run_id: 'a', status: 'MODERATED' })).status).toBe('UNKNOWN:MODERATED')
  expect(value(readRun({ run_id: 'a', status: 'in_progress' })).status).toBe('IN_PROGRESS')
})

test('extra outputs have slugs that can name files: never empty, never twice, never "primary"', () => {
  const extra = (slug?: string) => ({ slug, url: 'https://x.example/' })
  const extra_outputs = [
    extra('Original'),
    extra('original'),
    extra('primary'),
    extra(),
    { label: 'lost' },
    3,
  ]
  const run = value(readRun({ ...documented, extra_outputs }))
  expect(run.extraOutputs.map((output) => output.slug)).toEqual([
    'Original',
    'original-2',
    'primary-2',
    'output-5',
  ])
  expect(run.unreadableOutputs).toBe(2)
})

test('a failure says which field', () => {
  expect(readRun({ run_id: 'a' })).toMatchObject({ ok: false, field: 'status' })
  expect(readRun({ status: 'SUCCESS' })).toMatchObject({ ok: false, field: 'run_id' })
  expect(readBalance({ subscription: 'Pro' })).toMatchObject({ ok: false, field: 'total_credits' })
  expect(readRunList({ items: [] })).toMatchObject({ ok: false, field: 'runs' })
  expect(readDownloadLink([])).toMatchObject({ ok: false, field: '' })
})

test('a list keeps its good rows and counts the others', () => {
  const list = value(
    readRunList({
      runs: [documented, { run_id: '' }, null, { run_id: 'b', status: 'x' }],
      total: '2',
      has_more: null,
    }),
  )
  expect(list.runs.map((run) => run.runId)).toEqual(['run_1', 'b'])
  expect(list).toMatchObject({ unreadable: 2, total: 2, hasMore: undefined, page: undefined })
  expect(value(readRunList({ runs: [], total: -1 })).total).toBeUndefined()
})

test('a balance tells "never" (null) from "not shown"', () => {
  expect(value(readBalance({ total_credits: '12', credits_expire: null }))).toMatchObject({
    totalCredits: 12,
    creditsExpire: null,
  })
  expect(value(readBalance({ total_credits: 1 })).creditsExpire).toBeUndefined()
})

test.each([
  [{ run_id: '' }],
  [{ run_id: ' ' }],
  [{ run_id: 7 }],
  [{ run_id: null }],
  [{}],
  ['run_1'],
  [[]],
  [{ run_id: 'a\u0000' }],
])('no run id is taken from %j', (answer) => expect(readSubmitAnswer(answer).ok).toBe(false))

test('times: zones are kept, without one it is UTC, nonsense is NaN', () => {
  expect(timeOf('2026-11-21T09:00:00+01:00')).toBe(Date.UTC(2026, 10, 21, 8))
  expect(timeOf('2026-11-21T08:00:00.123456')).toBe(Date.UTC(2026, 10, 21, 8, 0, 0, 123))
  expect(timeOf('1795248000')).toBe(1795248000000)
  for (const text of [undefined, '', 'soon', '21.11.2026', '7']) expect(timeOf(text)).toBeNaN()
})

test('apps are found in an array, under a name, and by id', () => {
  const app = { app_id: 'rescue', app_title: 'Rescue', parameters: { image: 'url' } }
  const ids = (json: unknown) => value(readApps(json)).map((found) => found.id)
  expect(ids([app, app, { name: 'x' }, 'plain', 5, {}])).toEqual(['rescue', 'x', 'plain'])
  expect(ids({ apps: [app] })).toEqual(['rescue'])
  expect(ids({ rescue: { title: 'Rescue' }, precision: {} })).toEqual(['rescue', 'precision'])
  expect(value(readApps([app]))[0]).toMatchObject({ title: 'Rescue', parameters: { image: 'url' }, raw: app })
  expect(readApps('nothing').ok).toBe(false)
  expect(readApps({ error: 'no' }).ok).toBe(false)
})

test('a webhook says FAILURE where a record says FAILED', () => {
  expect(value(readWebhook({ run_id: 'a', status: 'FAILURE', error: 'x' })).status).toBe('FAILURE')
  expect(value(readWebhook({ run_id: 'a', status: 'FAILED' })).status).toBe('UNKNOWN:FAILED')
})

test('whatever comes, no reader throws and every failure is a sentence', () => {
  const awkward = fc.oneof(
    fc.jsonValue(),
    fc.record({
      run_id: fc.anything(),
      status: fc.anything(),
      extra_outputs: fc.anything(),
      error: fc.anything(),
    }),
    fc.record({ runs: fc.array(fc.anything()), total: fc.anything(), has_more: fc.anything() }),
    fc.record({ apps: fc.anything(), total_credits: fc.anything(), download_url: fc.anything() }),
  )
  fc.assert(
    fc.property(awkward, (json) => {
      for (const reader of Object.values(readers)) {
        const read = reader(json)
        if (!read.ok) expect(read.problem).toMatch(/^[A-Z].*\.$/)
      }
    }),
    { numRuns: tries(2000) },
  )
})

test.each([
  ['{"error":"bad"}', 'bad'],
  ['{"error":{"message":"deep"}}', 'deep'],
  ['{"detail":[{"loc":["x"],"msg":"field required"},{"msg":"two"}]}', 'field required; two'],
  ['{"errors":{"title":"t"}}', 't'],
  ['"just text"', 'just text'],
  ['plain words', 'plain words'],
  ['<html><head><title>502 Bad Gateway</title></head><body>x</body></html>', '502 Bad Gateway'],
  ['<p>Hello <b>you</b> &amp; me<script>alert(1)</script>', 'Hello you & me'],
  ['', undefined],
  ['{"a":1}', undefined],
  ['12', '12'],
])('the sentence in %s', (body, sentence) => expect(errorSentence(body)).toBe(sentence))

test('text of strangers has no control, direction or terminal marks and is bounded', () => {
  expect(plainText('a\u001b[1;31mb\u001b]0;title\u0007c\u202Ed\u0000\r\ne')).toBe('a b cd e')
  const nasty = fc.string({
    unit: fc.constantFrom('\u001b', '[', '31m', '\u009b', ']0;', '\u0007', '\u202e', 'a', ' ', '\u2028', '𝒜'),
  })
  fc.assert(
    fc.property(fc.oneof(nasty, fc.string({ unit: 'binary', maxLength: 2000 })), (text) => {
      const plain = plainText(text)
      expect(plain).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
      expect(Array.from(plain).length).toBeLessThanOrEqual(longestSentence)
      expect(plainText(plain)).toBe(plain)
    }),
    { numRuns: tries(1000) },
  )
  expect(sentenceIn('<'.repeat(100_000))).toBeDefined()
})

const submission = {
  appId: 'rescue',
  image: 'https://shop.example/a b.jpg?x=%zz',
  settings: { debanding: true, bg_mode: 'solid', shadow_size: 2, bg_color: '#FFFFFF' },
  parameters: { style: 'x', image: 'other', debanding: false, angle: 3 },
  webhookUrl: 'https://hook.invalid/1',
} as const

test('a submission is written the same way every time; ignored keys stay out, the source is untouched', () => {
  const body = submitBody(submission)
  expect(body).toBe(
    '{"app_id":"rescue","parameters":{"image":"https://shop.example/a b.jpg?x=%zz","bg_mode":"solid",' +
      '"bg_color":"#FFFFFF","debanding":true,"angle":3,"style":"x"},"webhook_url":"https://hook.invalid/1"}',
  )
  expect(submitBody({ ...submission, parameters: { angle: 3, style: 'x' } })).toBe(body)
})

test.each([
  [{ image: '' }, 'image'],
  [{ appId: '' }, 'app_id'],
  [{ webhookUrl: '' }, 'webhook_url'],
  [{ settings: { shadow_size: 9 } }, 'shadow_size'],
  [{ parameters: { when: new Date() } }, 'when'],
])('a submission with %j is refused and names the field', (change, field) => {
  expect(() => submitBody({ ...submission, ...change })).toThrow(SubmissionError)
  expect(() => submitBody({ ...submission, ...change })).toThrow(field)
})
