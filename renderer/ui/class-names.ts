/** Joins the class names that are given and leaves out what is not (`active && 'on'`). */
export function classes(...names: readonly (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ')
}
