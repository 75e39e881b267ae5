import { getCACertificates, setDefaultCACertificates } from 'node:tls'

/** What is used of Node's TLS. */
export interface TrustStore {
  readonly certificates: (type: 'default' | 'system') => readonly string[]
  readonly trust: (certificates: readonly string[]) => void
}

const nodeTls: TrustStore = {
  certificates: (type) => getCACertificates(type),
  trust: (certificates) => setDefaultCACertificates([...certificates]),
}

/**
 * Trusts the authorities of the system beside Node's own, as a browser would: a studio behind a proxy that opens TLS has
 * its authority there, and the fuse that keeps `NODE_OPTIONS` out also keeps `NODE_EXTRA_CA_CERTS` out. Where the system
 * does not tell, Node's own stay. To be called before the first connection.
 */
export function trustSystemCertificates(store: TrustStore = nodeTls): void {
  try {
    store.trust([...new Set([...store.certificates('default'), ...store.certificates('system')])])
  } catch {
    // A key store that does not answer, or an authority that OpenSSL does not take.
  }
}
