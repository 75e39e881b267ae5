import type { CSSProperties } from 'react'

/** How far the bar of a range is filled, in percent: CSS cannot know a range's value. */
export function rangeAt(percent: number): CSSProperties {
  return { '--at': `${percent}%` } as CSSProperties
}
