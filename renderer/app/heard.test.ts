import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Fault } from '../../shared/rpc/fault.ts'
import { hear } from '../../shared/language/said.ts'
import { speak } from '../../shared/language/text.ts'
import { heard } from './heard.ts'

const english = 'The disk of /out is full.'
const german = 'Der Datenträger von /out ist voll.'

beforeEach(() => {
  speak('de', {}, 'de-DE')
  hear({ 'The disk of {0} is full.': 'Der Datenträger von {0} ist voll.', Ring: 'Falsch übersetzt' })
})
afterEach(() => {
  speak('en', {})
  hear({})
})

const answered = async (answer: unknown) => await heard(() => Promise.resolve(answer))({})

describe('an answer', () => {
  test('has its sentences in the language that is spoken, however deep, and nothing else of it', async () => {
    const record = {
      batch: {
        title: 'Ring',
        stop: { sentence: english },
        problems: [english, { reason: english, file: 'Ring' }],
      },
      rows: [{ id: 7, name: english, message: null, notes: [english, english], ready: true }],
      nothing: undefined,
    }
    const before = structuredClone(record)
    expect(await answered(record)).toEqual({
      batch: {
        title: 'Ring',
        stop: { sentence: german },
        problems: [german, { reason: german, file: 'Ring' }],
      },
      rows: [{ id: 7, name: english, message: null, notes: [german, german], ready: true }],
      nothing: undefined,
    })
    // What was answered may be kept by whoever gave it.
    expect(record).toEqual(before)
  })

  test('that is no record is what it was', async () => {
    const bytes = new Uint8Array([1, 2, 3])
    const map = new Map([['message', english]])
    const day = new Date(0)
    const { picture, found, when, text } = (await answered({
      picture: bytes,
      found: map,
      when: day,
      text: english,
    })) as Record<string, unknown>
    expect(picture).toBe(bytes)
    expect(found).toBe(map)
    expect(when).toBe(day)
    expect(text).toBe(english)
    expect(await answered(bytes)).toBe(bytes)
    for (const plain of [null, undefined, 3, english]) expect(await answered(plain)).toBe(plain)
  })

  test('is asked for with what was given', async () => {
    const asked: unknown[] = []
    const { signal } = new AbortController()
    await heard((...given) => Promise.resolve(asked.push(...given)))({ image: 3 }, { signal })
    expect(asked).toEqual([{ image: 3 }, { signal }])
  })
})

describe('a refusal', () => {
  test('of the engine is told in the language that is spoken, with its code', async () => {
    const refused = heard(() => Promise.reject(new Fault('refused', english)))({})
    await expect(refused).rejects.toEqual(new Fault('refused', german))
    await expect(refused).rejects.toMatchObject({ code: 'refused' })
  })

  test('of anything else stays itself', async () => {
    const error = new TypeError(english)
    await expect(heard(() => Promise.reject(error))({})).rejects.toBe(error)
  })
})

describe('a stream', () => {
  test('has each of its items in the language that is spoken, and its end', async () => {
    async function* items() {
      yield await Promise.resolve({ sentence: english })
      yield { title: 'Ring' }
      throw new Fault('gone', english)
    }
    const got: unknown[] = []
    const listen = async () => {
      for await (const item of heard(items)({}) as AsyncIterable<unknown>) got.push(item)
    }
    await expect(listen()).rejects.toEqual(new Fault('gone', german))
    expect(got).toEqual([{ sentence: german }, { title: 'Ring' }])
  })

  test('that nobody listens to any more ends where it comes from', async () => {
    let isClosed = false
    async function* endless() {
      try {
        for (let n = 0; n < 100; n += 1) yield await Promise.resolve({ n })
      } finally {
        isClosed = true
      }
    }
    for await (const item of heard(endless)({}) as AsyncIterable<unknown>) {
      expect(item).toEqual({ n: 0 })
      break
    }
    expect(isClosed).toBe(true)
  })
})

test('in the engine’s own language a question is the very same', () => {
  speak('en', {})
  const ask = () => Promise.resolve({ sentence: english })
  expect(heard(ask)).toBe(ask)
})
