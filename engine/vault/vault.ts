/**
 * Where an API key lives between two starts: the operating system's key store, never a file of ours (design, section
 * 3, promise 4). One key for each service address. A vault that cannot be used says so in a sentence and keeps nothing.
 */
export interface KeyVault {
  /** The key's text for a service address (normalised base URL). Never throws. */
  read(baseUrl: string): Promise<VaultAnswer>
  /**
   * Keeps a key. Never throws.
   * @param unprotected keep it as well as this vault can where the system protects nothing: the person has been told,
   * and has chosen it. A vault that only ever uses the system's protection does not look at it.
   */
  keep(baseUrl: string, key: string, unprotected?: boolean): Promise<VaultChange>
  /** Forgets the key of an address; no error where there is none. Never throws. */
  forget(baseUrl: string): Promise<VaultChange>
  /** Whether the system protects what is kept here, and what to say to a person where it does not. Never throws. */
  protection(): Promise<VaultProtection>
}

export interface VaultProtection {
  readonly available: boolean
  /** One sentence; null where everything is in order. */
  readonly sentence: string | null
  /** Not available, but `keep` can keep a key all the same with `unprotected`. */
  readonly choice: boolean
}

export type VaultAnswer =
  | { readonly kind: 'found'; readonly key: string; readonly unprotected?: boolean }
  | { readonly kind: 'none' }
  /** This machine has no key store that works; the message is one sentence without secrets. */
  | { readonly kind: 'unavailable'; readonly message: string }

export type VaultChange =
  | { readonly kind: 'done' }
  | { readonly kind: 'unavailable'; readonly message: string }
