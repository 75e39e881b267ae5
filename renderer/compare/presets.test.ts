import { expect, test } from 'vitest'
import type { ComparedRecord } from '../../shared/contract/compare-records.ts'
import type { ImageRecord } from '../../shared/contract/records.ts'
import { shownPictures } from './arrangement.ts'
import { chosenOf, inPanes, pictureBeside, presetBeside } from './presets.ts'

function record(...presets: readonly string[]): ComparedRecord {
  const made = (preset: string, n: number) => ({
    image: n + 1,
    preset,
    runId: null,
    app: null,
    credits: null,
    took: null,
    differs: [],
    mark: null,
  })
  const pictures = presets.map((preset, n) => ({
    which: `@${n + 1}.primary`,
    label: preset,
    role: 'preset' as const,
    isVideo: false,
    bytes: 1,
    made: made(preset, n),
  }))
  const source = { which: 'source', label: 'Source', role: 'source' as const, isVideo: false, bytes: null }
  return { pictures: [...pictures, source] } as unknown as ComparedRecord
}

const names = (pictures: readonly { readonly label: string }[]) => pictures.map(({ label }) => label).join('')

test('up to four presets stand in panes, those around the chosen one, and the source beside them', () => {
  const six = record('A', 'B', 'C', 'D', 'E', 'F')
  const all = shownPictures(six, ['primary', 'extra'])
  expect(names(all)).toBe('ABCDEF')
  expect(names(inPanes(all, 'side', undefined))).toBe('ABCD')
  expect(names(inPanes(all, 'side', 'D'))).toBe('CDEF')
  expect(names(inPanes(all, 'side', 'F'))).toBe('CDEF')
  const withSource = shownPictures(six, ['primary', 'extra', 'source'])
  expect(names(inPanes(withSource, 'side', 'A'))).toBe('ABCDSource')
})

test('two that are laid on each other are the chosen one and the next, round and round', () => {
  const three = record('A', 'B', 'C')
  const shown = shownPictures(three, ['primary', 'extra'])
  expect(names(inPanes(shown, 'split', 'B'))).toBe('BC')
  expect(names(inPanes(shown, 'flicker', 'C'))).toBe('CA')
  expect(presetBeside(three, 'C', 1)?.preset).toBe('A')
  expect(presetBeside(three, 'A', -1)?.preset).toBe('C')
  // A picture that was not made with the chosen preset has its first one chosen.
  expect(chosenOf(three, 'gone')?.preset).toBe('A')
  expect(chosenOf(record(), 'A')).toBeUndefined()
})

test('the next picture begins behind the last of this one; rows that are alone are pictures of their own', () => {
  const pictures = [0, 0, 0, 1, 1, null, null, 7]
  const rowAt = (index: number) =>
    index in pictures ? ({ picture: pictures[index] } as ImageRecord) : undefined
  const steps = (by: 1 | -1) => pictures.map((_, index) => pictureBeside({ rowAt }, index, by))
  expect(steps(1)).toEqual([3, 3, 3, 5, 5, 6, 7, 8])
  expect(steps(-1)).toEqual([-1, -1, -1, 2, 2, 4, 5, 6])
})
