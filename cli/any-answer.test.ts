import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { builtInPresets, formatPresetFile } from '../shared/presets.ts'
import { plainText } from '../shared/plain-text.ts'
import { spoiledJson } from './testing/spoiled-json.ts'
import { addresses, stage, type Outcome } from './testing/stage.ts'

/** Of all spoiled answers one in so many is tried; `npm run proof` tries them all. */
const oneIn = process.env['PROOF'] === undefined ? 12 : 1
const patience = 3_600_000

/** Hands out all changes of the first answer that shows everything, one for each request. */
class Spoiler {
  readonly tried: string[] = []
  ended = false
  #count = 0
  #all: ReturnType<typeof spoiledJson> | undefined

  change(body: unknown): unknown {
    const { runs } = body as { runs?: unknown[] }
    if (runs?.length === 0 && !this.#all) return body
    this.#all ??= spoiledJson(body)
    for (let next = this.#all.next(); !this.ended; next = this.#all.next()) {
      if (next.done) this.ended = true
      else if ((this.#count += 1) % oneIn === 0) {
        this.tried.push(next.value.where)
        return next.value.value
      }
    }
    return body
  }
}

function expectWords({ status, err, out }: Outcome, what: string) {
  expect(status, `${what}: ${err}`).not.toBe(70)
  expect(err, what).not.toMatch(/\n\s+at |TypeError|undefined|\[object/)
  // Nothing of strangers turns the terminal, and no line is without end.
  // oxlint-disable-next-line no-control-regex -- that is what is looked for
  expect(err, what).not.toMatch(/[\u0007\u001B\u202E]/)
  for (const line of err.split('\n')) expect(line.length, what).toBeLessThan(3000)
  expect(out.length, what).toBeLessThan(20_000_000)
}

test.concurrent.for(['run', 'list', 'balance', 'apps', 'submit'] as const)(
  'every field of a %s answer, absent or of any other kind: no picture is charged twice, nothing breaks',
  { timeout: patience },
  async (endpoint, t) => {
    const { call, service, list } = await stage(t, {
      accounts: [{ key: 'practice', subscriptionCredits: 1_000_000 }],
      concurrency: 8,
    })
    const spoil = new Spoiler()
    const everySecond = (request: { number: number }) => request.number % 2 === 0
    const isAsked = endpoint === 'balance' || endpoint === 'apps'
    service.control.setFaults([
      {
        on: endpoint,
        fault: { kind: 'change', change: (body) => spoil.change(body) },
        ...(isAsked ? {} : { when: everySecond }),
      },
    ])
    let from = 1
    for (let round = 0; round < 400 && !spoil.ended; round += 1) {
      const before = spoil.tried.length
      const done = isAsked
        ? await call([endpoint === 'apps' ? 'apps' : 'balance'])
        : await call([
            'run',
            await list(10, `${round}.txt`, from),
            '--app',
            'rescue',
            '--out',
            'out',
            '--yes',
            '--in-flight',
            '4',
          ])
      from += 10
      expectWords(done, spoil.tried.slice(before).join('; '))
    }
    expect(spoil.ended).toBe(true)
    const { runs } = service.books()
    for (const source of addresses(from)) {
      expect(runs.filter((run) => run.source === source).length, source).toBeLessThanOrEqual(1)
    }
    process.stdout.write(`proof: ${spoil.tried.length} spoiled answers to ${endpoint}, ${runs.length} runs\n`)
  },
)

/** Those with which the service says that it took nothing are left out, and so are redirects: these are believed. */
const unsaying = [201, 202, 204, 403, 408, 409, 425, 500, 502, 503, 504, 524]

test.concurrent(
  'an answer of any status to a submission that was taken: its picture is delivered and charged once',
  {
    timeout: patience,
  },
  async (t) => {
    const { call, service, list, manifest } = await stage(t, { concurrency: 8 })
    service.control.setFaults(
      unsaying.map((status, n) => ({
        on: 'submit',
        nth: 2 * n + 2,
        // As a proxy answers that has lost patience, or that wants it to be tried again.
        fault: { kind: 'status', status, handled: true, body: '{"detail":"Try again."}', retryAfter: 0 },
      })),
    )
    const images = 2 * unsaying.length + 1
    const done = await call(['run', await list(images), '--app', 'rescue', '--out', 'out', '--yes'])
    expect(done.status, done.err).toBe(0)
    const { runs, faults } = service.books()
    for (const source of addresses(images)) {
      expect(runs.filter((run) => run.source === source).length, source).toBe(1)
    }
    expect(faults['status']).toBe(unsaying.length)
    expect((await manifest()).filter(({ status }) => status === 'delivered')).toHaveLength(images)
  },
)

test(
  'every field of a preset file and of the preferences, absent or of any other kind: a sentence, or its default',
  {
    timeout: patience,
  },
  async (t) => {
    const { call, folder, write } = await stage(t)
    const text = formatPresetFile(builtInPresets[0]!)
    let n = 0
    for (const { where, value } of spoiledJson(JSON.parse(text))) {
      n += 1
      if (n % oneIn !== 0) continue
      const file = await write('spoiled.vitrinepreset', JSON.stringify(value) ?? '')
      const done = await call(['presets', 'import', file])
      expectWords(done, where)
      expect([0, 64], `${where}: ${done.err}`).toContain(done.status)
      if (done.status === 64) expect(plainText(done.err.trim(), 3000)).toMatch(/[.?)]$/)
    }
    const preferences = join(folder, 'home', 'preferences.json')
    await write('home/preferences.json', '{}')
    const saved = {
      presets: [JSON.parse(text).preset],
      webhookUrl: 'https://hook.invalid/',
      settleSeconds: 3,
    }
    for (const { where, value } of spoiledJson(saved)) {
      n += 1
      if (n % oneIn !== 0) continue
      await writeFile(preferences, JSON.stringify(value) ?? 'null')
      expectWords(await call(['presets', 'list']), where)
    }
    process.stdout.write(`proof: ${Math.floor(n / oneIn)} spoiled preset files and preferences\n`)
  },
)
