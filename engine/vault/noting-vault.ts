import type { KeyVault } from './vault.ts'

/** The same vault; notes every key that passes, for whoever must not repeat one. */
export function notingVault(vault: KeyVault, keys: Set<string>): KeyVault {
  return {
    ...vault,
    async read(baseUrl) {
      const answer = await vault.read(baseUrl)
      if (answer.kind === 'found') keys.add(answer.key)
      return answer
    },
    async keep(baseUrl, key, unprotected) {
      keys.add(key)
      return await vault.keep(baseUrl, key, unprotected)
    },
  }
}
