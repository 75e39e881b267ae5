import { expect, test } from 'vitest'
import { findByBeginning } from './long-words.ts'
import { pictures, showing } from './showing.ts'
import { expectQuiet, openStudio, patience } from './studio.ts'
import { tour, tourOptions } from './tour.ts'

test(
  'every screen, in both themes and two sizes: nothing in anybody’s way, no faint text, nothing cut off',
  { timeout: 10 * patience },
  async (test) => {
    // Photographed in English, judged with texts that are 40 % longer: the room that other languages need.
    const options =
      pictures === undefined ? { ...tourOptions('echo'), language: 'long' } : tourOptions('real')
    const studio = await openStudio(test, options)
    if (pictures === undefined) findByBeginning(studio.page)
    const { show, seen, wrong, texts } = showing(studio)
    let broken: unknown
    await tour(studio, show).catch((error: unknown) => (broken = error))
    expect([...new Set(wrong)]).toEqual([])
    if (broken !== undefined) throw broken
    expect(seen.length).toBeGreaterThan(20)
    expect(texts()).toBeGreaterThan(1000)
    expectQuiet(studio)
  },
)
