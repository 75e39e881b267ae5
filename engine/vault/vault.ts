/**
 * Where an API key lives between two starts: the operating system's key store, never a file of ours (design, section
 * 3, promise 4). One key for each service address. A vault that cannot be used says so in a sentence and keeps nothing.
 */
export interface KeyVault {
  /** The key's text for a service address (normalised base URL). Never throws. */
  read(baseUrl: string): Promise<VaultAnswer>
  /** Keeps a key. Never throws. */
  keep(baseUrl: string, key: string): Promise<VaultChange>
  /** Forgets the key of an address; no error where there is none. Never throws. */
  forget(baseUrl: string): Promise<VaultChange>
}

export type VaultAnswer =
  | { readonly kind: 'found'; readonly key: string }
  | { readonly kind: 'none' }
  /** This machine has no key store that works; the message is one sentence without secrets. */
  | { readonly kind: 'unavailable'; readonly message: string }

export type VaultChange =
  | { readonly kind: 'done' }
  | { readonly kind: 'unavailable'; readonly message: string }
