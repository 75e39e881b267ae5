import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { migrations } from './migrations.ts'
import { Store } from './store.ts'

const recipe = { appId: 'rescue', settings: {}, parameters: {} }
const all = { states: [], marks: [], search: '', sort: 'queue', descending: false } as const

function place(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-lists-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'queue.db')
}

function filled(images: number, path = ':memory:') {
  const store = new Store(path, { now: () => 5000 })
  onTestFinished(() => store.close())
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
  const rows = Array.from({ length: images }, (_, index) => ({
    source: `https://pictures.example/set/ring%20${index}.jpg?w=1`,
    folder: index % 2 === 0 ? 'even' : 'odd',
    name: index === 1 ? 'SKU 100%' : null,
    state: 'waiting' as const,
    earlierImageId: null,
  }))
  store.transaction(() => store.images.add(batch.seq, 0, recipe, '/out', rows))
  return { store, batch }
}

test('a query finds by state, mark and part of a title, and orders what it finds', () => {
  const { store, batch } = filled(6)
  const [first, second, third] = store.lists.window(batch.seq, 0, 3)
  expect([first!.title, second!.title]).toEqual(['ring 0.jpg', 'SKU 100%'])
  store.images.move(third!.id, 'waiting', 'cancelled')
  store.images.setMark(first!.id, 'keep-1')
  const found = (query: object) => store.lists.ids(batch.seq, { ...all, ...query })
  expect(found({ states: ['cancelled'] })).toEqual([third!.id])
  expect(found({ marks: ['keep-1'] })).toEqual([first!.id])
  expect(found({ marks: ['keep-1', 'none'] })).toHaveLength(6)
  expect(found({ search: 'RING 0' })).toEqual([first!.id])
  expect(found({ search: '100%' })).toEqual([second!.id])
  expect(found({ search: '1__%' })).toEqual([])
  expect(found({ search: 'even' })).toHaveLength(3)
  expect(found({ sort: 'queue', descending: true })[0]).toBe(store.lists.window(batch.seq, 5, 1)[0]!.id)
  expect(found({ sort: 'state' }).at(-1)).toBe(third!.id)
  expect(found({ sort: 'title' })[0]).toBe(first!.id)
})

test('what waits, by settings, stays right whatever moves are made', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ image: fc.nat(7), act: fc.constantFrom('cancel', 'back', 'recipe', 'send') })),
      (acts) => {
        const { store, batch } = filled(8)
        const ids = store.lists.ids(batch.seq, all)
        const other = store.images.recipe({ ...recipe, settings: { debanding: true } })
        for (const { image, act } of acts) {
          const row = store.images.byId(ids[image]!)!
          if (act === 'cancel') store.images.tryMove(row.id, 'waiting', 'cancelled')
          if (act === 'back') store.images.tryMove(row.id, 'cancelled', 'waiting')
          if (act === 'send') store.images.tryMove(row.id, 'waiting', 'submitting')
          if (act === 'recipe') store.images.setRecipe(row, other, `${row.id}`, '')
        }
        const expected = new Map<number, number>()
        for (const row of store.images.inState(batch.seq, 'waiting')) {
          expected.set(row.recipeId, (expected.get(row.recipeId) ?? 0) + 1)
        }
        expect(new Map(store.batches.pending(batch.seq).map(({ recipeId, n }) => [recipeId, n]))).toEqual(
          expected,
        )
      },
    ),
    { numRuns: 60 },
  )
})

test('times follow the moves of an image, and urgent ones go first', () => {
  const { store, batch } = filled(3)
  const [a, b] = store.lists.window(batch.seq, 0, 2)
  expect(a).toMatchObject({ since: null, settled: null })
  store.images.setFirst(b!.id, store.images.mostUrgent(batch.seq) + 1)
  expect(store.images.nextWaiting(batch.seq)?.id).toBe(b!.id)
  store.images.move(a!.id, 'waiting', 'submitting')
  expect(store.images.byId(a!.id)).toMatchObject({ since: 5000, settled: null })
  store.images.move(a!.id, 'submitting', 'failed')
  expect(store.images.byId(a!.id)).toMatchObject({ since: 5000, settled: 5000 })
  expect(store.batches.settledSince(batch.seq, 4999)).toBe(1)
  store.images.move(a!.id, 'failed', 'waiting')
  expect(store.images.byId(a!.id)).toMatchObject({ since: null, settled: null })
})

test('a batch that changed is found by its number, whatever changed of it', () => {
  const { store, batch } = filled(1)
  let change = store.batches.change()
  const changes = [
    () => store.batches.rename(batch.seq, 'Rings'),
    () => store.batches.setState(batch.seq, 'finished'),
    () => store.batches.setBudget(batch.seq, 5),
    () => store.batches.setOrder([batch.seq]),
    () => store.batches.hide(batch.seq),
  ]
  for (const act of changes) {
    act()
    expect(store.batches.changedSince(change).map(({ seq }) => seq)).toEqual([batch.seq])
    change = store.batches.change()
  }
  expect(store.batches.bySeq(batch.seq)).toMatchObject({ name: 'Rings', finished: 5000, hidden: 1 })
  expect(store.batches.listed()).toEqual([])
  store.batches.setState(batch.seq, 'running')
  expect(store.batches.listed()).toHaveLength(1)
})

test('a queue of the first version keeps its images and gets titles and sums', () => {
  const path = place()
  const old = new Database(path)
  old.exec(migrations[0]!)
  old.exec(`INSERT INTO connection (id, base_url, key_salt, key_hash) VALUES (1, 'http://127.0.0.1', 's', 'h');
    INSERT INTO recipe VALUES (1, 'x', 'rescue', '{}', '{}');
    INSERT INTO batch (seq, id, connection_id, created, state, out_dir, name_template, on_conflict, webhook_url)
      VALUES (1, 'b', 1, 1, 'paused', '/out', '{name}.{ext}', 'rename', 'https://vitrine.invalid/');
    INSERT INTO image (batch_seq, position, source, folder, recipe_id, delivery_key, state)
      VALUES (1, 0, 'https://pictures.example/a/front%20view.tif', '', 1, 'k', 'waiting'),
             (1, 1, 'https://pictures.example/', '', 1, 'l', 'held');`)
  old.pragma('user_version = 1')
  old.close()
  const store = new Store(path)
  onTestFinished(() => store.close())
  expect(store.lists.window(1, 0, 9).map(({ title }) => title)).toEqual(['front view.tif', 'Image 2'])
  expect(store.batches.pending(1)).toEqual([
    { recipeId: 1, state: 'held', n: 1 },
    { recipeId: 1, state: 'waiting', n: 1 },
  ])
})

/** The shortest of several tries, in ms: what the work itself takes, whatever else the machine does. */
function least(work: () => unknown): number {
  const times = Array.from({ length: 40 }, () => {
    const started = performance.now()
    work()
    return performance.now() - started
  })
  return Math.min(...times)
}

test('a window at the end, and a few changes, cost no more than at the beginning', () => {
  const { store, batch } = filled(30_000)
  const start = least(() => store.lists.window(batch.seq, 0, 200))
  expect(least(() => store.lists.window(batch.seq, 29_800, 200))).toBeLessThan(10 * start + 1)
  expect(least(() => store.lists.windowFromEnd(batch.seq, 200, 200))).toBeLessThan(10 * start + 1)
  const change = store.images.change()
  for (const { id } of store.lists.window(batch.seq, 100, 20)) store.images.move(id, 'waiting', 'cancelled')
  const whole = least(() => store.lists.ids(batch.seq, { ...all, states: ['waiting'] }))
  expect(least(() => store.images.changedSince(batch.seq, change, 200))).toBeLessThan(whole / 3)
  expect(least(() => store.lists.batchesChangedSince(change))).toBeLessThan(whole / 3)
})
