import { InvalidArgumentError } from 'commander'

/** Parser of an option's whole number within bounds; the message is completed by commander with the option's name. */
export function wholeNumber(least: number, most: number = Number.MAX_SAFE_INTEGER) {
  return (text: string): number => {
    const value = Number(text)
    if (/^\d+$/.test(text.trim()) && value >= least && value <= most) return value
    const range = most === Number.MAX_SAFE_INTEGER ? `from ${least}` : `from ${least} to ${most}`
    throw new InvalidArgumentError(`It must be a whole number ${range}.`)
  }
}

/** Parser of an option's number that may have a fraction. */
export function fractional(least: number, most: number) {
  return (text: string): number => {
    const value = Number(text)
    if (/^\d*\.?\d+$/.test(text.trim()) && value >= least && value <= most) return value
    throw new InvalidArgumentError(`It must be a number from ${least} to ${most}.`)
  }
}

/** Collects the values of an option that may be given several times. */
export function repeated(value: string, earlier: readonly string[] | undefined): readonly string[] {
  return [...(earlier ?? []), value]
}
