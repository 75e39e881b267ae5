import { join } from 'node:path'
import { expect, test } from 'vitest'
import { formatPresetFile } from '../shared/presets.ts'
import { stage } from './testing/stage.ts'

const preset = (name: string, appId = 'rescue') =>
  formatPresetFile({ name, appId, settings: { debanding: true }, parameters: {} })

test('a folder of presets is taken as a pack, or not at all', async (context) => {
  const { call, write, folder } = await stage(context)
  const own = async () =>
    (await call(['presets', '--json']))
      .records()
      .filter((record) => !(record as { builtIn: boolean }).builtIn)
      .map((record) => (record as { name: string }).name)
  await write('pack/b.vitrinepreset', preset('Web'))
  await write('pack/a.VITRINEPRESET', preset('Print'))
  await write('pack/read me.txt', 'nothing')
  await write('pack/._a.vitrinepreset', 'litter')
  expect((await call(['presets', 'import', 'pack'])).status).toBe(0)
  expect(await own()).toEqual(['Print', 'Web'])
  await write('more/good.vitrinepreset', preset('Good'))
  await write('more/bad.vitrinepreset', '{')
  const bad = await call(['presets', 'import', 'more'])
  expect(bad).toMatchObject({ status: 64 })
  expect(bad.err).toContain('more/bad.vitrinepreset')
  expect(await own()).toEqual(['Print', 'Web'])
  await write('twins/one.vitrinepreset', preset('Same'))
  await write('twins/two.vitrinepreset', preset('same'))
  expect((await call(['presets', 'import', 'twins'])).err).toContain('both hold a preset')
  await write('built.vitrinepreset', preset('Cut-out'))
  const two = ['built.vitrinepreset', 'more/good.vitrinepreset']
  expect((await call(['presets', 'import', ...two])).err).toContain('built-in preset')
  expect(await own()).toEqual(['Print', 'Web'])
  expect((await call(['presets', 'import', two[1]!, join(folder, 'pack'), '--yes'])).status).toBe(0)
  expect(await own()).toEqual(['Print', 'Web', 'Good'])
  await write('none/list.txt', '')
  expect((await call(['presets', 'import', 'none'])).err).toContain('There is no preset file')
})
