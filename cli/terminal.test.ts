import { EventEmitter } from 'node:events'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { withoutSecrets } from '../engine/fault-report.ts'
import type { Io, TextSink } from './io.ts'
import { editDistance, nearestSetting } from './near-miss.ts'
import { Pace, roughTime } from './pace.ts'
import { estimateLine } from './prices.ts'
import { Progress } from './progress.ts'
import { summaryLines } from './summary.ts'
import { table } from './table.ts'
import { Terminal } from './terminal.ts'
import { settingRules } from '../shared/settings.ts'
import type { BatchTotals, Totals } from './totals.ts'

class Sink extends EventEmitter implements TextSink {
  text = ''
  isTTY = false
  columns = 60
  writableNeedDrain = false
  write(text: string): boolean {
    this.text += text
    return true
  }
}

function ioWith(stdout: Sink, stderr: Sink, answer = ''): Io {
  const stdin = {
    isTTY: true,
    async *[Symbol.asyncIterator]() {
      yield Buffer.from(answer)
    },
  }
  return { stdin, stdout, stderr, env: {}, cwd: '/', exit: () => {}, onStop: () => () => {} }
}

const totals: Totals = {
  images: 212,
  delivered: 38,
  failed: 1,
  review: 0,
  skipped: 0,
  waiting: 164,
  held: 0,
  cancelled: 0,
  active: 9,
  creditsCharged: 228,
}

test('lines for people do not tear the live line, and none is drawn where stderr is no terminal', () => {
  const [stdout, stderr] = [new Sink(), new Sink()]
  stderr.isTTY = true
  const terminal = new Terminal(ioWith(stdout, stderr))
  terminal.live('38 of 212')
  terminal.say('One failed.')
  terminal.live('x'.repeat(500))
  terminal.close()
  expect(stderr.text).toBe(
    `\r\u001b[K38 of 212\r\u001b[KOne failed.\n38 of 212\r\u001b[K${'x'.repeat(59)}\r\u001b[K`,
  )
  expect(stdout.text).toBe('')
  const plain = new Sink()
  const other = new Terminal(ioWith(stdout, plain))
  other.live('38 of 212')
  other.close()
  expect(plain.text).toBe('')
})

test.each([
  ['y\n', true],
  ['YES\n', true],
  ['n\n', false],
  ['\n', false],
  ['yellow\n', false],
])('the answer %j is %s', async (answer, agreed) => {
  const stderr = new Sink()
  stderr.isTTY = true
  expect(await new Terminal(ioWith(new Sink(), stderr, answer)).ask('Send?')).toBe(agreed)
  expect(stderr.text).toBe('Send? [y/N] ')
})

test('a slow reader of stdout is waited for, one that is gone is not', async () => {
  const stdout = new Sink()
  const terminal = new Terminal(ioWith(stdout, new Sink()))
  stdout.writableNeedDrain = true
  let drained = false
  const wait = async () => {
    await terminal.drained()
    drained = true
  }
  const waiting = wait()
  await new Promise((resolve) => setImmediate(resolve))
  expect(drained).toBe(false)
  stdout.writableNeedDrain = false
  stdout.emit('drain')
  await waiting
  stdout.writableNeedDrain = true
  stdout.emit('error', new Error('EPIPE'))
  await terminal.drained()
  terminal.print('nobody reads this')
  expect(stdout.text).toBe('')
})

test('progress is a live line with counts, rate, credits and time left, and plain lines elsewhere', () => {
  const live = new Sink()
  live.isTTY = true
  live.columns = 200
  const progress = new Progress(new Terminal(ioWith(new Sink(), live)))
  for (let minute = 0; minute < 3; minute += 1) {
    progress.update(minute * 60_000, { ...totals, delivered: 38 + minute * 10, waiting: 164 - minute * 10 })
  }
  expect(live.text).toContain(
    '38 of 212 delivered · 9 active · 164 waiting · 1 failed · 228 credits · working out',
  )
  expect(live.text).toContain(
    '58 of 212 delivered · 9 active · 144 waiting · 1 failed · 10/min · 228 credits · ≈ 15 min left',
  )

  live.columns = 0
  expect(new Terminal(ioWith(new Sink(), live)).columns).toBe(80)

  const plain = new Sink()
  const quiet = new Progress(new Terminal(ioWith(new Sink(), plain)))
  for (let delivered = 0; delivered <= 211; delivered += 1) {
    quiet.update(delivered * 100, { ...totals, failed: 0, delivered, waiting: 212 - delivered, active: 0 })
  }
  expect(plain.text.trim().split('\n').length).toBeLessThan(13)
})

test('the time left is rounded, appears after five images, and does not flicker upwards', () => {
  expect([3_000, 52_000, 58_000, 480_000, 6_600_000].map(roughTime)).toEqual([
    '≈ 5 s',
    '≈ 55 s',
    '≈ 1 min',
    '≈ 8 min',
    '≈ 1 h 50',
  ])
  const pace = new Pace()
  for (let second = 0; second <= 4; second += 1) pace.observe(second * 1000, second)
  expect(pace.remaining(4000, 60)).toBeUndefined()
  pace.observe(5000, 5)
  expect(pace.remaining(5000, 60)).toBe(60_000)
  expect(pace.remaining(6000, 600)).toBe(60_000)
  expect(pace.remaining(11_000, 90)).toBe(60_000)
  expect(pace.remaining(11_000, 600)).toBe(600_000)
})

test('the estimate says how far the balance reaches', () => {
  const extras = { min: 4, max: 4 }
  expect(estimateLine({ images: 24, pricePerImage: { min: 7, max: 7 }, extras }, 84)).toBe(
    '24 images × 7 credits = 168 credits. The balance is 84 credits and covers 12 of 24.',
  )
  expect(estimateLine({ images: 1, pricePerImage: { min: 2, max: 3 }, extras }, 1000)).toBe(
    '1 image × 2 to 3 credits = 2 to 3 credits. The balance is 1,000 credits and covers all of them.',
  )
  expect(estimateLine({ images: 2, pricePerImage: undefined, extras }, 5)).toContain(
    '(not known yet) plus 4 credits',
  )
})

test('the summary says where to look and what to do next', () => {
  const batch: BatchTotals = {
    ...totals,
    batch: 'k3f9a',
    outDir: '/out',
    manifest: '/out/manifest.jsonl',
    held: 2,
  }
  const lines = summaryLines({ end: { kind: 'interrupted' }, status: 130, totals: [batch], seconds: 1 }).join(
    '\n',
  )
  expect(lines).toContain('The pictures and manifest.jsonl are in /out')
  expect(lines).toContain('vitrine retry k3f9a')
  expect(lines).toContain('vitrine release k3f9a')
  expect(lines).toContain('9 images at the service will still finish. To go on: vitrine resume')
})

test('tables bear any text of strangers', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 5 }), (cells) => {
      for (const line of table(
        ['A', 'B'],
        cells.map((cell) => [cell, 'x']),
      )) {
        expect(line).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u)
      }
    }),
  )
})

test('one slip in a setting’s name is recognised, and other words are not', () => {
  for (const { key } of settingRules) {
    for (let at = 0; at < key.length; at += 1) {
      const slip = key.slice(0, at) + key.slice(at + 1)
      if (settingRules.some((rule) => rule.key === slip)) continue
      expect(settingRules.map((rule) => rule.key)).toContain(nearestSetting(slip))
    }
    expect(nearestSetting(key)).toBe(key)
  }
  for (const other of [
    'style',
    'padding',
    'shadow',
    'tint',
    'strength',
    'seed',
    'prompt',
    'size',
    'mode',
    'color',
  ]) {
    expect(nearestSetting(other), other).toBeUndefined()
  }
  expect(nearestSetting('background_colour')).toBe('bg_color')
})

test('the distance of two words is symmetric, and zero only for the same', () => {
  const word = fc.string({ maxLength: 8 })
  fc.assert(
    fc.property(word, word, (a, b) => {
      expect(editDistance(a, b)).toBe(editDistance(b, a))
      expect(editDistance(a, b) === 0).toBe(a === b)
    }),
  )
})

test('a fault report holds no key, no bearer header and no signature', () => {
  const text = 'GET https://files.example/a.png?signature=abc with Bearer other-token and canary-key-0001'
  const clean = withoutSecrets(text, 'canary-key-0001')
  expect(clean).toBe('GET https://files.example/a.png?… with Bearer [key] and [key]')
})
