import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { expect, test, type TestContext } from 'vitest'
import { ownSource } from '../own-files/own-source.ts'
import { addRehearsalBatch, rehearse } from '../queue/testing/rehearsal.ts'
import { play } from '../queue/testing/play.ts'
import { accounts, stories, type Story } from '../queue/testing/story.ts'
import type { Image } from '../store/rows.ts'
import { Store } from '../store/store.ts'
import { adoptRun } from './decisions.ts'
import { pickedTrouble, pickRefusal, takePicked } from './picked-picture.ts'

const other = ownSource('ab12')
const clock = { now: () => 5 } as Parameters<typeof adoptRun>[3]

function queue({ onTestFinished }: TestContext, images = 1) {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-picked-'))
  const path = join(folder, 'queue.db')
  const store = new Store(path)
  const { id } = store.connections.add('https://service.example/api/v1', 'key')
  const { seq } = addRehearsalBatch(store, id, images, null)
  onTestFinished(() => {
    store.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const image = (n = 0) => store.images.page(seq, -1, images)[n]!
  const attempt = (n = 0) => {
    store.images.move(image(n).id, 'waiting', 'submitting')
    const none = { priceMin: null, priceMax: null, totalBefore: null, watermarkCreated: null }
    const { id: imageId, batchSeq } = image(n)
    return store.ledger.intend({ imageId, batchSeq, connectionId: id, appId: 'rescue', intentAt: 1, ...none })
      .id
  }
  /** A run that the service took, up to the end that it has. */
  const run = (n: number, runId: string, end: 'FAILED' | 'LOST') => {
    const submitted = attempt(n)
    store.ledger.move(submitted, 'sending')
    store.ledger.move(submitted, 'acked', { runId })
    store.images.move(image(n).id, 'submitting', 'running', { runId })
    if (end === 'LOST') {
      store.ledger.close(submitted, 'LOST')
      store.images.move(image(n).id, 'running', 'review', { error: 'gone' })
    } else {
      store.ledger.note(submitted, 4, 'FAILED')
      store.images.move(image(n).id, 'running', 'failed', {
        serviceStatus: 'FAILED',
        credits: 4,
        error: '404',
      })
    }
  }
  const pick = (source = other, one: Image = image()) =>
    takePicked(store, { image: one.id, from: one.source, source })
  return { store, path, folder, image, attempt, run, pick }
}

test('the image keeps all but its picture, and the ledger all of the former one', (t) => {
  const { store, image, run, pick } = queue(t)
  run(0, 'run-1', 'FAILED')
  const before = image()
  const ledger = store.ledger.ofImage(before.id)
  expect(pickRefusal(store, before)).toBeUndefined()
  pick()
  const { id, position, folder, title, recipeId, batchSeq } = before
  expect(image()).toMatchObject({ id, position, folder, title, recipeId, batchSeq })
  expect(image()).toMatchObject({
    state: 'waiting',
    source: other,
    name: '0',
    runId: null,
    credits: null,
    error: null,
    picked: 1,
  })
  expect(image().deliveryKey).not.toBe(before.deliveryKey)
  expect(image().changed).toBeGreaterThan(before.changed)
  expect(store.ledger.ofImage(id)).toEqual(ledger)
  expect(store.batches.bySeq(batchSeq).charged).toBe(4)
  expect(store.formerSources.of(id)).toMatchObject([{ source: before.source, lastAttempt: ledger[0]!.id }])
  expect(() => pick()).toThrow(/Only an image that has failed/)
})

test('nothing else is picked for: what waits, is in question, has a result, or may have one', (t) => {
  const { store, image, attempt, run, pick } = queue(t, 5)
  const refused = (n: number, words: RegExp) => {
    const before = image(n)
    expect(pickRefusal(store, before)).toMatch(words)
    expect(() => pick(other, before)).toThrow(words)
    expect(image(n)).toEqual(before)
  }
  refused(0, /Only an image that has failed/)
  const asked = attempt(0)
  store.ledger.move(asked, 'sending')
  store.ledger.move(asked, 'unknown')
  refused(0, /Only an image that has failed/)
  store.ledger.move(asked, 'review')
  store.images.move(image(0).id, 'submitting', 'review')
  refused(0, /Only an image that has failed/)
  // However it came to be called failed: as long as an attempt is open it is not settled.
  store.images.move(image(0).id, 'review', 'failed')
  refused(0, /not known yet/)
  run(1, 'run-1', 'FAILED')
  store.images.patch(image(1).id, 'failed', { serviceStatus: 'SUCCESS' })
  refused(1, /at the service and paid for; retry it/)
  run(2, 'run-2', 'LOST')
  refused(2, /Only an image that has failed/)
  store.images.move(image(2).id, 'review', 'waiting', { runId: null })
  run(2, 'run-3', 'FAILED')
  refused(2, /lost sight of a run/)
  run(3, 'run-4', 'FAILED')
  expect(() => takePicked(store, { image: image(3).id, from: 'https://x.example/', source: other })).toThrow(
    /changed meanwhile/,
  )
})

test('one picture is not paid for twice: it is refused where it is sent already, delivered, or fetched again', (t) => {
  const { store, image, run, pick } = queue(t, 2)
  run(0, 'run-1', 'FAILED')
  run(1, 'run-2', 'FAILED')
  pick(other, image(0))
  const before = image(1)
  const twice = /sent already, or was delivered, with the same settings into the same folder, as “0.jpg”/
  expect(pickedTrouble(store, before, other)).toMatch(twice)
  expect(() => pick(other, before)).toThrow(twice)
  const { id } = image(0)
  run(0, 'run-3', 'FAILED')
  expect(pickedTrouble(store, before, other)).toBeUndefined()
  store.images.patch(id, 'failed', { serviceStatus: 'SUCCESS' })
  expect(() => pick(other, before)).toThrow(twice)
  store.images.move(id, 'failed', 'downloading')
  store.images.move(id, 'downloading', 'delivered')
  expect(() => pick(other, before)).toThrow(twice)
  expect(image(1)).toEqual(before)
  // The former link counts as never delivered.
  expect([...store.images.deliveredInto('/out').keys()]).not.toContain(before.deliveryKey)
})

test('the same picture once more is a retry', (t) => {
  const { store, image, run, pick } = queue(t)
  run(0, 'run-1', 'FAILED')
  pick(image().source)
  expect(image()).toMatchObject({ state: 'waiting', picked: 0, name: null })
  expect(store.formerSources.of(image().id)).toEqual([])
})

test('in review no run of the former picture is taken for the new one', (t) => {
  const { store, image, run, pick } = queue(t)
  run(0, 'run-1', 'FAILED')
  pick()
  run(0, 'run-2', 'FAILED')
  pick(ownSource('cd34'))
  run(0, 'run-3', 'LOST')
  for (const former of ['run-1', 'run-2']) {
    expect(() => adoptRun(store, image(), former, clock)).toThrow(/was made of another picture/)
  }
  adoptRun(store, image(), 'run-3', clock)
  expect(image()).toMatchObject({ state: 'running', runId: 'run-3' })
})

test('what fails half-way changes nothing, at every write', (t) => {
  const { store, path, image, run, pick } = queue(t)
  run(0, 'run-1', 'FAILED')
  const before = image()
  const db = new Database(path)
  t.onTestFinished(() => void db.close())
  for (const write of [
    'BEFORE UPDATE OF state ON image',
    'BEFORE DELETE ON output',
    'BEFORE INSERT ON former_source',
    'BEFORE UPDATE OF source ON image',
    'AFTER UPDATE OF source ON image',
  ]) {
    db.exec("INSERT OR REPLACE INTO output VALUES (1, 's', 0, 'R', '/o', '/o', NULL, 1, 'h', 'named')")
    db.exec(`CREATE TRIGGER cut ${write} BEGIN SELECT RAISE(ABORT, 'cut off'); END`)
    expect(() => pick(), write).toThrow('cut off')
    db.exec('DROP TRIGGER cut')
    expect(image(), write).toEqual(before)
    expect(store.formerSources.of(before.id)).toEqual([])
    expect(store.outputs.ofImage(before.id)).toHaveLength(1)
  }
  pick()
  expect(image()).toMatchObject({ state: 'waiting', source: other })
})

test('a process that is killed before the change is whole leaves the image as it was', (t) => {
  const { path, image, run } = queue(t)
  run(0, 'run-1', 'FAILED')
  const before = image()
  const code = `
    import { takePicked } from ${JSON.stringify(new URL('picked-picture.ts', import.meta.url).href)}
    import { Store } from ${JSON.stringify(new URL('../store/store.ts', import.meta.url).href)}
    const store = new Store(${JSON.stringify(path)})
    const image = store.images.byId(${before.id})
    store.transaction(() => {
      takePicked(store, { image: image.id, from: image.source, source: ${JSON.stringify(other)} })
      if (store.images.byId(image.id).state !== 'waiting') throw new Error('not changed')
      process.kill(process.pid, 'SIGKILL')
    })`
  const ended = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' })
  expect([ended.signal, ended.stderr]).toEqual(['SIGKILL', ''])
  expect(image()).toEqual(before)
})

test.each(Array.from({ length: 8 }, (_, seed) => seed))(
  'pictures whose links were refused, with others picked for them and answers lost: each is charged once (%i)',
  async (seed) => {
    const count = 10
    let phase = 0
    const rehearsal = rehearse(count, {
      concurrency: 3,
      seed,
      fate: (n) => {
        if (phase === 0) return n % 2 === 0 ? { refuse: 400 } : n % 3 === 0 ? 'lost-after' : 'answered'
        return (n + seed) % 3 === 0 ? 'lost-after' : (n + seed) % 3 === 1 ? 'lost-before' : 'answered'
      },
    })
    const { store, service, batchSeq } = rehearsal
    await rehearsal.run()
    const failed = store.images.inState(batchSeq, 'failed')
    expect(failed.length).toBeGreaterThan(2)
    const links = new Map(failed.map((image) => [image.id, `https://shop.example/${image.position}.png`]))
    for (const image of failed) {
      takePicked(store, { image: image.id, from: image.source, source: links.get(image.id)! })
    }
    phase = 1
    await rehearsal.run()
    expect(store.batches.counts(batchSeq).delivered).toBe(count)
    const charges = service.charges()
    expect(charges.size).toBe(count)
    expect([...charges.values()].every((runs) => runs === 1)).toBe(true)
    for (const { id, runId } of failed.map(({ id }) => store.images.byId(id)!)) {
      expect(service.runs.find((run) => run.id === runId)?.source).toBe(links.get(id))
    }
  },
)

/** As if each person who retries an image had picked another picture for it, where that is possible. */
function pickingStore(store: Store, picked: () => void): Store {
  const { images } = store
  const tryMove = images.tryMove.bind(images)
  images.tryMove = (id, from, to, patch) => {
    const image = images.byId(id)
    const isPick = from === 'failed' && to === 'waiting' && image?.state === 'failed'
    if (!isPick || pickRefusal(store, image) !== undefined) return tryMove(id, from, to, patch)
    takePicked(store, {
      image: id,
      from: image.source,
      source: `https://shop.example/${id}-${image.picked}.png`,
    })
    picked()
    return true
  }
  return store
}

/** The same story where half of the runs fail, and a person looks at what failed now and then. */
function withFailures(story: Story): Story {
  const outcomes = Array.from({ length: 16 }, (_, n) =>
    n % 2 === 0 ? ('failed-charged' as const) : ('ok' as const),
  )
  const retry = { kind: 'deed', deed: { kind: 'retry', batch: 0 } } as const
  const looks = Array.from({ length: 3 }, () => ({ afterMs: 45_000, step: retry }))
  const service = { ...story.service, credits: 1000, outcomes }
  return { ...story, budget: null, service, steps: [...story.steps, ...looks] }
}

test.each(accounts)(
  'stories of crashes and lost answers with pictures picked in between break no promise (%s)',
  { timeout: 300_000 },
  async (account) => {
    let picks = 0
    const bug = { store: (store: Store) => pickingStore(store, () => (picks += 1)) }
    await fc.assert(
      fc.asyncProperty(stories(account).map(withFailures), async (story) => {
        expect((await play(story, bug)).breaches).toEqual([])
      }),
      { numRuns: 15, seed: 20261123 },
    )
    expect(picks).toBeGreaterThan(8)
  },
)
