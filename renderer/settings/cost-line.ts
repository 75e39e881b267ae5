import type { CreditRange } from '../../shared/prices.ts'
import { figure, plural, t } from '../../shared/language/text.ts'

/** Images of one price. */
export interface CostGroup {
  readonly count: number
  /** The app's base price as learned from charges; undefined until a run has been charged. */
  readonly base: number | undefined
  /** What the settings add to it. */
  readonly extras: CreditRange
}

export interface CostQuestion {
  /** In the order in which they will be sent. */
  readonly groups: readonly CostGroup[]
  /** "212 images × 6" before the start, "80 left × 6" while it runs. */
  readonly unit: 'images' | 'left'
  /** Undefined while it is not known. */
  readonly balance: number | undefined
  /** What other queued batches still need of the balance. */
  readonly committed?: CreditRange | undefined
  /** Play credits of the practice service. */
  readonly isPractice?: boolean
}

export interface CostAnswer {
  /** "212 images × 6 = 1,272 credits" */
  readonly line: string
  /** Undefined while a base price is not known. */
  readonly total: CreditRange | undefined
  /** What is left, or that it does not reach; with the tone in which it is said. */
  readonly after?: { readonly text: string; readonly tone: 'plain' | 'amber' | 'red' }
  /** What a person may do where the price is not known. */
  readonly hint?: string
}

/** Longest line that fits the inspector; longer ones leave out what goes without saying. */
const longestLine = 39
/** Part of the balance below which what is left is worth a warning. */
const lowPart = 0.05

const span = ({ min, max }: CreditRange) => (min === max ? figure(min) : t`${figure(min)} to ${figure(max)}`)
const add = (a: CreditRange, b: CreditRange): CreditRange => ({ min: a.min + b.min, max: a.max + b.max })
const nothing: CreditRange = { min: 0, max: 0 }

/** The cost line of a batch or a selection, in words. */
export function costLine(question: CostQuestion): CostAnswer {
  const groups = question.groups.filter((group) => group.count > 0)
  const count = groups.reduce((sum, group) => sum + group.count, 0)
  if (count === 0) return { line: t`Nothing left to send`, total: nothing }
  const extras = bounds(groups.map((group) => group.extras))
  if (groups.some((group) => group.base === undefined)) return unknownLine(count, extras)

  const prices = groups.map(({ base = 0, extras }) => ({ min: base + extras.min, max: base + extras.max }))
  const total = groups
    .map(({ count }, at) => ({ min: count * prices[at]!.min, max: count * prices[at]!.max }))
    .reduce(add, nothing)
  const each = bounds(prices)
  const line = totalLine(question, count, each, total)
  const after = afterwards(question, groups, prices, total, each)
  return after === undefined ? { line, total } : { line, total, after }
}

function bounds(ranges: readonly CreditRange[]): CreditRange {
  return { min: Math.min(...ranges.map(({ min }) => min)), max: Math.max(...ranges.map(({ max }) => max)) }
}

function unknownLine(count: number, extras: CreditRange): CostAnswer {
  const line =
    extras.max === 0 ? t`${figure(count)} × base price` : t`${figure(count)} × (${span(extras)} + base price)`
  return {
    line,
    total: undefined,
    ...(count > 3 ? { hint: t`“3 first” finds the base price out for 3 images` } : {}),
  }
}

function totalLine(question: CostQuestion, count: number, each: CreditRange, total: CreditRange): string {
  const counted = question.unit === 'left' ? t`${figure(count)} left` : plural(count, 'image')
  const long = `${counted} × ${span(each)} = ${creditWords(total, question.isPractice)}`
  return long.length <= longestLine ? long : `${figure(count)} × ${span(each)} = ${span(total)}`
}

function creditWords(credits: CreditRange, isPractice = false): string {
  const shown = span(credits)
  if (credits.max === 1) return isPractice ? t`${shown} play credit` : t`${shown} credit`
  return isPractice ? t`${shown} play credits` : t`${shown} credits`
}

function afterwards(
  { balance, committed = nothing }: CostQuestion,
  groups: readonly CostGroup[],
  prices: readonly CreditRange[],
  total: CreditRange,
  each: CreditRange,
): CostAnswer['after'] {
  if (balance === undefined) return undefined
  // What others have taken already is not this batch's debt: with nothing to pay, nothing is missing.
  const free = { min: Math.max(0, balance - committed.max), max: Math.max(0, balance - committed.min) }
  const left = { min: free.min - total.max, max: free.max - total.min }
  if (left.min >= 0) {
    const isLow = left.min < balance * lowPart || left.min < each.max
    return { text: t`Balance after: ${span(left)}`, tone: isLow ? 'amber' : 'plain' }
  }
  const count = groups.reduce((sum, group) => sum + group.count, 0)
  const fit = fitting(free.min, groups, prices)
  if (left.max >= 0) {
    const words = plural(fit, 'image surely fits', 'images surely fit')
    return { text: t`May not reach for all: ${words}`, tone: 'amber' }
  }
  const words = plural(fit, 'image fits', 'images fit')
  return { text: t`${words}, ${figure(count - fit)} will wait`, tone: 'red' }
}

/** How many images, in their order, `credits` surely pay for. */
function fitting(credits: number, groups: readonly CostGroup[], prices: readonly CreditRange[]): number {
  let left = credits
  let fit = 0
  for (const [at, { count }] of groups.entries()) {
    const price = prices[at]!.max
    const here = price === 0 ? count : Math.min(count, Math.floor(left / price))
    fit += here
    left -= here * price
    if (here < count) break
  }
  return fit
}

/** What a price is made of: "Rescue 2 + Background 3 + De-banding 1". */
export function costParts(
  appTitle: string,
  base: number | undefined,
  background: CreditRange,
  debanding: CreditRange,
): readonly string[] {
  const isOpen = debanding.min !== debanding.max
  return [
    base === undefined ? t`Base price` : `${appTitle} ${base}`,
    ...(background.max > 0 ? [t`Background ${span(background)}`] : []),
    ...(debanding.max > 0
      ? [isOpen ? t`De-banding ${debanding.min} or ${debanding.max}` : t`De-banding ${debanding.max}`]
      : []),
  ]
}
