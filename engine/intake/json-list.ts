import { looksLikeAddress, splitAddresses } from './address.ts'
import type { ListReading } from './collector.ts'
import { chooseColumns, countCell, newColumn } from './columns.ts'
import type { ColumnSample } from './columns.ts'
import { JsonLeaves, MAX_DEPTH, TooDeep } from './json-leaves.ts'
import type { Holder, Leaf } from './json-leaves.ts'
import { isContent, otherColumnsNote } from './layout.ts'
import { MAX_LINE } from './lines.ts'
import type { Line } from './lines.ts'
import { say } from '../../shared/language/say.ts'

/** A JSON file is read whole, so that it may not be larger; in bytes. */
export const MAX_JSON = 256 * 1024 * 1024

/** Reads a JSON list. Returns the parser's complaint where the text is no JSON, and then has reported nothing. */
export function readJsonList(text: string, into: ListReading): { line: number | undefined } | undefined {
  try {
    JSON.parse(text)
  } catch (error) {
    return { line: lineOfError(text, error) }
  }
  try {
    const { leaves } = new JsonLeaves(text)
    const patterns = choosePatterns(leaves)
    into.note(otherColumnsNote(into.file, patterns.title, patterns.others))
    takeLeaves(leaves, patterns.chosen, into, undefined)
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error
    into.bad(
      undefined,
      '',
      say`The JSON is nested deeper than ${MAX_DEPTH} levels; an image list is flatter.`,
    )
  }
  return undefined
}

/** Reads a list with a JSON value a line. */
export async function readJsonLines(
  lines: AsyncIterable<Line[]>,
  sample: readonly Line[],
  into: ListReading,
): Promise<void> {
  const patterns = choosePatterns(sample.slice(0, 200).flatMap((line) => leavesOf(line) ?? []))
  into.note(otherColumnsNote(into.file, patterns.title, patterns.others))
  for await (const batch of lines) {
    if (into.stopped) return
    for (const line of batch) if (isContent(line.text)) readJsonLine(line, patterns.chosen, into)
    into.collector.progress(into.file)
  }
}

function readJsonLine(line: Line, preferred: ReadonlySet<string>, into: ListReading): void {
  if (line.tooLong) {
    into.bad(line.number, line.text, say`The line is longer than ${(MAX_LINE / 1024).toFixed(0)} KiB.`)
    return
  }
  const leaves = leavesOf(line)
  if (!leaves) {
    into.bad(line.number, line.text, say`This line is not JSON; each line holds one JSON value.`)
    return
  }
  const hasPreferred = leaves.some((leaf) => preferred.has(leaf.pattern))
  const patterns = hasPreferred ? preferred : choosePatterns(leaves).chosen
  const before = leaves.filter((leaf) => patterns.has(leaf.pattern)).length
  if (before === 0)
    into.bad(line.number, line.text, say`There is no address in this line.`, { attempt: false })
  else takeLeaves(leaves, patterns, into, line.text)
}

function leavesOf(line: Line): readonly Leaf[] | undefined {
  try {
    JSON.parse(line.text)
    return new JsonLeaves(line.text, line.number).leaves
  } catch {
    return undefined
  }
}

/** The paths under which the addresses stand, chosen as a table's columns are. */
function choosePatterns(leaves: readonly Leaf[]): { chosen: Set<string>; title: string; others: string[] } {
  const columns = new Map<string, ColumnSample>()
  for (const leaf of leaves) {
    let column = columns.get(leaf.pattern)
    // An object that maps names to addresses has a path for each; they would only be counted one by one.
    if (!column) {
      column = newColumn(leaf.key || lastKey(leaf.pattern))
      columns.set(leaf.pattern, column)
    }
    countCell(column, leaf.value)
  }
  const patterns = [...columns.keys()]
  const map = mapOfAddresses(leaves, columns)
  if (map) return { chosen: map, title: '', others: [] }
  const { chosen, others } = chooseColumns([...columns.values()])
  return {
    chosen: new Set(chosen.map((index) => patterns[index]!)),
    title: columns.get(patterns[chosen[0] ?? -1] ?? '')?.title ?? '',
    others: others.map((index) => columns.get(patterns[index]!)!.title),
  }
}

function lastKey(pattern: string): string {
  return pattern
    .slice(-400)
    .replace(/(?:\.\*)+$/, '')
    .replace(/^.*\./s, '')
}

/** {"ring-1": "https://…", "ring-2": "https://…"}: one object, outside any array, whose values are all addresses. */
function mapOfAddresses(
  leaves: readonly Leaf[],
  columns: ReadonlyMap<string, ColumnSample>,
): Set<string> | undefined {
  const holder = leaves[0]?.holder
  if (leaves.length < 2 || !holder || columns.size !== leaves.length || holder.isElement) return undefined
  const isMap = leaves.every((leaf) => leaf.holder === holder && looksLikeAddress(leaf.value))
  return isMap && chooseColumns([...columns.values()]).others.length > 0 ? new Set(columns.keys()) : undefined
}

function takeLeaves(
  leaves: readonly Leaf[],
  patterns: ReadonlySet<string>,
  into: ListReading,
  text: string | undefined,
): void {
  const used = new Map<Holder, number>()
  const chosen = leaves.filter((leaf) => patterns.has(leaf.pattern))
  const isMap = chosen.length > 1 && patterns.size === chosen.length && !chosen[0]!.pattern.includes('.*')
  for (const leaf of chosen) {
    if (into.stopped) return
    const named = isMap ? undefined : namedHolder(leaf.holder)
    for (const address of splitAddresses(leaf.value)) {
      const count = named ? (used.get(named) ?? 0) + 1 : 1
      if (named) used.set(named, count)
      const base = isMap ? leaf.key : named?.name
      const name = base !== undefined && count > 1 ? `${base}-${count}` : base
      into.take(address, { line: leaf.line, name, text: text ?? leaf.value })
    }
  }
}

/** The nearest object around an address that has a name; the outermost one's is the whole list's and not taken. */
function namedHolder(holder: Holder): Holder | undefined {
  let at: Holder | undefined = holder
  for (; at; at = at.parent) if (at.name !== undefined && (at.isElement || at === holder)) return at
  return undefined
}

/** So long a text is not parsed over and over to find the line; in characters. */
const MAX_SEARCHED = 16 * 1024 * 1024

/** The line in which a text ceases to be JSON. The parser does not always tell: then ever shorter parts are tried. */
function lineOfError(text: string, error: unknown): number | undefined {
  const told = errorPosition(error)
  if (told !== undefined) return text.slice(0, told).split(/\r\n|\n|\r/).length
  if (text.length > MAX_SEARCHED) return undefined
  const lines = text.split(/\r\n|\n|\r/)
  let good = 0
  let bad = lines.length
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (isBeginningOfJson(lines.slice(0, middle).join('\n'))) good = middle
    else bad = middle
  }
  return bad
}

function isBeginningOfJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    const position = errorPosition(error)
    const isAtEnd = position !== undefined && position >= text.trimEnd().length
    return isAtEnd || (error instanceof Error && error.message.includes('Unexpected end'))
  }
}

function errorPosition(error: unknown): number | undefined {
  const position = / at position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1]
  return position === undefined ? undefined : Number(position)
}
