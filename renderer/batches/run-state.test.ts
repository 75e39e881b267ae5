import { describe, expect, test } from 'vitest'
import { stageScene, type SceneName } from '../app/testing/stage-scenes.ts'
import { balanceLook } from './balance.ts'
import { bannerOf } from './banner.ts'
import { chipsOf, isChipOn } from './filters.ts'
import { runFigures } from './run-figures.ts'
import { runStateOf } from './run-state.ts'

const now = 1_000_000

function at(name: SceneName, change: object = {}, queueChange: object = {}) {
  const scene = stageScene(name, now)
  const batch = { ...scene.batches[0]!.record, ...change }
  const queue = { ...scene.queue, ...queueChange }
  const state = runStateOf(batch, queue)
  return { batch, queue, state, connection: scene.connections[0] }
}

describe('one state drives button, words and banner', () => {
  test.each([
    ['ready', 'start', 'Nothing has been sent or charged'],
    ['running', 'pause', '118 of 212 done · 9 active'],
    ['paused', 'resume', '9 images at the service will still finish'],
    ['offline', 'pause', 'Trying again in 20 s'],
    ['out-of-credits', 'pause', '118 of 212 done · next check in 48 s'],
    ['key-rejected', 'replace-key', 'Nothing is sent until the key is replaced'],
    ['held', 'release', '3 of 212 done · 209 held until you say go'],
  ] as const)('%s', (name, main, line) => {
    const { state } = at(name)
    expect(state.main).toBe(main)
    expect(state.line(now)).toBe(line)
  })

  test('pausing says how many are still at the service, and can be undone', () => {
    const { state } = at('running', { state: 'pausing' })
    expect(state.line(now)).toBe('9 still at the service')
    expect(state.main).toBe('resume')
  })

  test('a batch of another connection says so and leads there; a finished one is simply finished', () => {
    expect(at('running', { connectionId: 'other' }).state.main).toBe('switch')
    expect(at('running', { connectionId: 'other', state: 'finished' }).state.title).toBe('Finished')
  })

  test('whatever the queue does, a batch that is paused or ready stays so', () => {
    for (const state of ['offline', 'out-of-credits', 'key-rejected', 'paused'] as const) {
      expect(at('running', { state: 'paused' }, { state }).state.look).toBe('paused')
      expect(at('ready', {}, { state }).state.look).toBe('ready')
    }
  })
})

describe('only one banner, the most severe', () => {
  const ask = (name: SceneName, change: object = {}, isLongOffline = true) => {
    const { batch, queue, connection } = at(name, change)
    return bannerOf({ batch, queue, connection, isLongOffline, isPracticeHidden: false })
  }

  test('a rejected key comes before credits, credits before the folder, the folder before offline', () => {
    const folder = { outDirTrouble: 'It is gone.' }
    expect(ask('key-rejected', folder)).toBe('key-rejected')
    expect(ask('out-of-credits', folder)).toBe('out-of-credits')
    expect(ask('offline', folder)).toBe('out-dir')
    expect(ask('offline')).toBe('offline')
    expect(ask('running')).toBeUndefined()
  })

  test('offline is told after a while only', () => {
    expect(ask('offline', {}, false)).toBeUndefined()
  })
})

describe('figures', () => {
  const figures = (name: SceneName, isNarrow = false) => {
    const { batch, queue, state } = at(name)
    return runFigures({ batch, queue, look: state.look, isNarrow, eta: batch.eta }).map(
      ({ figure, words }) => `${figure} ${words}`,
    )
  }

  test('a running batch shows time, pace and charge; in a narrow window the price instead', () => {
    expect(figures('running')[0]).toMatch(/^≈ 8 min left · ready /)
    expect(figures('running').slice(1)).toEqual(['10.2 / min median 24 s', '756 cr charged so far'])
    expect(figures('running', true)).toEqual([
      '79 left × 6 = 474 cr',
      '48 balance after',
      '756 cr charged so far',
    ])
  })

  test('out of credits shows what is missing', () => {
    expect(figures('out-of-credits')).toEqual([
      '79 waiting × 6 = 474 cr',
      '470 short of 474',
      '756 cr charged so far',
    ])
  })

  test('without a base price no sum is shown', () => {
    const { batch, queue } = at('ready', { pricePerImage: null })
    const [first] = runFigures({ batch, queue, look: 'ready', isNarrow: false, eta: null })
    expect(first).toEqual({ figure: '212 images', words: 'base price not known yet' })
  })
})

describe('the balance at the foot of the sidebar', () => {
  const look = (name: SceneName, change: object = {}) => {
    const { queue, connection } = at(name, {}, change)
    return balanceLook(connection, queue)
  }

  test('committed and free, and what is short', () => {
    expect(look('running')).toMatchObject({
      credits: '528 credits',
      note: '480 committed · 48 free',
      isShort: false,
    })
    expect(look('out-of-credits')).toMatchObject({
      status: 'Out of credits',
      note: '474 needed · 470 short',
      isShort: true,
    })
  })

  test('no figure is shown that nobody has said', () => {
    expect(look('running', { balance: null })).toMatchObject({ credits: undefined, note: 'No balance yet' })
    expect(look('running', { committed: null }).note).toBe('Price not known yet')
  })
})

describe('chips', () => {
  test('one for each state that has images, All and Waiting always', () => {
    const { batch } = at('running')
    expect(chipsOf(batch.counts).map(({ label, count }) => `${label} ${count}`)).toEqual([
      'All 212',
      'Waiting 79',
      'Active 9',
      'Done 118',
      'Failed 3',
      'Needs review 2',
      'Cancelled 1',
    ])
    const empty = { ...at('held').batch.counts, held: 0, delivered: 0 }
    expect(chipsOf(empty).map(({ id }) => id)).toEqual(['all', 'waiting'])
  })

  test('some of the active states still are Active', () => {
    const chips = chipsOf(at('running').batch.counts)
    const on = (states: Parameters<typeof isChipOn>[1]) =>
      chips.filter((chip) => isChipOn(chip, states)).map(({ id }) => id)
    expect(on([])).toEqual(['all'])
    expect(on(['running'])).toEqual(['active'])
    expect(on(['failed'])).toEqual(['failed'])
  })
})
