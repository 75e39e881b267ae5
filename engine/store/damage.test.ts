import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Store } from './store.ts'

// oxlint-disable-next-line no-restricted-properties -- how long a test goes on is no value of the program
const { PROOF } = process.env
/** `npm run proof` takes more of them. */
const flips = { whole: 1500, long: 20_000 }[PROOF ?? ''] ?? 150

let folder: string
let whole: Buffer
/** Where the ledger's own rows lie in the file, in bytes. */
let ledgerPages: readonly number[]
let truth: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-damage-'))
  writeQueue(join(folder, 'good.db'))
  whole = readFileSync(join(folder, 'good.db'))
  truth = withStore('good.db', ledgerOf)
  ledgerPages = pagesOf('good.db', 'attempt')
})
afterAll(() => rmSync(folder, { recursive: true }))

/** A queue in mid-work: delivered, running, in question, about to be sent, waiting. */
function writeQueue(path: string) {
  const store = new Store(path, { now: () => 1 })
  const connection = store.connections.add('http://127.0.0.1/api/v1', 'key')
  const batch = store.batches.add({
    id: 'b',
    connectionId: connection.id,
    created: 1,
    outDir: '/out',
    preset: null,
    nameTemplate: '{name}.{ext}',
    onConflict: 'rename',
    webhookUrl: 'https://vitrine.invalid/',
    budget: null,
    inFlight: null,
  })
  const rows = Array.from({ length: 60 }, (_, n) => ({
    source: `https://pictures.example/${n}.jpg`,
    folder: '',
    name: null,
    state: 'waiting' as const,
    earlierImageId: null,
  }))
  const recipe = { appId: 'rescue', settings: {}, parameters: {} }
  store.images.add(batch.seq, 0, recipe, '/out', rows)
  for (const [n, image] of store.images.page(batch.seq, -1, 50).entries()) {
    store.images.move(image.id, 'waiting', 'submitting')
    const common = { imageId: image.id, batchSeq: batch.seq, connectionId: connection.id, appId: 'rescue' }
    const { id } = store.ledger.intend({
      ...common,
      priceMin: 4,
      priceMax: 7,
      totalBefore: n,
      watermarkCreated: n,
      intentAt: n,
    })
    if (n === 49) continue
    store.ledger.move(id, 'sending', { sentFrom: 10, sentTo: 20 })
    store.ledger.move(id, n > 44 ? 'unknown' : 'acked', n > 44 ? {} : { runId: `run_${n}` })
    if (n < 30) store.ledger.note(id, 4, 'SUCCESS')
  }
  store.close()
}

/** Kept to be looked at; nothing is decided by these, and no checksum covers them. */
const notes: ReadonlySet<string> = new Set(['httpStatus', 'settledAt'])

/** Everything that decides whether something is sent again, found in every way that the queue finds it. */
function ledgerOf({ ledger, images }: Store): string {
  ledger.prove()
  const found = [
    images.page(1, -1, 100).map((image) => ledger.ofImage(image.id)),
    (['intent', 'sending', 'unknown', 'review'] as const).map((state) => ledger.open(1, state)),
    Array.from({ length: 50 }, (_, n) => [ledger.knows(`run_${n}`), ledger.byRun(`run_${n}`)]),
    [ledger.pending(1), ledger.largestCharge(1), ledger.newest(), ledger.runCount(1), ledger.hasAbsent(1)],
  ]
  return JSON.stringify(found, (field, value: unknown) => (notes.has(field) ? undefined : value))
}

/** Offsets of a table's pages. */
function pagesOf(name: string, table: string): number[] {
  const db = new Database(join(folder, name), { readonly: true })
  try {
    return db
      .prepare<[string], { offset: number }>('SELECT pgoffset AS offset FROM dbstat WHERE name = ?')
      .all(table)
      .map(({ offset }) => offset)
  } finally {
    db.close()
  }
}

function withStore<T>(name: string, look: (store: Store) => T): T {
  const store = new Store(join(folder, name))
  try {
    return look(store)
  } finally {
    store.close()
  }
}

/** What becomes of a damaged file: said, or the ledger is as it was. */
function judge(bytes: Uint8Array): 'noticed' | 'unharmed' | 'taken in' {
  writeFileSync(join(folder, 'damaged.db'), bytes)
  for (const ending of ['-wal', '-shm']) rmSync(join(folder, `damaged.db${ending}`), { force: true })
  try {
    return withStore('damaged.db', ledgerOf) === truth ? 'unharmed' : 'taken in'
  } catch (error) {
    expect(error).toBeInstanceOf(Error)
    return 'noticed'
  }
}

describe('a queue’s file that was changed behind its back', () => {
  it('by any one bit: the ledger is as it was, or the damage is said', () => {
    const seen = { noticed: 0, unharmed: 0, 'taken in': 0 }
    const anyBit = fc.integer({ min: 0, max: whole.length * 8 - 1 })
    // The ledger is small beside its indexes: half of them are its own.
    const bitOfLedger = fc
      .tuple(fc.constantFrom(...ledgerPages), fc.integer({ min: 0, max: 4096 * 8 - 1 }))
      .map(([offset, bit]) => offset * 8 + bit)
    fc.assert(
      fc.property(fc.oneof(anyBit, bitOfLedger), (bit) => {
        const bytes = Buffer.from(whole)
        bytes[bit >> 3]! ^= 1 << (bit & 7)
        const verdict = judge(bytes)
        seen[verdict] += 1
        return verdict !== 'taken in'
      }),
      { numRuns: flips },
    )
    process.stdout.write(`proof: ${flips} flipped bits of the queue: ${JSON.stringify(seen)}\n`)
    expect(seen.noticed).toBeGreaterThan(0)
  }, 1_800_000)

  it('by a page of zeros, or an end that is missing', () => {
    const pages = whole.length / 4096
    for (let page = 0; page < pages; page += 1) {
      const bytes = Buffer.from(whole)
      bytes.fill(0, page * 4096, (page + 1) * 4096)
      expect(judge(bytes), `page ${page}`).not.toBe('taken in')
      if (page > 0) expect(judge(whole.subarray(0, page * 4096 - 100)), `cut ${page}`).not.toBe('taken in')
    }
  }, 120_000)

  it.each([
    ['its state', "UPDATE attempt SET state = 'absent' WHERE id = 7"],
    ['its charge', 'UPDATE attempt SET credits = 1 WHERE id = 7'],
    ['the end of its run', 'UPDATE attempt SET run_status = NULL WHERE id = 7'],
    ['the state of an image', "UPDATE image SET state = 'delivery' WHERE id = 7"],
  ])('by another program: %s', (_, sql) => {
    writeFileSync(join(folder, 'edited.db'), whole)
    const db = new Database(join(folder, 'edited.db'))
    db.exec(sql)
    db.close()
    expect(() => withStore('edited.db', ledgerOf)).toThrow(/ledger is damaged .* move queue\.db/)
  })
})

it.each([
  ['attempt_open', 'an open question', "'unknown'"],
  ['attempt_one_live', 'a live attempt', "'acked'"],
  ['image_next', 'a waiting image', "'waiting'"],
])('an index (%s) that does not show %s is damage, and is said', (index, _, state) => {
  const path = join(folder, 'hidden.db')
  writeFileSync(path, whole)
  const redefine = (change: (sql: string) => string) => {
    const db = new Database(path)
    db.unsafeMode()
    db.pragma('writable_schema = ON')
    const { sql } = db
      .prepare<[string], { sql: string }>('SELECT sql FROM sqlite_schema WHERE name = ?')
      .get(index)!
    expect(change(sql)).not.toBe(sql)
    db.prepare('UPDATE sqlite_schema SET sql = ? WHERE name = ?').run(change(sql), index)
    db.close()
  }
  // Made anew without these rows, and then said to be what it was.
  redefine((sql) => sql.replace(state, "'none'"))
  const db = new Database(path)
  db.exec(`REINDEX ${index}`)
  db.close()
  redefine((sql) => sql.replace("'none'", state))
  expect(() => withStore('hidden.db', ledgerOf)).toThrow(/ledger is damaged .* move queue\.db/)
})

it('rows that were written before charges had a checksum are taken, and get one when they change', () => {
  writeFileSync(join(folder, 'older.db'), whole)
  const db = new Database(join(folder, 'older.db'))
  const fields = [7, 1, 1, 'rescue', 4, 7, 'acked', 'run_6', 10, 20, null, 6, 6, 6]
  const earlier = crc32(JSON.stringify(fields))
  db.prepare('UPDATE attempt SET checksum = ? WHERE id = 7').run(earlier)
  withStore('older.db', ({ ledger }) => {
    ledger.prove()
    ledger.note(7, 5, null)
    expect(ledger.byId(7)).toMatchObject({ credits: 5, runStatus: 'SUCCESS' })
  })
  db.exec('UPDATE attempt SET credits = 4 WHERE id = 7')
  db.close()
  expect(() => withStore('older.db', ({ ledger }) => ledger.prove())).toThrow(/checksum/)
})

it('what a write returns is read to its end: else a commit that fails goes unheard', () => {
  const sources = readdirSync(import.meta.dirname).filter((name) => /^[\w-]+\.ts$/.test(name))
  const returning = sources.flatMap((name) =>
    [...readFileSync(join(import.meta.dirname, name), 'utf8').matchAll(/RETURNING [^;]*?\.(\w+)\(/g)].map(
      ([, how]) => [name, how],
    ),
  )
  expect(returning.length).toBeGreaterThan(2)
  expect(returning.filter(([, how]) => how !== 'all')).toEqual([])
})
