import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'
import { useWorkspace } from '../app/workspace-context.ts'

/**
 * Keeps how far a list was scrolled while another one is looked at.
 * @param key what the list shows
 * @param height of all its rows in CSS pixels; 0 until they are known
 */
export function useKeptScroll(scroller: RefObject<HTMLElement | null>, key: string, height: number): void {
  const { scrolls } = useWorkspace()
  const isBack = useRef(false)
  useLayoutEffect(() => {
    if (isBack.current || height === 0 || !scroller.current) return
    isBack.current = true
    scroller.current.scrollTop = scrolls.get(key) ?? 0
  }, [scroller, scrolls, key, height])
  useEffect(() => {
    const element = scroller.current
    const keep = () => {
      if (isBack.current && element) scrolls.set(key, element.scrollTop)
    }
    element?.addEventListener('scroll', keep, { passive: true })
    return () => element?.removeEventListener('scroll', keep)
  }, [scroller, scrolls, key])
}
