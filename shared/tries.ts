const factors: Readonly<Record<string, number>> = { whole: 10, long: 500 }
/** What is shared knows of no Node.js by its types; its tests run there. */
const { process } = globalThis as { readonly process?: { readonly env: Readonly<Record<string, string>> } }

/** For tests: how often a property is tried. `npm run proof` tries ten times as often, `-- --long` five hundred times. */
export function tries(usually: number): number {
  return usually * (factors[String(process?.env['PROOF'])] ?? 1)
}
