import { figure, longer, spoken, type Catalog } from './text.ts'

/** Values within values: a list's name before a sentence that has a figure in it. */
const deepest = 3
const mostKept = 500

interface Pattern {
  readonly match: RegExp
  readonly german: string
}

let exact: ReadonlyMap<string, string> = new Map()
let patterns: readonly Pattern[] = []
const kept = new Map<string, string>()

/**
 * What the engine may say (`say`), from its English to the language that is spoken. Its sentences come as finished
 * English, from today or from a file of last year, so each is recognized by what stands between its values.
 */
export function hear(words: Catalog): void {
  exact = new Map(Object.entries(words).filter(([, german]) => german !== ''))
  kept.clear()
  patterns = Object.entries(words)
    .filter(([key, german]) => key.includes('{0}') && german !== '')
    // The one with most words of its own first: "{0}: {1}" is like anything.
    .sort(([a], [b]) => wordsOf(b) - wordsOf(a))
    .map(([key, german]) => ({ match: patternOf(key), german }))
}

const wordsOf = (key: string) => key.replaceAll(/\{\d+\}/g, '').length

function patternOf(key: string): RegExp {
  const pieces = key.split(/\{\d+\}/).map((piece) => piece.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  return new RegExp(`^${pieces.join('(.*?)')}$`, 's')
}

/** A sentence of the engine in the language that is spoken; as it is where it is not known. */
export function said(english: string): string {
  const language = spoken()
  if (language === 'en' || english === '') return english
  if (language === 'long') return longer(english)
  const known = kept.get(english)
  if (known !== undefined) return known
  const words = inWords(english, 0)
  if (kept.size >= mostKept) kept.clear()
  kept.set(english, words)
  return words
}

const sentenceEnd = /(?<=[.?!]) (?=[\p{Lu}\p{N}“"])/u

function inWords(english: string, depth: number): string {
  const same = exact.get(english)
  if (same !== undefined) return same
  if (/^\d{1,3}(,\d{3})+$/.test(english)) return figure(Number(english.replaceAll(',', '')))
  if (depth === deepest) return english
  // First what leaves sentences whole: "{0} was sent" must not take the sentence before it for its value.
  const whole = byPattern(english, depth, false)
  if (whole !== undefined) return whole
  const sentences = english.split(sentenceEnd)
  const said = sentences.map((one) => (sentences.length === 1 ? one : inWords(one, depth + 1)))
  if (sentences.length > 1 && said.every((words, n) => words !== sentences[n])) return said.join(' ')
  return byPattern(english, depth, true) ?? said.join(' ')
}

function byPattern(english: string, depth: number, withSentences: boolean): string | undefined {
  for (const { match, german } of patterns) {
    const [, ...values] = match.exec(english) ?? []
    if (values.length === 0 || (!withSentences && values.some((value) => sentenceEnd.test(value)))) continue
    return german.replaceAll(/\{(\d+)\}/g, (_, n: string) => inWords(values[Number(n)] ?? '', depth + 1))
  }
  return undefined
}
