import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { deliveryKey } from '../store/images.ts'
import type { Recipe } from '../store/rows.ts'
import { Store } from '../store/store.ts'
import type { ImageActions } from './image-actions.ts'
import { editImages, settingsOf, takeBackEdit, type Edit } from './image-edits.ts'

const plain: Recipe = { appId: 'rescue', settings: {}, parameters: {} }
const cutOut: Recipe = { ...plain, settings: { bg_mode: 'transparent' } }

/** Two images, held: one picture with the presets “Plain” and “Cut-out”, or two pictures with the same settings. */
function twoImages(pictures: 1 | 2, file = ':memory:') {
  const store = new Store(file)
  onTestFinished(() => store.close())
  const connection = store.connections.add('http://127.0.0.1/api/v1', 'key')
  const batch = store.batches.add({
    id: 'b',
    connectionId: connection.id,
    created: 1,
    outDir: '/out',
    preset: null,
    nameTemplate: '{name}-{preset}.{ext}',
    onConflict: 'rename',
    webhookUrl: 'https://vitrine.invalid/',
    budget: null,
    inFlight: null,
  })
  const variants = [
    { preset: 'Plain', recipe: plain },
    { preset: 'Cut-out', recipe: cutOut },
  ]
  const rows = variants.map((variant, at) => ({
    source: `https://pictures.example/${pictures === 1 ? 0 : at}.jpg`,
    folder: '',
    name: null,
    state: 'held' as const,
    earlierImageId: null,
    ...(pictures === 1 && { variant: { ...variant, picture: 0 } }),
  }))
  store.transaction(() => store.images.add(batch.seq, 0, plain, '/out', rows))
  const [first, second] = store.images.page(batch.seq, -1, 2).map(({ id }) => id)
  const actions = { idsOf: (target: { ids: number[] }) => target.ids } as unknown as ImageActions
  const edit = async (ids: number[], change: Edit) => await editImages(store, actions, { ids }, change)
  const look = () =>
    store.images
      .page(batch.seq, -1, 2)
      .map(({ recipeId, preset }) => [preset, store.images.recipeById(recipeId).settings])
  return { store, batch, first: first!, second: second!, edit, look }
}

test('two presets of one picture are never edited into the same, alone or together', async () => {
  const { first, second, edit, look } = twoImages(1)
  const before = look()
  await expect(edit([first], { set: { bg_mode: 'transparent' } })).rejects.toThrow('both would be charged')
  await expect(edit([first, second], { set: { bg_mode: 'off' } })).rejects.toThrow('both would be charged')
  expect(look()).toEqual(before)
  expect((await edit([first, second], { set: { debanding: true } })).images).toBe(2)
})

test('nor taken back into it', async () => {
  const { store, first, second, edit, look } = twoImages(1)
  const { former } = await edit([second], { set: { debanding: true } })
  await edit([first], { set: { bg_mode: 'transparent' } })
  const before = look()
  await expect(takeBackEdit(store, former)).rejects.toThrow('both would be charged')
  expect(look()).toEqual(before)
})

test('both of a picture are taken back together, each to what it had', async () => {
  const { store, first, second, edit, look } = twoImages(1)
  const before = look()
  const { former } = await edit([first, second], { set: { debanding: true }, preset: 'Both' })
  expect(look()).not.toEqual(before)
  expect((await takeBackEdit(store, former)).images).toBe(2)
  expect(look()).toEqual(before)
})

test('what was changed in another way since stays, and refuses nothing', async () => {
  const { store, first, second, edit, look } = twoImages(1)
  const { former } = await edit([second], { set: { debanding: true } })
  await edit([second], { set: { bg_mode: 'off' } })
  await edit([first], { set: { bg_mode: 'transparent' } })
  const before = look()
  expect((await takeBackEdit(store, former)).images).toBe(0)
  expect(look()).toEqual(before)
})

test('images that had the same settings or the same preset have their own again', async () => {
  for (const own of [{ preset: 'Mine' }, { set: { debanding: true } }]) {
    const { store, first, second, edit, look } = twoImages(2)
    await edit([second], own)
    const before = look()
    expect(before[0]).not.toEqual(before[1])
    const { former } = await edit([first, second], { set: { bg_mode: 'off' }, preset: 'Both' })
    expect((await takeBackEdit(store, former)).images).toBe(2)
    expect(look()).toEqual(before)
  }
})

test('an edit and its taking back are recorded with the batch', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-edits-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'store.db')
  const { store, batch, first, second, edit } = twoImages(2, file)
  const { former } = await edit([first, second], { set: { debanding: true } })
  await takeBackEdit(store, former)
  const reader = new Database(file, { readonly: true })
  onTestFinished(() => void reader.close())
  expect(reader.prepare('SELECT batch_seq, images, what FROM edit ORDER BY rowid').raw().all()).toEqual([
    [batch.seq, 2, '{"set":{"debanding":true}}'],
    [batch.seq, 2, '{"takenBack":true}'],
  ])
})

test('what an image would be known by as done already is that of its settings now', async () => {
  const { store, batch, first, edit } = twoImages(1)
  const keyNow = () => {
    const { source, recipeId, deliveryKey: key } = store.images.byId(first)!
    return [key, deliveryKey(source, store.images.recipeById(recipeId), batch.outDir)]
  }
  const [before] = keyNow()
  const { former } = await edit([first], { set: { debanding: true } })
  const [edited, wanted] = keyNow()
  expect(edited).toBe(wanted)
  expect(edited).not.toBe(before)
  await takeBackEdit(store, former)
  expect(keyNow()).toEqual([before, before])
})

test('images that differ in a number have its least and its greatest', async () => {
  const { store, first, second, edit } = twoImages(1)
  await edit([first], { set: { framing_enabled: true, framing_pad_top: 3 } })
  await edit([second], { set: { framing_enabled: true, framing_pad_top: 12 } })
  const { ranges, mixed } = settingsOf(store, store.lists.recipesOf([first, second]))
  expect(ranges).toEqual({ framing_pad_top: { min: 3, max: 12 } })
  expect(new Set(mixed)).toEqual(new Set(['framing_pad_top', 'bg_mode', 'preset']))
})
