interface PolicyRules {
  readonly createScriptURL: (address: string) => string
}
interface Factory {
  createPolicy(name: string, rules: PolicyRules): unknown
}

/**
 * The content policy takes no text as markup or as the address of code (`require-trusted-types-for`). The one thing that
 * the program does need, the address of a worker of its own, passes here; everything else throws where it is tried. Not
 * every browser has this.
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
