import { timingSafeEqual } from 'node:crypto'

/** What of a request decides whether it is let in. Header values as they came; absent ones are undefined. */
export interface Knock {
  readonly method: string
  /** Path without the query. */
  readonly path: string
  readonly host: string | undefined
  readonly origin: string | undefined
  readonly fetchSite: string | undefined
  readonly cookie: string | undefined
  /** From the query; undefined where there is none. */
  readonly token: string | undefined
  /** True for a request to become a WebSocket. */
  readonly upgrade: boolean
}

export type Verdict =
  | { readonly kind: 'enter' }
  /** The token is good: hand out the cookie. */
  | { readonly kind: 'exchange' }
  | { readonly kind: 'refuse'; readonly status: 400 | 401 | 403 | 404 | 405; readonly message: string }

/** What a knock is held against. */
export interface Door {
  readonly port: number
  readonly cookieName: string
  readonly isSession: (value: string) => boolean
  readonly isToken: (value: string) => boolean
  readonly linePath: string
  readonly postPaths: readonly string[]
}

/**
 * Judges one request to the loopback server (docs/reliability.md, T12). A name that was bent to this machine shows in `Host`;
 * another page shows in `Origin` or `Sec-Fetch-Site`, also one on another port of this machine, to which the browser
 * would send the cookie; another program or person has no cookie.
 */
export function judge(knock: Knock, door: Door): Verdict {
  const host = knock.host?.toLowerCase()
  if (host !== `127.0.0.1:${door.port}` && host !== `localhost:${door.port}`) {
    return refuse(403, 'This address is not the one that Vitrine answers to.')
  }
  if (knock.origin !== undefined && knock.origin !== `http://${host}`) {
    return refuse(403, 'Only the page of Vitrine itself may ask for this.')
  }
  const method = methodVerdict(knock, door)
  if (method) return method
  const exchanging = knock.token !== undefined && knock.path === '/' && !knock.upgrade
  if (exchanging && door.isToken(knock.token)) return { kind: 'exchange' }
  const site = knock.fetchSite
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    return refuse(403, 'Only the page of Vitrine itself may ask for this.')
  }
  const changes = knock.upgrade || knock.method === 'POST'
  // A browser always says where these come from.
  if (changes && knock.origin === undefined) return refuse(403, 'The request does not say where it is from.')
  const session = cookieOf(knock.cookie, door.cookieName)
  if (session === undefined || !door.isSession(session)) {
    const used = exchanging ? 'This address was used already. ' : ''
    return refuse(401, `${used}Open the address that Vitrine has written where it was started.`)
  }
  return { kind: 'enter' }
}

function methodVerdict(knock: Knock, door: Door): Verdict | undefined {
  if (knock.upgrade) {
    const right = knock.method === 'GET' && knock.path === door.linePath
    return right ? undefined : refuse(404, 'There is no such line.')
  }
  const posting = door.postPaths.includes(knock.path)
  if (posting ? knock.method === 'POST' : knock.method === 'GET' || knock.method === 'HEAD') return undefined
  return refuse(405, 'This cannot be asked for in this way.')
}

function refuse(status: 400 | 401 | 403 | 404 | 405, message: string): Verdict {
  return { kind: 'refuse', status, message }
}

/** The value of a cookie; undefined where it is missing or stands there twice. */
function cookieOf(header: string | undefined, name: string): string | undefined {
  const found = (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
  return found.length === 1 ? found[0]!.slice(name.length + 1) : undefined
}

/** Compares secrets without telling by its time how much of them was right. */
export function sameSecret(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
