import { TransportError } from './transport.ts'
import type { TransportErrorKind } from './transport.ts'
import { say } from '../../shared/language/say.ts'

const kindByCode: Readonly<Record<string, TransportErrorKind>> = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  EHOSTDOWN: 'refused',
  EADDRNOTAVAIL: 'refused',
  ENETUNREACH: 'offline',
  ENETDOWN: 'offline',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_FAIL: 'dns',
  EAI_NODATA: 'dns',
  EAI_NONAME: 'dns',
  ETIMEDOUT: 'timeout',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  ECONNABORTED: 'reset',
  EPROTO: 'tls',
  ABORT_ERR: 'aborted',
  HPE_INVALID_EOF_STATE: 'truncated',
  HPE_HEADER_OVERFLOW: 'too-large',
  UND_ERR_HEADERS_OVERFLOW: 'too-large',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'stalled',
  UND_ERR_BODY_TIMEOUT: 'stalled',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_ABORTED: 'aborted',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'truncated',
}

function kindOf(error: unknown): TransportErrorKind {
  const code = codeOf(error)
  const known = kindByCode[code]
  if (known) return known
  if (/^(CERT_|ERR_TLS|ERR_SSL|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|INVALID_CA)/.test(code))
    return 'tls'
  if (code.startsWith('HPE_')) return 'malformed'
  if (error instanceof Error && error.name === 'AbortError') return 'aborted'
  return 'reset'
}

/** The error's code; of several addresses that were tried in turn, that of the first. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0])
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : ''
}

const sentences: Readonly<Record<TransportErrorKind, (host: string) => string>> = {
  refused: (host) => say`${host} refuses the connection or cannot be reached.`,
  dns: (host) => say`No address is known for ${host}; check the name and the network.`,
  tls: (host) =>
    say`The secure connection to ${host} failed: its certificate or handshake is not acceptable.`,
  timeout: (host) => say`${host} took too long to answer.`,
  stalled: (host) => say`${host} stopped sending in the middle of an answer, or never began.`,
  reset: (host) => say`${host} broke the connection off.`,
  truncated: (host) => say`The answer of ${host} ended early.`,
  'too-large': (host) => say`The answer of ${host} is larger than any expected.`,
  malformed: (host) => say`The answer of ${host} cannot be read as HTTP.`,
  aborted: (host) => say`The call to ${host} was broken off.`,
  blocked: (host) => say`The address ${host} may not be fetched.`,
  offline: (host) => say`There is no network route to ${host}.`,
}

/** A TransportError of a kind, in a sentence that names the host and nothing else of the address. */
export function fault(
  kind: TransportErrorKind,
  host: string,
  sent: boolean,
  cause?: unknown,
): TransportError {
  return new TransportError(kind, sentences[kind](host), { sent, cause })
}

/** What Node or undici threw, as a TransportError. */
export function asFault(error: unknown, host: string, sent: boolean): TransportError {
  return error instanceof TransportError ? error : fault(kindOf(error), host, sent, error)
}
