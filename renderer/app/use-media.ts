import { useCallback, useSyncExternalStore } from 'react'

/** Window widths at which the columns change (design: frame and layout). */
export const breakpoints = {
  /** The inspector stands beside the pictures; below it floats over them. */
  wide: '(min-width: 1280px)',
  /** Below it the sidebar is a rail. */
  sidebar: '(min-width: 1100px)',
} as const

/** Whether a media query holds now. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}
