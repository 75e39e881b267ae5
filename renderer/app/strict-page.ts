import { z } from 'zod'

/** To be loaded before anything else: what the content policy asks of the page. */

// No text becomes code, so zod must not even try whether it may make a function of one.
z.config({ jitless: true })

interface PolicyRules {
  readonly createScriptURL: (address: string) => string
}
interface Factory {
  createPolicy(name: string, rules: PolicyRules): unknown
}

/**
 * Nor does it become markup (`require-trusted-types-for`). The one thing that the program does need, the address of a
 * worker of its own, passes here; everything else throws where it is tried. Not every browser has this.
 */
const factory = (globalThis as { readonly trustedTypes?: Factory }).trustedTypes

factory?.createPolicy('default', {
  createScriptURL: (address) => {
    const { protocol, host } = new URL(address, location.href)
    if (protocol !== location.protocol || host !== location.host) {
      throw new TypeError('Only code of the program itself is run.')
    }
    return address
  },
})
