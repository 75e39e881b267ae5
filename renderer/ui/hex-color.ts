/** "#RRGGBB" in capitals from what a person types or pastes ("#fff", "ECECEC"); undefined where it is no colour. */
export function hexOf(text: string): string | undefined {
  const code = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(text.trim())?.[1]?.toUpperCase()
  if (code === undefined) return undefined
  return `#${code.length === 3 ? code.replaceAll(/./g, '$&$&') : code}`
}
