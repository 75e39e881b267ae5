import type { CreditRange } from '../shared/prices.ts'
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
}

/** Credits for all images, or undefined while the base price is unknown. */
export function totalOf({ images, pricePerImage }: Cost): CreditRange | undefined {
  return pricePerImage && { min: images * pricePerImage.min, max: images * pricePerImage.max }
}

/** The estimate before a start: how many images, at what price, and how far the balance reaches. */
export function estimateLine(cost: Cost, balance: number): string {
  const { images, pricePerImage, extras } = cost
  const have = `The balance is ${counted(balance, 'credit')}`
  if (!pricePerImage) {
    const extra = extras.max > 0 ? ` plus ${rangeText(extras)}` : ''
    return `${counted(images, 'image')}, each at the app's base price (not known yet)${extra}. ${have}.`
  }
  const total = totalOf(cost)!
  const covers =
    pricePerImage.max === 0 ? images : Math.min(images, Math.floor(Math.max(0, balance) / pricePerImage.max))
  const reach =
    covers === images ? 'and covers all of them' : `and covers ${covers.toLocaleString('en')} of ${images}`
  return `${counted(images, 'image')} × ${rangeText(pricePerImage)} = ${rangeText(total)}. ${have} ${reach}.`
}
