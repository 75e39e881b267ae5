import { describe, expect, it } from 'vitest'
import type { ComparedRecord, Look } from '../../shared/contract/compare-records.ts'
import { alignmentNote, arrange, shownPictures, type Known, type Mode, type Role } from './arrangement.ts'

const picture = (which: string, role: Role) => ({ which, label: which, role, isVideo: false, bytes: 1 })
const outputs = [picture('de-banded', 'primary'), picture('original', 'extra'), picture('source', 'source')]

const record = (pictures: ComparedRecord['pictures']): ComparedRecord => ({
  of: { image: 3 },
  title: 'R1',
  pictures,
  runId: null,
  app: null,
  credits: null,
  took: null,
  recipe: null,
  preset: null,
  differs: [],
  mark: null,
  canMark: true,
})

const look = (width: number, height: number, levels = 0): Look => ({
  kind: 'picture',
  info: {
    width,
    height,
    format: 'PNG',
    bytes: 1,
    bits: 8,
    channels: 'RGB',
    alpha: false,
    profile: null,
    gamut: 'srgb',
    turned: false,
    quick: { width, height },
    levels,
    stamp: 'abc',
  },
})

const known = (looks: Known['looks'], boxes: Known['boxes'] = {}): Known => ({
  record: record(outputs),
  looks,
  boxes,
  tiled: new Set(),
})

const wish = (mode: Mode, slots: readonly Role[] = ['primary', 'extra']) => ({
  mode,
  shown: shownPictures(record(outputs), slots),
  split: 0.5,
  turn: 0 as const,
  gain: 8,
  hasWideScreen: false,
})

describe('the colours that are drawn in', () => {
  it('are those of the screen only where a picture has them and the screen shows them', () => {
    const plain = look(300, 200)
    if (plain.kind !== 'picture') throw new Error('No picture.')
    const wide: Look = { ...plain, info: { ...plain.info, gamut: 'p3' } }
    const spaceOf = (looks: Known['looks'], hasWideScreen: boolean, slots?: readonly Role[]) => {
      const { scene } = arrange(known(looks), { ...wish('difference', slots), hasWideScreen })
      return [scene?.space, scene?.panes.flat().map((layer) => layer?.drawable.quick.gamut)]
    }
    expect(spaceOf({ 'de-banded': wide, original: wide }, true)).toEqual(['display-p3', ['p3']])
    expect(spaceOf({ 'de-banded': wide, original: wide }, false)).toEqual(['srgb', ['p3']])
    // What one of them alone has beyond sRGB is no difference.
    expect(spaceOf({ 'de-banded': wide, original: plain }, true)).toEqual(['display-p3', ['srgb']])
    expect(spaceOf({ 'de-banded': plain, original: plain }, true)).toEqual(['srgb', ['srgb']])
    // A picture that is not shown does not count.
    expect(spaceOf({ 'de-banded': plain, original: plain, source: wide }, true)[0]).toBe('srgb')
  })
})

describe('which pictures are shown', () => {
  it('are both outputs, the output and the source where there is one, and the source where there is none', () => {
    const names = (pictures: ComparedRecord['pictures'], slots: readonly Role[]) =>
      shownPictures(record(pictures), slots).map(({ which }) => which)
    expect(names(outputs, ['primary', 'extra'])).toEqual(['de-banded', 'original'])
    expect(names(outputs, ['primary', 'extra', 'source'])).toEqual(['de-banded', 'original', 'source'])
    expect(names([outputs[0]!, outputs[2]!], ['primary', 'extra'])).toEqual(['de-banded', 'source'])
    expect(names([outputs[0]!, outputs[2]!], ['primary', 'extra', 'source'])).toEqual(['de-banded', 'source'])
    expect(names([outputs[2]!], ['primary', 'extra'])).toEqual(['source'])
  })
})

describe('how they are laid out', () => {
  const same = { 'de-banded': look(40, 30), original: look(40, 30), source: look(80, 60) }

  it('has a pane for each side by side, and one for both in the other modes', () => {
    expect(arrange(known(same), wish('side', ['primary', 'extra', 'source'])).scene?.panes).toHaveLength(3)
    expect(arrange(known(same), wish('split')).scene?.panes).toMatchObject([[{}, {}]])
    expect(arrange(known(same), wish('flicker')).scene?.panes[0]?.[0]?.drawable.key).toContain('de-banded')
    const turned = arrange(known(same), { ...wish('flicker'), turn: 1 })
    expect(turned.scene?.panes[0]?.[0]?.drawable.key).toContain('original')
    expect(arrange(known(same), wish('difference')).scene?.panes[0]?.[0]?.drawable.quick.urls).toHaveLength(2)
  })

  it('shows a split where a difference cannot be, and asks for the item where shapes differ', () => {
    const framed = known({ 'de-banded': look(40, 50), original: look(80, 60) })
    const arranged = arrange(framed, wish('difference'))
    expect(arranged).toMatchObject({
      mode: 'split',
      alignment: 'centre',
      needsItems: ['de-banded', 'original'],
    })
    expect(arrange(known(same), wish('side', ['primary', 'source']))).toMatchObject({
      alignment: 'fraction',
      needsItems: ['de-banded', 'source'],
    })
    expect(alignmentNote('fraction')).toMatch(/Sizes differ/)
    const box = { left: 0.25, top: 0.2, width: 0.5, height: 0.6 }
    const other = { left: 0.25, top: 0.25, width: 0.25, height: 0.5 }
    const found = arrange({ ...framed, boxes: { 'de-banded': box, original: other } }, wish('side'))
    expect(found).toMatchObject({ alignment: 'item', needsItems: [] })
  })

  it('leaves a pane empty whose picture is in trouble, and shows the others', () => {
    const trouble: Look = { kind: 'trouble', sentence: 'Broken.', format: null }
    const arranged = arrange(known({ 'de-banded': trouble, original: look(40, 30) }), wish('side'))
    expect(arranged.scene?.panes.map(([layer]) => layer !== undefined)).toEqual([false, true])
    expect(arranged.scene?.reference).toMatchObject({ width: 40, height: 30 })
  })
})
