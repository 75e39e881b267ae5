import { anything, assert, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parameterFields, readJson, readParameters } from './parameter-fields.ts'

const kinds = (parameters: unknown) => parameterFields(parameters).map(({ key, kind }) => `${key}: ${kind}`)

describe('what a catalogue may say of parameters', () => {
  test('a JSON schema', () => {
    const fields = parameterFields({
      type: 'object',
      required: ['factor'],
      properties: {
        image: { type: 'string' },
        factor: { type: 'integer', minimum: 1, maximum: 4, default: 2, description: ' How much. ' },
        mode: { enum: ['fine', 'fast'], title: 'Mode of work' },
        mask: { type: 'object' },
      },
    })
    expect(fields).toMatchObject([
      {
        key: 'factor',
        title: 'Factor',
        kind: 'number',
        isRequired: true,
        min: 1,
        max: 4,
        step: 1,
        defaultText: '2',
        help: 'How much.',
      },
      { key: 'mode', title: 'Mode of work', kind: 'choice', choices: ['fine', 'fast'], isRequired: false },
      { key: 'mask', kind: 'json' },
    ])
  })

  test('a list of named ones, of names alone, and an object by name', () => {
    expect(
      kinds([
        { name: 'sharpen', type: 'Boolean' },
        { key: 'prompt', type: 'text' },
        { name: 'size', options: [{ value: 's' }, { value: 'l' }] },
        'seed',
        { type: 'text' },
        7,
      ]),
    ).toEqual(['sharpen: switch', 'prompt: text', 'size: choice', 'seed: json'])
    expect(kinds({ strength: { default: 0.5 }, note: 'string', webhook_url: 'string' })).toEqual([
      'strength: number',
      'note: text',
    ])
  })

  test('anything at all gives fields with names, or none', () => {
    assert(
      property(anything(), (parameters) => {
        for (const field of parameterFields(parameters)) {
          expect(field.key).not.toBe('')
          expect(field.title).not.toBe('')
          if (field.kind === 'choice') expect(field.choices.length).toBeGreaterThan(0)
        }
      }),
    )
  })
})

describe('JSON that a person types', () => {
  test('an object is taken; the rest is told', () => {
    expect(readParameters(' {"a": [1]} ')).toEqual({ ok: true, value: { a: [1] } })
    expect(readParameters('')).toEqual({ ok: true, value: {} })
    expect(readParameters('[1]')).toMatchObject({ problem: 'Write an object: { "name": "value" }.' })
    expect(readParameters('{a}')).toMatchObject({
      problem: 'This is not JSON. It looks like { "name": "value" }.',
    })
    expect(readParameters('{"image": "x"}')).toMatchObject({
      problem: 'Take out “image”: Vitrine fills it in for each image.',
    })
    expect(readJson('fine')).toMatchObject({ problem: 'This is not JSON. Text needs quotes: "like this".' })
  })

  test('no text makes it fail', () => {
    assert(
      property(string(), (typed) => {
        const read = readParameters(typed)
        if (!read.ok) expect(read.problem).toMatch(/\.$/)
      }),
    )
  })
})
