import { useEffect, useState } from 'react'

/** Milliseconds between two changes of what is shown. */
const everyMs = 5000
const aMinute = 60_000

/** The next time left to show: changes every 5 s, and never upward by less than a minute. */
export function steadied(
  shown: { readonly eta: number | null; readonly at: number },
  next: number | null,
  now: number,
): { readonly eta: number | null; readonly at: number } {
  if (next === null || shown.eta === null) return next === shown.eta ? shown : { eta: next, at: now }
  if (now - shown.at < everyMs) return shown
  const isSmallRise = next > shown.eta && next - shown.eta < aMinute
  return isSmallRise ? { eta: shown.eta, at: now } : { eta: next, at: now }
}

/** A time left that does not jump under the eye. */
export function useSteadyEta(eta: number | null): number | null {
  const [shown, setShown] = useState({ eta, at: 0 })
  useEffect(() => setShown((before) => steadied(before, eta, Date.now())), [eta])
  return shown.eta
}
