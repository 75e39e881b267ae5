import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createMemoryVault } from '../../engine/vault/memory-vault.ts'
import type { ImageRecord } from '../../shared/contract/records.ts'
import { startPracticeService, type PracticeOptions } from '../../practice-service/start.ts'
import {
  batchOnce,
  begin,
  emptyFolder,
  queryOf,
  startProgram,
  until,
  type ProgramOptions,
  type RunningProgram,
  type TestEnd,
} from './testing/program.ts'

const key = 'key-of-the-studio-1234567890'

/** A program that is connected to a service of its own. */
async function connected(test: TestEnd, options: PracticeOptions = {}, program: ProgramOptions = {}) {
  const service = await startPracticeService({
    imageWork: 'echo',
    processing: 0.05,
    accounts: [{ key, subscriptionCredits: 500 }],
    ...options,
  })
  test.onTestFinished(async () => await service.close())
  const running = await startProgram(test, program)
  await running.api.connections.add({ name: 'Studio', baseUrl: service.url, key, unprotected: false })
  return { ...running, service }
}

const rowsOf = async ({ api }: Pick<RunningProgram, 'api'>, batch: string): Promise<readonly ImageRecord[]> =>
  (await api.images.page({ query: queryOf(batch), offset: 0, limit: 500 })).rows

test('nothing is sent before Start; a paused batch sends no more, and what is at the service comes', async (context) => {
  const program = await connected(context, { concurrency: 1 })
  program.service.control.hold()
  const { batch } = await begin(program, 4, { start: false })
  expect(await batchOnce(program, batch, () => true)).toMatchObject({ state: 'ready', charged: 0 })
  expect(program.service.books().runs).toHaveLength(0)
  await program.api.batches.setBudget({ batch, budget: 100 })
  await program.api.batches.start({ batch })
  await batchOnce(program, batch, ({ counts }) => counts.running >= 1)
  await program.api.batches.pause({ batch })
  const stands = await batchOnce(program, batch, ({ state }) => state === 'pausing' || state === 'paused')
  expect(stands.budget).toBe(100)
  const sent = program.service.books().runs.length
  program.service.control.release()
  const still = await batchOnce(program, batch, ({ state }) => state !== 'pausing')
  expect(still.counts.delivered).toBeGreaterThanOrEqual(1)
  expect(program.service.books().runs).toHaveLength(sent)
  if (still.state === 'paused') await program.api.batches.start({ batch })
  expect((await batchOnce(program, batch, ({ state }) => state === 'finished')).counts.delivered).toBe(4)
})

test('pausing everything holds over a restart; a start goes on with what was running', async (context) => {
  const home = join(await emptyFolder(context), 'home')
  const vault = {
    ...createMemoryVault(),
    protection: () => Promise.resolve({ available: true, sentence: null, choice: false }),
  }
  const first = await connected(context, { concurrency: 1 }, { home, vault })
  const { control } = first.service
  control.hold()
  await first.api.preferences.change({ inFlight: 1 })
  const { batch } = await begin(first, 5)
  const paused = await begin(first, 1, { first: 40, start: false, outDir: join(first.out, 'Paused') })
  await batchOnce(first, batch, ({ counts }) => counts.running === 1)
  // One run is begun, and none after it: however slow the machine, the batch is in its middle.
  control.release()
  control.hold()
  await batchOnce(first, batch, ({ counts }) => counts.delivered === 1 && counts.running === 1)
  await first.api.queue.pause({})
  control.release()
  expect(await until(first.api.queue.watch({}), ({ state }) => state === 'paused')).toBeTruthy()
  await first.close()
  const second = await startProgram(context, { home, vault })
  await until(second.api.queue.watch({}), ({ state, balance }) => state === 'paused' && balance !== null)
  const before = first.service.books().runs.length
  expect(await batchOnce(second, batch, () => true)).toMatchObject({ state: 'running' })
  expect(first.service.books().runs.length).toBeLessThan(5)
  expect(first.service.books().runs).toHaveLength(before)
  await second.api.queue.resume({})
  expect((await batchOnce(second, batch, ({ state }) => state === 'finished')).counts.delivered).toBe(5)
  expect(await batchOnce(second, paused.batch, () => true)).toMatchObject({ state: 'ready' })
  expect(first.service.books().runs).toHaveLength(5)
})

test('batches are named, ordered, given another folder, and taken out of the list', async (context) => {
  const program = await connected(context)
  const { api } = program
  const one = await begin(program, 2, { start: false })
  const two = await begin(program, 2, {
    start: false,
    first: 20,
    name: '',
    outDir: join(program.out, 'Second'),
  })
  const order = async () => (await until(api.batches.watch({}), () => true)).order
  expect(await order()).toEqual([one.batch, two.batch])
  expect(await batchOnce(program, two.batch, () => true)).toMatchObject({ name: 'Second' })
  await api.batches.rename({ batch: two.batch, name: 'Earrings' })
  await api.batches.move({ batch: two.batch, before: one.batch })
  expect(await order()).toEqual([two.batch, one.batch])
  const moved = join(program.out, 'Moved')
  await api.batches.setOutDir({ batch: two.batch, outDir: moved })
  await api.batches.start({ batch: two.batch })
  const done = await batchOnce(program, two.batch, ({ state }) => state === 'finished')
  expect(done).toMatchObject({ name: 'Earrings', counts: { delivered: 2 } })
  expect(await readFile(join(moved, 'manifest.jsonl'), 'utf8')).toContain('ring-20.png')
  await expect(api.batches.setOutDir({ batch: one.batch, outDir: 'relative' })).rejects.toMatchObject({
    code: 'refused',
  })
  const gone = until(api.batches.watch({}), ({ removed }) => removed.includes(one.batch))
  await api.batches.remove({ batch: one.batch })
  await gone
  expect(await order()).toEqual([two.batch])
  expect((await rowsOf(program, one.batch)).map(({ state }) => state)).toEqual(['cancelled', 'cancelled'])
  await expect(api.batches.start({ batch: 'nothing' })).rejects.toMatchObject({ code: 'gone' })
})

test('a batch with runs at the service is not removed', async (context) => {
  const program = await connected(context)
  program.service.control.hold()
  const { batch } = await begin(program, 1)
  await batchOnce(program, batch, ({ counts }) => counts.running === 1)
  await expect(program.api.batches.remove({ batch })).rejects.toThrow('still at the service')
})

test('a test sends the first images and holds the rest until they are released', async (context) => {
  const program = await connected(context)
  const { batch, estimate } = await begin(program, 5, { test: 2 })
  expect(estimate).toMatchObject({ toSubmit: 2, held: 3 })
  const proof = await batchOnce(program, batch, ({ state }) => state === 'finished')
  expect(proof.counts).toMatchObject({ delivered: 2, held: 3 })
  expect(proof.pricePerImage).not.toBeNull()
  expect(await program.api.batches.release({ batch })).toEqual({ images: 3 })
  expect(
    (await batchOnce(program, batch, ({ counts }) => counts.delivered === 5)).finished,
  ).not.toBeUndefined()
  await batchOnce(program, batch, ({ state }) => state === 'finished')
})

test('images are cancelled, put back, moved to the front and marked', async (context) => {
  const program = await connected(context, { processing: 0.05, concurrency: 1 })
  const { api } = program
  const { batch } = await begin(program, 6, { start: false })
  const rows = await rowsOf(program, batch)
  const ids = (...at: number[]) => ({ ids: at.map((index) => rows[index]!.id) })
  expect(await api.images.cancel(ids(0, 1))).toEqual({ images: 2 })
  expect(await api.images.cancel(ids(0, 1))).toEqual({ images: 0 })
  expect(await api.images.putBack({ query: queryOf(batch, { states: ['cancelled'] }) })).toEqual({
    images: 2,
  })
  expect(await api.images.cancel(ids(1))).toEqual({ images: 1 })
  const first = await api.images.moveFirst(ids(5))
  const { images, move } = await api.images.moveFirst(ids(3, 5))
  expect([first.images, images]).toEqual([1, 2])
  expect(await api.images.moveBack({ move })).toEqual({ images: 2 })
  await expect(api.images.moveBack({ move })).rejects.toThrow(/too long ago/)
  expect(await api.images.mark({ target: ids(2, 3), mark: 'keep-2' })).toEqual({ images: 2 })
  expect(await api.images.mark({ target: ids(2), mark: null })).toEqual({ images: 1 })
  await api.batches.start({ batch })
  await batchOnce(program, batch, ({ state }) => state === 'finished')
  const order = program.service.books().runs.map(({ parameters }) => String(parameters['image']))
  expect(order.map((address) => /\d/.exec(address)?.[0])).toEqual(['6', '1', '3', '4', '5'])
  expect(order).toHaveLength(5)
  const { rows: kept } = await api.images.page({
    query: queryOf(batch, { marks: ['keep-2'] }),
    offset: 0,
    limit: 10,
  })
  expect(kept.map(({ title, mark }) => [title, mark])).toEqual([['ring-4.jpg', 'keep-2']])
  const manifest = await readFile(join(program.out, 'Rings', 'manifest.jsonl'), 'utf8')
  const marked = manifest.split('\n').filter((line) => line.includes('"mark":"keep-2"'))
  expect(marked).toHaveLength(1)
})

test('an edit reaches what is not sent yet and nothing else, and is recorded', async (context) => {
  const program = await connected(context, { processing: 0.2, concurrency: 1 })
  const { api, store } = program
  const { batch } = await begin(program, 4, { test: 1 })
  await batchOnce(program, batch, ({ counts }) => counts.delivered === 1)
  const query = queryOf(batch)
  expect(await api.images.settings({ query })).toMatchObject({ images: 4, editable: 3, mixed: [] })
  const rows = await rowsOf(program, batch)
  const set = { bg_mode: 'solid', bg_color: '#FFFFFF', shadow_size: 2, debanding: true } as const
  expect(await api.images.edit({ target: { query }, set })).toEqual({ images: 3 })
  const { recipe, mixed, extras } = await api.images.settings({ query })
  expect(new Set(mixed)).toEqual(new Set(['bg_mode', 'bg_color', 'debanding']))
  expect([recipe.settings, extras]).toEqual([{}, { min: 0, max: 4 }])
  const held = { query: queryOf(batch, { states: ['held'] }) }
  // A key that does not count beside the others is not kept.
  expect((await api.images.settings(held)).recipe.settings).toEqual({
    bg_mode: 'solid',
    bg_color: '#FFFFFF',
    debanding: true,
  })
  expect(
    await api.images.edit({ target: { ids: [rows[1]!.id] }, set: { debanding: null }, preset: 'Cut-out' }),
  ).toEqual({ images: 1 })
  expect(await api.images.details({ image: rows[1]!.id })).toMatchObject({ preset: 'Cut-out' })
  expect((await api.images.details({ image: rows[0]!.id })).recipe.settings).toEqual({})
  await expect(api.images.edit({ target: { query }, set: { bg_mode: 'purple' } })).rejects.toThrow(
    'bg_mode must be one of',
  )
  await expect(api.images.edit({ target: { query }, set: { nonsense: 1 } })).rejects.toMatchObject({
    code: 'refused',
  })
  const stands = await batchOnce(program, batch, () => true)
  expect(stands.extras).toEqual({ min: 3, max: 4 })
  await api.images.release(held)
  await batchOnce(program, batch, ({ counts }) => counts.delivered === 4)
  const sent = program.service.books().runs.map(({ parameters }) => parameters['debanding'])
  expect(sent.filter(Boolean)).toHaveLength(2)
  expect(store.batches.byId(batch)!.charged).toBe(
    program.service.books().runs.reduce((sum, run) => sum + run.charged, 0),
  )
})

test('an edit is taken back from what was not sent since and not changed otherwise, and from nothing else', async (context) => {
  const program = await connected(context, { processing: 0.2, concurrency: 1 })
  const { api } = program
  const { batch } = await begin(program, 5, { test: 1 })
  await batchOnce(program, batch, ({ counts }) => counts.delivered === 1)
  const query = queryOf(batch)
  const rows = await rowsOf(program, batch)
  const only = (index: number) => ({ ids: [rows[index]!.id] })
  const recipeOf = async (index: number) => (await api.images.details({ image: rows[index]!.id })).recipe
  // One of them has settings and a preset of its own before.
  await api.images.edit({ target: only(1), set: { bg_mode: 'transparent' }, preset: 'Cut-out' })
  const white = { bg_mode: 'solid', bg_color: '#FFFFFF', debanding: true } as const
  const { images, edit } = await api.images.edit({
    target: { query },
    appId: 'rescue',
    set: white,
    preset: 'White',
    undoable: true,
  })
  expect(images).toBe(4)
  // Since then one is sent, and one is changed by hand.
  await api.images.release(only(2))
  await batchOnce(program, batch, ({ counts }) => counts.delivered === 2)
  await api.images.edit({ target: only(3), set: { bg_color: '#000000' } })
  expect(await api.images.takeBackEdit({ edit: edit! })).toEqual({ images: 2 })
  await expect(api.images.takeBackEdit({ edit: edit! })).rejects.toThrow(/too long ago/)
  const settings = [1, 2, 3, 4].map(async (index) => (await recipeOf(index)).settings)
  expect(await Promise.all(settings)).toEqual([
    { bg_mode: 'transparent' },
    white,
    { ...white, bg_color: '#000000' },
    {},
  ])
  const presets = [1, 4].map(async (index) => (await api.images.details({ image: rows[index]!.id })).preset)
  expect(await Promise.all(presets)).toEqual(['Cut-out', null])
  expect((await recipeOf(4)).appId).toBe((await recipeOf(0)).appId)
  // What was given back is what is sent, once each.
  await api.images.release({ query: queryOf(batch, { states: ['held'] }) })
  await batchOnce(program, batch, ({ counts }) => counts.delivered === 5)
  const sent = program.service.books().runs.map(({ parameters }) => parameters['bg_mode'] ?? null)
  expect(sent).toEqual([null, 'solid', 'transparent', 'solid', null])
  // Nobody asked for a way back.
  expect(await api.images.edit({ target: { query }, set: white, undoable: true })).toEqual({ images: 0 })
})

test('failed images explain themselves; a retry is planned, then done, and reaches what it named', async (context) => {
  const program = await connected(context, {
    outcome: ({ sequence }) => (sequence <= 2 ? { fail: 'Could not download the image: 404' } : undefined),
    concurrency: 1,
  })
  const { api } = program
  const { batch } = await begin(program, 3)
  await batchOnce(program, batch, ({ state }) => state === 'finished')
  const failed = (await rowsOf(program, batch)).filter(({ state }) => state === 'failed')
  expect(failed.map(({ reason }) => reason)).toEqual(['Link not reachable', 'Link not reachable'])
  expect(await api.images.details({ image: failed[0]!.id })).toMatchObject({
    heading: 'The picture’s link is not reachable',
    error: expect.stringContaining('404'),
    attempts: [{ outcome: 'Accepted by the service; failed' }],
  })
  const plan = await api.images.planRetry({ query: queryOf(batch, { states: ['failed'] }) })
  expect(plan).toMatchObject({ free: 0, paid: 2 })
  expect(plan.cost).not.toBeNull()
  expect(await api.images.retry({ plan: plan.plan })).toEqual({ images: 2 })
  await expect(api.images.retry({ plan: plan.plan })).rejects.toMatchObject({ code: 'gone' })
  expect((await batchOnce(program, batch, ({ counts }) => counts.delivered === 3)).counts.failed).toBe(0)
  const again = await api.images.planRetry({ ids: [failed[0]!.id] })
  expect(again).toMatchObject({ free: 0, paid: 1 })
  await api.images.retry({ plan: again.plan })
  await batchOnce(program, batch, ({ counts, state }) => counts.delivered === 3 && state === 'finished')
  expect(program.service.books().runs).toHaveLength(6)
  const [row] = (await rowsOf(program, batch)).filter(({ id }) => id === failed[0]!.id)
  expect(row).toMatchObject({ state: 'delivered', outputs: [{ slug: 'primary' }] })
})

test('a query is followed: totals, counts, changed rows, and an order that changes when rows come and go', async (context) => {
  const program = await connected(context)
  const { api } = program
  const { batch } = await begin(program, 8, { start: false })
  const all = queryOf(batch)
  const waiting = queryOf(batch, { states: ['waiting'] })
  const first = await until(api.images.watch(waiting), () => true)
  expect(first).toMatchObject({ total: 8, counts: { waiting: 8 } })
  const whole = await until(api.images.watch(all), () => true)
  const rows = await rowsOf(program, batch)
  const fewer = until(api.images.watch(waiting), ({ total }) => total === 7)
  const same = until(api.images.watch(all), ({ changed }) =>
    changed.some(({ state }) => state === 'cancelled'),
  )
  await api.images.cancel({ ids: [rows[3]!.id] })
  expect((await fewer).order).toBeGreaterThan(first.order)
  expect(await same).toMatchObject({ total: 8, order: whole.order, reset: false })
  const page = await api.images.page({ query: waiting, offset: 2, limit: 3 })
  expect(page.rows.map(({ position }) => position)).toEqual([2, 4, 5])
  const back = await api.images.page({ query: queryOf(batch, { descending: true }), offset: 1, limit: 2 })
  expect(back.rows.map(({ position }) => position)).toEqual([6, 5])
  expect(await api.images.ids({ query: waiting, from: 1, to: 3 })).toEqual({
    ids: [1, 2, 4].map((index) => rows[index]!.id),
  })
  const found = await api.images.page({ query: queryOf(batch, { search: 'RING-7' }), offset: 0, limit: 9 })
  expect(found).toMatchObject({ total: 1, rows: [{ title: 'ring-7.jpg' }] })
  await expect(api.images.page({ query: queryOf('none'), offset: 0, limit: 9 })).rejects.toMatchObject({
    code: 'gone',
  })
  await expect(api.images.details({ image: 99_999 })).rejects.toMatchObject({ code: 'gone' })
})

test('a lost submission that nobody can settle is decided by a person, seeing the candidates', async (context) => {
  const program = await connected(context, { processing: 0.1 })
  const { api, service, store } = program
  store.connections.markShared(1)
  service.control.addFault({ on: 'submit', nth: 1, fault: { kind: 'reset-after' } })
  const { batch } = await begin(program, 2)
  await batchOnce(program, batch, ({ counts }) => counts.review === 1 && counts.delivered === 1)
  const [image] = (await rowsOf(program, batch)).filter(({ state }) => state === 'review')
  expect(image).toMatchObject({ reason: 'Needs review' })
  const shown = await api.review.candidates({ image: image!.id })
  expect(shown.runs.length).toBeGreaterThan(0)
  expect(shown.image).toMatchObject({ heading: 'Was this picture sent?' })
  const lost = shown.runs.find(({ run }) => run.image === null)!
  expect(lost.sameApp).toBe(true)
  await expect(
    api.review.decide({
      image: image!.id,
      decision: { kind: 'adopt', runId: service.books().runs[1]!.runId },
    }),
  ).rejects.toMatchObject({ code: 'refused' })
  await api.review.decide({ image: image!.id, decision: { kind: 'adopt', runId: lost.run.runId } })
  expect((await batchOnce(program, batch, ({ state }) => state === 'finished')).counts.delivered).toBe(2)
  expect(service.books().runs).toHaveLength(2)
  await expect(api.review.decide({ image: image!.id, decision: { kind: 'drop' } })).rejects.toMatchObject({
    code: 'refused',
  })
})

test('a download under way says how many bytes there are', async (context) => {
  const program = await connected(context)
  program.service.control.addFault({ on: 'file', fault: { kind: 'drip', pauseMs: 150, pieces: 8 } })
  const { batch } = await begin(program, 1)
  const item = await until(program.api.images.watch(queryOf(batch)), ({ changed }) =>
    changed.some(({ bytes }) => bytes !== null && bytes.done > 0),
  )
  const { bytes, state } = item.changed[0]!
  expect([state, bytes!.done < bytes!.total!]).toEqual(['downloading', true])
  await batchOnce(program, batch, ({ counts }) => counts.delivered === 1)
  expect((await rowsOf(program, batch))[0]!.bytes).toBeNull()
})

test('a batch whose budget is used up stops, and goes on when it is raised', async (context) => {
  const program = await connected(context)
  const first = await begin(program, 1)
  await batchOnce(program, first.batch, ({ state }) => state === 'finished')
  const { batch } = await begin(program, 4, { first: 20, budget: 5 })
  const stands = await batchOnce(program, batch, ({ state }) => state === 'stopped')
  expect(stands).toMatchObject({ stopReason: 'budget', charged: 4, counts: { delivered: 2, waiting: 2 } })
  await program.api.batches.setBudget({ batch, budget: 100 })
  expect((await batchOnce(program, batch, ({ state }) => state === 'finished')).counts.delivered).toBe(4)
})
