/**
 * Marks an English sentence of the engine that a window may show. It stays English: it is stored, compared, logged and
 * read by scripts; a window says it in its own language (`said` in renderer/app/said.ts), by the same key as `t` has.
 */
export function say(parts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return parts.reduce((text, part, n) => `${text}${values[n - 1]}${part}`)
}
