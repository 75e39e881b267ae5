import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { batchOnce, begin, startProgram, until, type RunningProgram } from './testing/program.ts'

const settings = { bg_mode: 'solid', bg_color: '#EEEEEE' } as const
const grey = { name: 'Grey', appId: 'rescue', settings, parameters: {} }

test('presets are saved, renamed, duplicated, handed on as files and taken away', async (context) => {
  const { api } = await startProgram(context)
  const list = async () => {
    const { presets } = await until(api.presets.watch({}), () => true)
    return presets.map(({ preset, builtIn }) => (builtIn ? `(${preset.name})` : preset.name))
  }
  expect(await list()).toEqual(['(Catalogue white)', '(Cut-out)', '(Soft grey)', '(Retouch only)'])
  await api.presets.save({ preset: grey, replace: false })
  await expect(api.presets.save({ preset: { ...grey, name: 'grey' }, replace: false })).rejects.toThrow(
    'already a preset',
  )
  await api.presets.save({ preset: { ...grey, appId: 'precision' }, replace: true })
  expect(await api.presets.duplicate({ name: 'Grey' })).toEqual({ name: 'Grey copy' })
  expect(await api.presets.duplicate({ name: 'Grey' })).toEqual({ name: 'Grey copy 2' })
  expect(await api.presets.duplicate({ name: 'Cut-out' })).toEqual({ name: 'Cut-out copy' })
  await api.presets.rename({ name: 'Grey', to: 'Pale' })
  await expect(api.presets.rename({ name: 'Pale', to: 'Cut-out' })).rejects.toThrow('already a preset')
  await expect(api.presets.rename({ name: 'Cut-out', to: 'Mine' })).rejects.toThrow('comes with the program')
  await expect(api.presets.rename({ name: 'Pale', to: ' \u0007' })).rejects.toMatchObject({ code: 'refused' })
  expect((await list()).slice(0, 4)).toEqual(['Pale', 'Grey copy', 'Grey copy 2', 'Cut-out copy'])
  const file = await api.presets.export({ name: 'Pale' })
  expect(file.fileName).toBe('Pale.vitrinepreset')
  expect(await api.presets.import({ text: file.text, shown: file.fileName })).toEqual({ name: 'Pale 2' })
  await expect(api.presets.import({ text: 'no', shown: 'x' })).rejects.toThrow(
    'The preset file x cannot be used',
  )
  await api.presets.remove({ name: 'Pale' })
  await expect(api.presets.remove({ name: 'Pale' })).rejects.toMatchObject({ code: 'gone' })
  await expect(api.presets.remove({ name: 'Cut-out' })).rejects.toMatchObject({ code: 'refused' })
})

test('each connection has a default preset of its own, which follows its name', async (context) => {
  const { api } = await startProgram(context)
  const chosen = async () => (await until(api.presets.watch({}), () => true)).default
  await expect(api.presets.setDefault({ name: 'Cut-out' })).rejects.toThrow('Connect an account first')
  await api.connections.usePractice({})
  await api.presets.save({ preset: grey, replace: false })
  await api.presets.setDefault({ name: 'Grey' })
  await api.presets.rename({ name: 'Grey', to: 'Pale' })
  expect(await chosen()).toBe('Pale')
  await api.presets.remove({ name: 'Pale' })
  expect(await chosen()).toBeNull()
  await expect(api.presets.setDefault({ name: 'nothing' })).rejects.toMatchObject({ code: 'gone' })
})

async function withRuns(program: RunningProgram) {
  await program.api.connections.usePractice({})
  const { batch } = await begin(program, 3)
  await batchOnce(program, batch, ({ state }) => state === 'finished')
  return batch
}

test('the service’s own runs are listed, shown, and their files fetched again', async (context) => {
  const program = await startProgram(context)
  const { api } = program
  const batch = await withRuns(program)
  const first = await api.runs.list({ page: 1, limit: 2, status: null })
  expect(first).toMatchObject({ total: 3, hasMore: true })
  expect(first.runs[0]).toMatchObject({ status: 'SUCCESS', image: { batch }, credits: 2 })
  expect((await api.runs.list({ page: 1, limit: 5, status: 'FAILED' })).runs).toEqual([])
  const { runId } = first.runs[0]!
  expect(await api.runs.show({ runId })).toMatchObject({ runId, outputs: [{ slug: 'primary' }], error: null })
  expect(JSON.stringify(await api.runs.show({ runId }))).not.toContain('/files/')
  await expect(api.runs.show({ runId: 'none' })).rejects.toMatchObject({ code: 'gone' })
  const outDir = join(program.out, 'Again')
  await mkdir(outDir, { recursive: true })
  const items = []
  for await (const item of api.runs.download({ runIds: [runId, 'none'], outDir })) items.push(item)
  expect(items.at(-1)).toMatchObject({ files: 1, done: true, problems: [expect.stringContaining('none')] })
  expect((await readdir(outDir)).filter((name) => !name.startsWith('.'))).toEqual(items.at(-1)!.written)
  const again = await until(api.runs.download({ runIds: [runId], outDir }), ({ done }) => done)
  expect(again).toMatchObject({ files: 1, written: [] })
  const apps = await api.apps.list({})
  expect(apps.apps.some(({ isRetoucher }) => isRetoucher)).toBe(true)
})

test('preferences are checked, kept and told; places say where data lies', async (context) => {
  const program = await startProgram(context)
  const { api } = program
  const now = async () => await until(api.preferences.watch({}), () => true)
  expect(await now()).toMatchObject({ theme: 'system', thumbnails: true, inFlight: null, settleSeconds: 180 })
  const followed = until(api.preferences.watch({}), ({ theme }) => theme === 'light')
  await api.preferences.change({ theme: 'light', inFlight: 4, webhookUrl: 'https://hook.example/v' })
  expect(await followed).toMatchObject({ inFlight: 4, webhookUrl: 'https://hook.example/v' })
  await api.preferences.change({ inFlight: null, webhookUrl: null })
  expect(await now()).toMatchObject({ theme: 'light', inFlight: null, webhookUrl: null })
  for (const wrong of [
    { nameTemplate: '../{name}' },
    { outDir: 'relative' },
    { webhookUrl: 'https://a:b@hook.example/' },
  ]) {
    await expect(api.preferences.change(wrong)).rejects.toMatchObject({ code: 'refused' })
  }
  await withRuns(program)
  const { places } = await api.preferences.places({})
  expect(places.find(({ title }) => title.startsWith('Batches'))!.bytes).toBeGreaterThan(1000)
  await api.preferences.clearThumbnails({})
  expect(program.faults).toEqual([])
})

test('without a connection everything says what to do', async (context) => {
  const { api } = await startProgram(context)
  expect(await until(api.queue.watch({}), () => true)).toMatchObject({ connectionId: null, balance: null })
  for (const asked of [
    api.apps.list({}),
    api.runs.list({ page: 1, limit: 5, status: null }),
    api.queue.checkBalance({}),
  ]) {
    await expect(asked).rejects.toThrow('No account is connected; connect one, or use the practice service.')
  }
  await expect(
    until(api.intake.read({ sources: [{ kind: 'samples' }], token: 's' }), () => true),
  ).rejects.toThrow('practice service')
})
