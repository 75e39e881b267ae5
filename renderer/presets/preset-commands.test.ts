import { expect, test, vi } from 'vitest'
import { Fault } from '../../shared/rpc/fault.ts'
import { createLine } from '../app/line.ts'
import { StageEngine } from '../app/testing/stage-engine.ts'
import { stageScene } from '../app/testing/stage-scenes.ts'
import { Workspace } from '../app/workspace.ts'
import { importPresetFiles } from './preset-commands.ts'

async function open() {
  const engine = new StageEngine(stageScene('running', 0), {
    presets: {
      import: ({ text, shown }) => {
        if (text === 'bad') throw new Fault('refused', `The preset file ${shown} cannot be used.`)
        return { name: text }
      },
    },
  })
  const workspace = new Workspace({
    line: createLine({ openPort: () => Promise.resolve(engine.open()) }),
    bridge: undefined,
    platform: 'mac',
    storage: undefined,
    hash: '',
    onFrame: (work) => work(),
  })
  await vi.waitUntil(() => workspace.mirrors.queue.getState().known)
  const said: string[] = []
  workspace.say = (text) => void said.push(text)
  return { workspace, said }
}

test('several presets that are dropped at once are told in one sentence, and each that cannot be used by name', async () => {
  const { workspace, said } = await open()
  const files = ['Print', 'bad', 'Web'].map((text, index) => new File([text], `${index}.vitrinepreset`))
  await importPresetFiles(workspace, files)
  expect(said).toEqual(['Imported 2 presets: Print, Web', 'The preset file 1.vitrinepreset cannot be used.'])
  workspace.close()
})

test('one preset is told by its name', async () => {
  const { workspace, said } = await open()
  await importPresetFiles(workspace, [new File(['Web'], 'w.vitrinepreset')])
  expect(said).toEqual(['Imported “Web”'])
  workspace.close()
})
