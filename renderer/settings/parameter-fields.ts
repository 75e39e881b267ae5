import { t } from '../../shared/language/text.ts'
/** A parameter of an app, as far as its catalogue entry lets it be understood (the shape is not documented, 4.6). */
export interface ParameterField {
  readonly key: string
  readonly title: string
  readonly help: string | undefined
  readonly kind: 'text' | 'number' | 'switch' | 'choice' | 'json'
  readonly isRequired: boolean
  /** What the service takes when nothing is sent, in words; undefined where the catalogue does not say. */
  readonly defaultText: string | undefined
  /** Of a number; unbounded where the catalogue names no bound. */
  readonly min: number
  readonly max: number
  readonly step: number
  /** Of a choice. */
  readonly choices: readonly string[]
}

type Fields = Readonly<Record<string, unknown>>

/** More than any app has; a longer list is cut. */
const mostFields = 100
/** What the program fills in itself (4.1). */
const ownKeys = new Set(['image', 'image_url', 'webhook_url', 'app_id'])
const nameKeys = ['name', 'key', 'id', 'parameter', 'slug']
const titleKeys = ['title', 'label', 'display_name']
const helpKeys = ['description', 'help', 'summary']
const choiceKeys = ['enum', 'options', 'choices', 'values', 'allowed_values']

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function first(fields: Fields, keys: readonly string[]): unknown {
  return keys.map((key) => fields[key]).find((value) => value !== undefined && value !== null)
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, 500) : undefined
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

function choicesOf(fields: Fields): readonly string[] {
  const listed = first(fields, choiceKeys)
  if (!Array.isArray(listed)) return []
  const values = listed
    .slice(0, mostFields)
    .map((one: unknown) => (isObject(one) ? first(one, ['value', 'id', 'name']) : one))
  return values.every((value): value is string => typeof value === 'string') ? values : []
}

function kindOf(type: unknown, choices: readonly string[], fallback: unknown): ParameterField['kind'] {
  if (choices.length > 0) return 'choice'
  const named = typeof type === 'string' ? type.toLowerCase() : typeof fallback
  if (/^(?:string|text|str|url|color|colour)$/.test(named)) return 'text'
  if (/^(?:number|float|double|int|integer)$/.test(named)) return 'number'
  if (named.startsWith('bool')) return 'switch'
  return 'json'
}

/** "bg_mode" → "Bg mode": a name a person can read where the catalogue has no title. */
function readable(key: string): string {
  const words = key.replaceAll(/[_-]+/g, ' ').trim()
  return words === '' ? key : words[0]!.toUpperCase() + words.slice(1)
}

function fieldOf(key: string, raw: unknown, isRequired: boolean): ParameterField {
  const fields: Fields = isObject(raw) ? raw : { type: raw }
  const choices = choicesOf(fields)
  const fallback = fields['default']
  const kind = kindOf(fields['type'], choices, fallback)
  const isWhole = typeof fields['type'] === 'string' && /^int/i.test(fields['type'])
  return {
    key,
    title: text(first(fields, titleKeys)) ?? readable(key),
    help: text(first(fields, helpKeys)),
    kind,
    isRequired: isRequired || fields['required'] === true,
    defaultText:
      fallback === undefined ? undefined : typeof fallback === 'string' ? fallback : JSON.stringify(fallback),
    min: number(first(fields, ['minimum', 'min'])) ?? -1e9,
    max: number(first(fields, ['maximum', 'max'])) ?? 1e9,
    step: number(first(fields, ['step', 'multipleOf'])) ?? (isWhole ? 1 : 0.1),
    choices,
  }
}

/**
 * The parameters that an app's catalogue entry describes: a JSON schema, a list of named ones, or an object by name.
 * What is not understood becomes a field for JSON; an empty list where there is nothing to go by.
 */
export function parameterFields(parameters: unknown): readonly ParameterField[] {
  return entriesOf(parameters)
    .filter(([key]) => key !== '' && !ownKeys.has(key))
    .slice(0, mostFields)
    .map(([key, raw, isRequired]) => fieldOf(key, raw, isRequired))
}

function entriesOf(parameters: unknown): readonly (readonly [string, unknown, boolean])[] {
  if (Array.isArray(parameters)) {
    return parameters.flatMap((one: unknown) => {
      if (typeof one === 'string') return [[one, {}, false] as const]
      const key = isObject(one) ? text(first(one, nameKeys)) : undefined
      return key === undefined ? [] : [[key, one, false] as const]
    })
  }
  if (!isObject(parameters)) return []
  const { properties, required } = parameters
  const named = isObject(properties) ? properties : parameters
  const musts: readonly unknown[] = Array.isArray(required) ? required : []
  return Object.entries(named).map(([key, raw]) => [key, raw, musts.includes(key)] as const)
}

export type JsonEntry =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: string }

/** Reads a value that a person typed as JSON. */
export function readJson(typed: string): JsonEntry {
  try {
    return { ok: true, value: JSON.parse(typed) as unknown }
  } catch {
    return { ok: false, problem: t`This is not JSON. Text needs quotes: "like this".` }
  }
}

/** Reads an object of parameters that a person typed as JSON; an empty text is an empty object. */
export function readParameters(typed: string): { ok: true; value: Fields } | { ok: false; problem: string } {
  if (typed.trim() === '') return { ok: true, value: {} }
  const entry = readJson(typed)
  if (!entry.ok) return { ok: false, problem: t`This is not JSON. It looks like { "name": "value" }.` }
  if (!isObject(entry.value)) return { ok: false, problem: t`Write an object: { "name": "value" }.` }
  const own = Object.keys(entry.value).find((key) => ownKeys.has(key))
  if (own !== undefined)
    return { ok: false, problem: t`Take out “${own}”: Vitrine fills it in for each image.` }
  return { ok: true, value: entry.value }
}
