import { describe, expect, test } from 'vitest'
import type { FoundImage, IntakeProblem, Source } from '../intake/found.ts'
import type { PublishedIntake } from '../own-files/publish-intake.ts'
import { Drafts, foundRecord, picturesOf } from './drafts.ts'

const at = (name: string) => `https://pictures.example/${name}.jpg`
const image = (name: string, folder = ''): FoundImage => ({
  url: at(name),
  folder,
  origin: { file: 'list.txt', line: 1 },
})

function intake(changes: Partial<PublishedIntake> = {}): PublishedIntake {
  return {
    images: [],
    duplicates: [],
    problems: [],
    problemCount: 0,
    notes: [],
    localPictures: [],
    passedOver: 0,
    listsRead: 1,
    stopped: false,
    uploads: { images: 0, bytes: 0 },
    addresses: 0,
    ...changes,
  }
}

const first = image('a', 'rings')
const again = image('a', 'chains')
const repairable = (url: string): IntakeProblem => ({
  file: 'list.txt',
  reason: 'There is no address in this row.',
  repair: { label: 'Take it', url },
})
const draftOf = (changes: Partial<PublishedIntake>) => new Drafts().add(intake(changes))

describe('of what was found', () => {
  const draft = draftOf({
    images: [first, again, image('b', 'chains')],
    duplicates: [{ image: again, first }],
    problems: [repairable(at('b')), repairable(at('c')), repairable(at('c')), { file: 'x', reason: 'No.' }],
  })
  const taken = (without: string[], repairs: number[], includeDuplicates: boolean) =>
    picturesOf(draft, { without, repairs, includeDuplicates }).map(
      ({ source, folder }) => `${folder}/${source.at(-5)}`,
    )

  test('a person takes all of it, each address once, with the folders it lies in', () => {
    expect(taken([], [], false)).toEqual(['rings/a', 'chains/b'])
    expect(taken([], [], true)).toEqual(['rings/a', 'chains/a', 'chains/b'])
  })

  test('a person leaves folders out', () => {
    expect(taken(['chains'], [], true)).toEqual(['rings/a'])
    expect(taken(['rings', 'chains'], [], true)).toEqual([])
  })

  test('repaired lines come last, and only where their address is new or wanted twice', () => {
    expect(taken([], [2, 1, 1, 0, 3, 9], false)).toEqual(['rings/a', 'chains/b', '/c'])
    expect(taken([], [0, 1, 2], true)).toEqual(['rings/a', 'chains/a', 'chains/b', '/b', '/c', '/c'])
    expect(taken(['chains'], [0], false)).toEqual(['rings/a', '/b'])
    // One line is one image, however often it is named.
    expect(taken([], [1, 1], true)).toEqual(['rings/a', 'chains/a', 'chains/b', '/c'])
  })

  test('each folder is shown with the images that are new in it', () => {
    expect(foundRecord(draft, [], []).folders).toEqual([
      { folder: 'rings', images: 1 },
      { folder: 'chains', images: 1 },
    ])
  })
})

test('six are kept; the oldest is given up first, and told as gone', () => {
  const drafts = new Drafts()
  const ids = Array.from({ length: 7 }, () => drafts.add(intake()).id)
  expect(() => drafts.find(ids[0]!)).toThrow('drop it again')
  expect(ids.slice(1).map((id) => drafts.find(id).id)).toEqual(ids.slice(1))
  drafts.discard(ids[3]!)
  expect(() => drafts.find(ids[3]!)).toThrow('drop it again')
})

test('a person is shown so much of it, and the figures of all', () => {
  const images = Array.from({ length: 6000 }, (_, n) => image(String(n), `folder ${n}`))
  const problems = Array.from({ length: 300 }, () => repairable(at('x')))
  const draft = draftOf({
    images: [...images, again],
    duplicates: [{ image: again, first }],
    problems,
    problemCount: 900,
    notes: ['One\u202e\ngpj'],
  })
  const record = foundRecord(draft, [], [])
  expect([record.images, record.duplicateCount, record.problemCount]).toEqual([6000, 1, 900])
  expect([record.folders.length, record.problems.length]).toEqual([5000, 200])
  expect(record.notes.join('')).not.toMatch(/[\u202e\n]/)
})

describe('a batch is called by what was dropped', () => {
  const path = (of: string, shown?: string): Source => ({ kind: 'path', path: of, ...(shown && { shown }) })
  test.each([
    ['a folder', [path('/shoots/Spring 26')], ['Spring 26'], 'Spring 26'],
    ['a list, without its ending', [path('/shoots/rings.CSV')], ['rings.CSV'], 'rings'],
    ['a folder with a dot', [path('/shoots/v1.2')], ['v1.2'], 'v1.2'],
    ['parts of one folder', [path('/t/1/Rings', 'Rings'), path('/t/2/Rings', 'Rings')], ['Rings'], 'Rings'],
    ['two things', [path('/a', 'a'), path('/b', 'b')], ['a', 'b'], ''],
    ['two things without a name of their own', [path('/a'), path('/b')], ['a', 'b'], ''],
    ['two things that nobody has named', [path('/a'), path('/b')], [], ''],
    ['pasted text', [{ kind: 'text', text: 'x', shown: 'pasted text' } as const], ['pasted text'], ''],
    [
      'the sample',
      [{ kind: 'text', text: 'x', shown: 'Sample shoot' } as const],
      ['Sample shoot'],
      'Sample shoot',
    ],
    ['nothing', [], [], ''],
  ] satisfies [string, Source[], string[], string][])('%s', (_, sources, shown, name) => {
    expect(foundRecord(draftOf({}), sources, shown).suggestedName).toBe(name)
  })
})
