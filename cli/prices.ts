import { widestRange, type CreditRange } from '../shared/prices.ts'
import { counted } from './table.ts'

/** `7 credits`, `6 to 7 credits`. */
export function rangeText({ min, max }: CreditRange): string {
  return min === max ? counted(min, 'credit') : `${min.toLocaleString('en')} to ${counted(max, 'credit')}`
}

export interface Cost {
  /** Images that cost something. */
  readonly images: number
  /** Credits of one run; undefined while the app's base price was never seen. */
  readonly pricePerImage: CreditRange | undefined
  /** What the settings add to the base price of one run. */
  readonly extras: CreditRange
  /** The same for each of several settings; left out where all images have the same. */
  readonly groups?: readonly Cost[]
  /** The groups are presets with which each picture is made. */
  readonly arePresets?: boolean
}

/** Several settings as one cost. */
export function joined(groups: readonly Cost[], arePresets = false): Cost {
  const prices = groups.map(({ pricePerImage }) => pricePerImage)
  return {
    images: groups.reduce((sum, { images }) => sum + images, 0),
    pricePerImage: prices.every((price) => price !== undefined) ? widestRange(prices) : undefined,
    extras: widestRange(groups.map(({ extras }) => extras)),
    ...(groups.length > 1 ? { groups, arePresets } : {}),
  }
}

/** Credits for all images, or undefined while the base price is unknown. */
export function totalOf({ images, pricePerImage, groups }: Cost): CreditRange | undefined {
  if (!pricePerImage) return undefined
  const totals = groups?.map((group) => totalOf(group)!) ?? [
    { min: images * pricePerImage.min, max: images * pricePerImage.max },
  ]
  return {
    min: totals.reduce((sum, { min }) => sum + min, 0),
    max: totals.reduce((sum, { max }) => sum + max, 0),
  }
}

/**
 * The estimate before a start: how many images, at what price, and how far the balance reaches.
 * @param covers images that the balance pays for; worked out by the dearest price where it is left out
 */
export function estimateLine(cost: Cost, balance: number, covers = coveredBy(cost, balance)): string {
  const { images, pricePerImage, extras } = cost
  const have = `The balance is ${counted(balance, 'credit')}`
  if (!pricePerImage) {
    const extra = extras.max > 0 ? ` plus ${rangeText(extras)}` : ''
    return `${howMany(cost)}, each at the app's base price (not known yet)${extra}. ${have}.`
  }
  const reach =
    covers === images
      ? 'and covers all of them'
      : `and covers ${covers.toLocaleString('en')} of ${images.toLocaleString('en')}`
  return `${howMany(cost)} ${priceText(cost)} = ${rangeText(totalOf(cost)!)}. ${have} ${reach}.`
}

function coveredBy({ images, pricePerImage }: Cost, balance: number): number {
  if (!pricePerImage || pricePerImage.max === 0) return images
  return Math.min(images, Math.floor(Math.max(0, balance) / pricePerImage.max))
}

/** `24 images`, `24 pictures × 3 presets`, `70 images with 3 presets` where some have fewer. */
function howMany({ images, groups = [], arePresets = false }: Cost): string {
  const [first] = groups
  if (!first || !arePresets) return counted(images, 'image')
  const isEven = groups.every((group) => group.images === first.images)
  return isEven
    ? `${counted(first.images, 'picture')} × ${groups.length} presets`
    : `${counted(images, 'image')} with ${groups.length} presets`
}

/** `× 7 credits`; `(7 + 6 + 2 credits)` for presets of several prices, `at 2 to 7 credits` for other settings. */
function priceText({ pricePerImage, groups = [], arePresets = false }: Cost): string {
  const { min, max } = pricePerImage!
  const isOne = groups.every((group) => {
    const price = group.pricePerImage!
    return price.min === min && price.max === max
  })
  if (isOne) return `× ${rangeText({ min, max })}`
  if (!arePresets) return `at ${rangeText({ min, max })}`
  const each = groups.map((group) => plainRange(group.pricePerImage!))
  return `(${each.join(' + ')} credits)`
}

function plainRange({ min, max }: CreditRange): string {
  return min === max ? min.toLocaleString('en') : `${min.toLocaleString('en')} to ${max.toLocaleString('en')}`
}
