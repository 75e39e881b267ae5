import fc from 'fast-check'
import { z } from 'zod'

/** Values that have broken other programs. */
const hostile: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  2 ** 53,
  1e308,
  0.5,
  '',
  ' ',
  'x'.repeat(100_000),
  '\u202Egnp.exe',
  '\0',
  '../../../../etc/passwd',
  'C:\\Windows\\win.ini',
  '\\\\server\\share',
  "'; DROP TABLE image; --",
  '%_%',
  '__proto__',
  'constructor',
  '<img src=x onerror=alert(1)>',
  '[[',
  'http://[::1',
  'http://127.0.0.1:1/api/v1',
  'ftp://127.0.0.1/',
  [],
  {},
  [[[[[[[[]]]]]]]],
  Array.from({ length: 2000 }, (_, n) => n),
  JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
]

interface Shape {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly items?: Shape
  readonly additionalProperties?: Shape | boolean
  readonly anyOf?: readonly Shape[]
  readonly oneOf?: readonly Shape[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly minimum?: number
  readonly maximum?: number
}

/**
 * Inputs for a schema: right ones, and such as are wrong at one place or everywhere.
 * @param known values by field name that lead to something: ids that are there
 */
export function anyInput(schema: z.ZodType, known: Readonly<Record<string, readonly unknown[]>>) {
  const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape
  const right = valuesOf(shape, known, '')
  const wrong = valuesOf(shape, known, '', fc.constantFrom(...hostile))
  return fc.oneof(
    { weight: 4, arbitrary: right },
    { weight: 4, arbitrary: wrong },
    { weight: 1, arbitrary: fc.jsonValue() },
    { weight: 1, arbitrary: fc.constantFrom(...hostile, undefined) },
  )
}

function valuesOf(
  shape: Shape,
  known: Readonly<Record<string, readonly unknown[]>>,
  name: string,
  spoiling?: fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  const plain = plainValuesOf(shape, known, name, spoiling)
  const there = known[name]
  const likely = there ? fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...there) }, plain) : plain
  return spoiling ? fc.oneof({ weight: 5, arbitrary: likely }, { weight: 1, arbitrary: spoiling }) : likely
}

function plainValuesOf(
  shape: Shape,
  known: Readonly<Record<string, readonly unknown[]>>,
  name: string,
  spoiling?: fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  const further = (inner: Shape, key: string) => valuesOf(inner, known, key, spoiling)
  const choices = shape.anyOf ?? shape.oneOf
  if (choices) return fc.oneof(...choices.map((choice) => further(choice, name)))
  if ('const' in shape) return fc.constant(shape.const)
  if (shape.enum) return fc.constantFrom(...shape.enum)
  switch (shape.type ?? '') {
    case 'object':
      return objectsOf(shape, further)
    case 'array':
      return fc.array(further(shape.items ?? {}, name), { maxLength: 4 })
    case 'string':
      return fc.oneof(fc.string({ maxLength: 30 }), fc.constantFrom('a', 'batch', 'rescue'))
    case 'integer':
    case 'number':
      return fc.integer({
        min: Math.ceil(Math.max(shape.minimum ?? -5, -1e6)),
        max: Math.floor(Math.min(shape.maximum ?? 500, 1e6)),
      })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

function objectsOf(shape: Shape, further: (inner: Shape, key: string) => fc.Arbitrary<unknown>) {
  const { properties = {}, required = [], additionalProperties } = shape
  const fields = Object.fromEntries(
    Object.entries(properties).map(([key, inner]) => [key, further(inner, key)]),
  )
  const base = fc.record(fields, { requiredKeys: required.filter((key) => key in fields) })
  if (typeof additionalProperties !== 'object') return base
  return fc
    .tuple(
      base,
      fc.dictionary(fc.string({ maxLength: 12 }), further(additionalProperties, ''), { maxKeys: 4 }),
    )
    .map(([one, other]) => ({ ...other, ...one }))
}
