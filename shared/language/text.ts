/**
 * Every sentence that a person reads is written in English where it is used, between the marks of `t`; that English is
 * the key under which `german/` has the other language. `npm run strings` says what is missing there.
 */

/** What a person can choose; `long` is for tests of the layout only: English, 40 % longer. */
export type Language = 'en' | 'de' | 'long'

/** From the English text, its values as {0}, {1} …, to that of the language. */
export type Catalog = Readonly<Record<string, string>>

let catalog: Catalog = {}
let language: Language = 'en'
let numbersLocale: string | undefined

/**
 * To be called before any text is made: what a module makes while it is loaded stays as it is.
 * @param locale of dates and numbers, a BCP 47 tag; the machine's own where absent
 */
export function speak(wanted: Language, words: Catalog, locale?: string): void {
  language = wanted
  catalog = words
  numbersLocale = locale
}

/** The language that is spoken. */
export function spoken(): Language {
  return language
}

/** The locale of dates and numbers; undefined is the machine's own. */
export function localeOf(): string | undefined {
  return numbersLocale
}

/** The key of a template: its values are {0}, {1} … in the order of the English sentence. */
function keyOf(parts: readonly string[]): string {
  return parts.reduce((key, part, n) => `${key}{${n - 1}}${part}`)
}

function worded(key: string): string {
  if (language === 'long') return longer(key)
  return catalog[key] || key
}

/** 40 % more of what can be seen, in words of some length, at the end of the text: a test finds it by how it begins. */
export function longer(text: string): string {
  const more = Math.ceil(text.replaceAll(/\{\d+\}/g, '').length * 0.4)
  const words = Array.from({ length: Math.ceil(more / 8) }, (_, n) => 'o'.repeat(Math.min(8, more - 8 * n)))
  return `${text} ${words.join(' ')}`
}

/** What is made of a text: pieces of it, and between them the numbers of values. */
export function piecesOf(parts: readonly string[]): readonly (string | number)[] {
  return worded(keyOf(parts))
    .split(/\{(\d+)\}/)
    .map((piece, n) => (n % 2 === 0 ? piece : Number(piece)))
}

/** A text in the language that is spoken: t`${name} is ready`. */
export function t(parts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return piecesOf(parts)
    .map((piece) => (typeof piece === 'string' ? piece : String(values[piece])))
    .join('')
}

/** "1,284": figures of the person's own locale. */
export function figure(value: number): string {
  return value.toLocaleString(numbersLocale, { maximumFractionDigits: 2 })
}

/** "1 image", "212 images"; the keys are "{0} image" and "{0} images". English and German have the same two forms. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return worded(`{0} ${count === 1 ? one : many}`).replace('{0}', figure(count))
}
