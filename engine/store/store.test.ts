import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { imageStates, imageTransitions, mayMove } from '../../shared/states.ts'
import { openPreferenceFile } from '../preferences/preference-file.ts'
import { takeLease } from './lease.ts'
import { openSafetyFiles } from './safety-files.ts'
import { Store } from './store.ts'

let keys = 0
let folder: string
let store: Store
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-store-'))
  store = new Store(join(folder, 'queue.db'))
})
afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true })
})

it.skipIf(process.platform === 'win32')('is for its owner alone, with all that lies beside it', () => {
  const home = join(folder, 'new', 'home')
  openPreferenceFile(home)
  const own = new Store(join(home, 'queue.db'))
  own.connections.add('http://127.0.0.1/api/v1', 'key')
  const open = [home, ...readdirSync(home).map((name) => join(home, name))].filter(
    (path) => (statSync(path).mode & 0o077) !== 0,
  )
  expect(readdirSync(home)).toEqual(expect.arrayContaining(['queue.db', 'queue.db-wal', 'queue.db-shm']))
  expect(open).toEqual([])
  own.close()
})

function addBatch(images: number, target = store) {
  const connection = target.connections.add('http://127.0.0.1/api/v1', `key-${(keys += 1)}`)
  const batch = target.batches.add({
    id: `b${connection.id}`,
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
  const recipe = { appId: 'rescue', settings: {}, parameters: {} }
  const rows = Array.from({ length: images }, (_, index) => ({
    source: `https://pictures.example/${index}.jpg`,
    folder: '',
    name: null,
    state: 'waiting' as const,
    earlierImageId: null,
  }))
  target.images.add(batch.seq, 0, recipe, '/out', rows)
  return { connection, batch, images: target.images.page(batch.seq, -1, images) }
}

function intent(imageId: number, batchSeq: number, connectionId: number) {
  return store.ledger.intend({
    imageId,
    batchSeq,
    connectionId,
    appId: 'rescue',
    priceMin: null,
    priceMax: null,
    totalBefore: 0,
    watermarkCreated: null,
    intentAt: 1,
  })
}

describe('the ledger, enforced by the database itself', () => {
  it('allows one live attempt for an image', () => {
    const { connection, batch, images } = addBatch(1)
    intent(images[0]!.id, batch.seq, connection.id)
    expect(() => intent(images[0]!.id, batch.seq, connection.id)).toThrow(/UNIQUE/)
  })

  it('allows one submission in the act of being sent for a connection', () => {
    const { connection, batch, images } = addBatch(2)
    const [first, second] = images.map((image) => intent(image.id, batch.seq, connection.id))
    store.ledger.move(first!.id, 'sending')
    expect(() => store.ledger.move(second!.id, 'sending')).toThrow(/UNIQUE/)
  })

  it('gives a run to one attempt only', () => {
    const { connection, batch, images } = addBatch(2)
    const [first, second] = images.map((image) => intent(image.id, batch.seq, connection.id))
    store.ledger.move(first!.id, 'sending')
    store.ledger.move(first!.id, 'acked', { runId: 'r1' })
    store.ledger.move(second!.id, 'sending')
    expect(() => store.ledger.move(second!.id, 'acked', { runId: 'r1' })).toThrow(/UNIQUE/)
  })

  it('notices a row that was changed behind its back', () => {
    const { connection, batch, images } = addBatch(1)
    const attempt = intent(images[0]!.id, batch.seq, connection.id)
    const other = new Database(join(folder, 'queue.db'))
    other.prepare("UPDATE attempt SET state = 'absent' WHERE id = ?").run(attempt.id)
    other.close()
    expect(() => store.ledger.byId(attempt.id)).toThrow(/ledger is damaged/)
  })

  it('adds the charges of all runs of a batch up', () => {
    const { connection, batch, images } = addBatch(2)
    for (const [index, image] of images.entries()) {
      const attempt = intent(image.id, batch.seq, connection.id)
      store.ledger.move(attempt.id, 'sending')
      store.ledger.move(attempt.id, 'acked', { runId: `r${index}` })
      store.ledger.note(attempt.id, 5, null)
      store.ledger.note(attempt.id, 6, 'SUCCESS')
    }
    expect(store.batches.bySeq(batch.seq).charged).toBe(12)
  })
})

it('keeps counts by state, whatever moves are made', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(4), fc.constantFrom(...imageStates)), { maxLength: 60 }),
      (moves) => {
        const memory = new Store(':memory:')
        const { batch, images } = addBatch(5, memory)
        for (const [index, to] of moves) {
          const image = memory.images.byId(images[index]!.id)!
          if (mayMove(image.state, to)) memory.images.move(image.id, image.state, to)
          else expect(() => memory.images.move(image.id, image.state, to)).toThrow(/may not go/)
        }
        const states = memory.images.page(batch.seq, -1, 5).map((image) => image.state)
        for (const state of imageStates) {
          expect(memory.batches.counts(batch.seq)[state]).toBe(states.filter((one) => one === state).length)
        }
        memory.close()
      },
    ),
    { numRuns: 50 },
  )
})

it('every state can be left or is reached by a person alone', () => {
  for (const state of imageStates) expect(imageTransitions[state].length).toBeGreaterThan(0)
  expect(mayMove('running', 'waiting')).toBe(false)
  expect(mayMove('downloading', 'waiting')).toBe(false)
})

it('a follower reads on from a change number and misses nothing', () => {
  const { batch, images } = addBatch(3)
  const seen = store.images.change()
  store.images.move(images[1]!.id, 'waiting', 'cancelled')
  const other = new Store(join(folder, 'queue.db'))
  other.images.move(images[2]!.id, 'waiting', 'held')
  other.close()
  const changed = store.images.changedSince(batch.seq, seen, 10)
  expect(changed.map((image) => [image.position, image.state])).toEqual([
    [1, 'cancelled'],
    [2, 'held'],
  ])
})

it('the key is nowhere in the file, only a fingerprint that recognises it', () => {
  store.connections.add('https://service.example/api/v1', 'canary-key-4711')
  expect(store.connections.find('https://service.example/api/v1', 'canary-key-4711')).toBeDefined()
  expect(store.connections.find('https://service.example/api/v1', 'canary-key-4712')).toBeUndefined()
  for (const name of readdirSync(folder)) {
    expect(readFileSync(join(folder, name), 'latin1')).not.toContain('canary-key')
  }
})

describe('a file that cannot be used', () => {
  it('that is damaged is kept aside and said, not begun anew', () => {
    const path = join(folder, 'broken.db')
    writeFileSync(path, Buffer.alloc(8192, 7))
    expect(() => new Store(path)).toThrow(/was damaged and is kept as/)
    expect(readdirSync(folder)).toContain('broken.db.damaged')
  })

  it('that is newer is left alone', () => {
    const path = join(folder, 'newer.db')
    const db = new Database(path)
    db.pragma('user_version = 99')
    db.close()
    expect(() => new Store(path)).toThrow(/newer Vitrine/)
  })
})

it('one process at a time holds the lease, and it is free again when released', () => {
  const path = join(folder, 'lease.db')
  const first = takeLease(path)
  expect(first).toBeDefined()
  expect(takeLease(path)).toBeUndefined()
  first!.release()
  const second = takeLease(path)
  expect(second).toBeDefined()
  second!.release()
})

it('the safety files keep the high-water mark and rescued run ids', () => {
  const open = () => openSafetyFiles(join(folder, 'safety', 'mark'), join(folder, 'safety', 'journal'))
  const files = open()
  expect(files.highWater()).toBe(0)
  files.raise(41)
  files.raise(123456)
  files.rescue(7, 'run-seven')
  files.rescue(8, 'run "eight"')
  files.close()
  const again = open()
  expect(again.highWater()).toBe(123456)
  expect([...again.rescued()]).toEqual([
    [7, 'run-seven'],
    [8, 'run "eight"'],
  ])
  again.clear()
  expect(again.rescued().size).toBe(0)
  again.close()
})

it.each([
  ['garbage', Buffer.alloc(8192, 'no database ')],
  ['a broken head', Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(4096, 0xff)])],
])('a damaged lease (%s) is kept aside and taken all the same, by one process', (_, bytes) => {
  const path = join(folder, 'lease.db')
  writeFileSync(path, bytes)
  const told: string[] = []
  const first = takeLease(path, (message) => told.push(message))
  expect(first).toBeDefined()
  expect(told).toEqual([expect.stringContaining(`kept as ${path}.damaged.`)])
  expect(readFileSync(`${path}.damaged`)).toEqual(bytes)
  expect(takeLease(path)).toBeUndefined()
  // Damaged by another program while it is held: the holder keeps it.
  const copy = 'require("fs").copyFileSync(process.argv[1], process.argv[2])'
  execFileSync(process.execPath, ['-e', copy, `${path}.damaged`, path])
  expect(takeLease(path)).toBeUndefined()
  first!.release()
  takeLease(path)!.release()
})
