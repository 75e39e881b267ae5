/** Longest wait that a service can impose, in ms; after that it is asked again. */
export const longestRetryAfterMs = 3_600_000

/**
 * A Retry-After header in ms, between 0 and an hour: seconds (decimals are borne) or an HTTP date, which is read
 * against the service's own clock. Undefined where it is absent, negative or senseless.
 * @param serviceNow the answer's Date in ms, else the local wall clock
 */
export function retryAfterMs(header: string | undefined, serviceNow: number): number | undefined {
  const text = header?.trim() ?? ''
  if (/^\+?\d+(\.\d+)?$/.test(text)) return Math.min(longestRetryAfterMs, Math.ceil(Number(text) * 1000))
  if (!/[a-z]{3}.*\d{4}/i.test(text)) return undefined
  const date = Date.parse(text)
  if (!Number.isFinite(date) || !Number.isFinite(serviceNow)) return undefined
  return Math.min(longestRetryAfterMs, Math.max(0, date - serviceNow))
}
