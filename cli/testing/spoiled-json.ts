/** A JSON value with one place in it changed, and where. */
export interface Spoiled {
  readonly where: string
  readonly value: unknown
}

/** What a field may be instead of what it should be; undefined takes it out. */
const instead: readonly unknown[] = [
  undefined,
  null,
  true,
  -1,
  1e308,
  '',
  'nonsense',
  '\u202E<b>\u0007\n',
  'x'.repeat(1_000_000),
  [],
  {},
  [null, [null]],
]

/** Every place of a JSON value, each changed in every way; list entries beyond the first are like the first. */
export function* spoiledJson(value: unknown, where = ''): Generator<Spoiled> {
  for (const other of instead) yield { where: `${where} = ${shownAs(other)}`, value: other }
  if (Array.isArray(value)) {
    if (value.length === 0) return
    const [first, ...rest] = value as unknown[]
    for (const one of spoiledJson(first, `${where}[0]`)) yield { ...one, value: [one.value, ...rest] }
    // Everything twice.
    yield { where: `${where} doubled`, value: [...(value as unknown[]), ...(value as unknown[])] }
  } else if (value !== null && typeof value === 'object') {
    for (const [key, inner] of Object.entries(value)) {
      for (const one of spoiledJson(inner, `${where}.${key}`))
        yield { ...one, value: { ...value, [key]: one.value } }
    }
  }
}

function shownAs(value: unknown): string {
  return value === undefined ? 'absent' : JSON.stringify(value).slice(0, 20)
}
