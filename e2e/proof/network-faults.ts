/** Requests by what they are for. */
export type Endpoint = 'submit' | 'run' | 'list' | 'balance' | 'apps' | 'download' | 'file' | 'other'

/** Which endpoint a request is for. */
export function endpointOf(method: string, target: string): Endpoint {
  const path = target.split('?')[0]!
  if (path.startsWith('/files/')) return 'file'
  if (method === 'POST') return path === '/api/v1/run' ? 'submit' : 'other'
  if (path === '/api/v1/runs') return 'list'
  if (path === '/api/v1/balance' || path === '/api/v1/apps')
    return path === '/api/v1/apps' ? 'apps' : 'balance'
  if (/^\/api\/v1\/runs\/[^/]+\/download$/.test(path)) return 'download'
  return /^\/api\/v1\/runs\/[^/]+$/.test(path) ? 'run' : 'other'
}

/**
 * When a fault strikes: `before` the service is asked (it never hears of the request), after it has answered within
 * the `head` of that answer, or within or in place of its `body`.
 */
export type When = 'before' | 'head' | 'body'

const breaks = ['latency', 'reset', 'close', 'half-open', 'stall'] as const
const spoiled = ['drip', 'over-long', 'short-length'] as const
const replaced = [
  'bad-length',
  'gzip-bomb',
  'redirect-loop',
  'redirect-elsewhere',
  'redirect-inward',
  'html',
  'garbage',
  'empty',
  'endless',
] as const

/** The connection as such: what comes is right, as far as it comes. */
export type Break = (typeof breaks)[number]
/** What the service said, told wrongly. */
export type Spoiled = (typeof spoiled)[number]
/** Something else in place of what the service said. */
export type Replaced = (typeof replaced)[number]
/** What goes wrong between the program and the service. */
export type How = Break | Spoiled | Replaced

const isAmong =
  <T extends How>(hows: readonly T[]) =>
  (how: How): how is T =>
    hows.some((one) => one === how)
export const isBreak = isAmong(breaks)
export const isSpoiled = isAmong(spoiled)

export interface NetworkFault {
  readonly how: How
  readonly when: When
}

/** Every fault in every phase in which it means something. */
export const allFaults: readonly NetworkFault[] = [
  ...breaks.flatMap((how) => (['before', 'head', 'body'] as const).map((when) => ({ how, when }))),
  ...spoiled.map((how) => ({ how, when: 'body' as const })),
  ...replaced.flatMap((how) => (['before', 'body'] as const).map((when) => ({ how, when }))),
]

const redirecting: ReadonlySet<How> = new Set(['redirect-loop', 'redirect-elsewhere', 'redirect-inward'])

/**
 * Whether a fault can be asked of an endpoint. A submission that was taken, and is answered as one that was not, is
 * beyond any client; a file without an end is bounded by the size of the largest result, which is much to write in a test.
 */
export function concerns({ how, when }: NetworkFault, endpoint: Endpoint): boolean {
  if (endpoint === 'submit') return !(redirecting.has(how) && when === 'body')
  return endpoint !== 'file' || how !== 'endless'
}

/** Those that are only over when the program gives up waiting. */
export function isSlow({ how, when }: NetworkFault): boolean {
  return how === 'stall' && when !== 'body'
}
