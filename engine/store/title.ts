import { displayText } from '../intake/display-text.ts'

const longest = 200

/**
 * What a person knows a picture by: the name from its list, else the file name in its address.
 * @param position from 0
 */
export function titleOf(name: string | null, source: string, position: number): string {
  const named = name === null ? '' : displayText(name, longest)
  if (named !== '') return named
  const path = source.replace(/[?#][\s\S]*$/, '').replace(/^[a-z][a-z0-9+.-]*:\/\/[^/\\]*/i, '')
  const last = path.split(/[/\\]/).findLast((part) => part.trim() !== '') ?? ''
  return displayText(decoded(last), longest) || `Image ${position + 1}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
