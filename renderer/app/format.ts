import { figure, localeOf, t } from '../../shared/language/text.ts'
import type { CreditRange } from '../../shared/prices.ts'

export { figure, plural } from '../../shared/language/text.ts'

/** "6", or "5 to 6" where the price is not certain. */
export function range(credits: CreditRange): string {
  return credits.min === credits.max
    ? figure(credits.min)
    : t`${figure(credits.min)} to ${figure(credits.max)}`
}

export function times(credits: CreditRange, count: number): CreditRange {
  return { min: credits.min * count, max: credits.max * count }
}

/** The price on a control, "18 cr"; undefined while the base price is unknown or nothing is to be paid. */
export function priceTag(credits: CreditRange | null, count = 1): string | undefined {
  if (credits === null || count === 0) return undefined
  return t`${range(times(credits, count))} cr`
}

/** Milliseconds as "24 s", "4 min 52 s", "1 h 50 min". */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** Milliseconds where there is little room: "24 s", "95 s", "4 min", "2 h". */
export function shortDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 100) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 100 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}

/** Time left, rounded as far as it is known: "≈ 40 s", "≈ 8 min", above 90 min "≈ 1 h 50". */
export function timeLeft(ms: number): string {
  if (ms < 55_000) return `≈ ${Math.max(10, Math.ceil(ms / 10_000) * 10)} s`
  const minutes = Math.round(ms / 60_000)
  if (minutes <= 90) return `≈ ${Math.max(1, minutes)} min`
  return `≈ ${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')}`
}

/** "14:32". */
export function clockTime(at: number): string {
  return new Date(at).toLocaleTimeString(localeOf(), { hour: 'numeric', minute: '2-digit' })
}

/** "14:06:02". */
export function clockSeconds(at: number): string {
  return new Date(at).toLocaleTimeString(localeOf(), {
    hour: 'numeric',
    minute: '2-digit',
    second: '2-digit',
  })
}

/** "3 Nov, 14:32", with the year where it is another one. */
export function dayTime(at: number | string): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return String(at)
  const sameYear = date.getFullYear() === new Date().getFullYear()
  return date.toLocaleString(localeOf(), {
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
    ...(sameYear ? {} : { year: 'numeric' }),
  })
}

/** "3 Nov 2026". */
export function day(at: number | string): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return String(at)
  return date.toLocaleDateString(localeOf(), { day: 'numeric', month: 'short', year: 'numeric' })
}

/** "418 GB": one decimal below ten. */
export function bytes(value: number): string {
  const units = [t`bytes`, 'kB', 'MB', 'GB', 'TB']
  let size = value
  let unit = 0
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000
    unit += 1
  }
  const shown = unit === 0 || size >= 10 ? Math.round(size) : Math.round(size * 10) / 10
  return `${figure(shown)} ${units[unit]}`
}

/** The end of a path says most: "…/AW25/Retouched". */
export function shortPath(path: string, parts = 3): string {
  const pieces = path.split(/[\\/]/).filter((piece) => piece !== '')
  if (pieces.length <= parts) return path
  const separator = path.includes('\\') ? '\\' : '/'
  return `…${separator}${pieces.slice(-parts).join(separator)}`
}
