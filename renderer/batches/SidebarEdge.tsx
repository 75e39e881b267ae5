import { useRef, type KeyboardEvent, type PointerEvent } from 'react'
import { sidebarWidths } from '../app/layout.ts'
import { useLayout, useWorkspace } from '../app/workspace-context.ts'
import { t } from '../../shared/language/text.ts'

/** Pixels of one arrow key. */
const step = 8

/** The sidebar's right edge: drags, and moves with the arrow keys, between 200 and 320. */
export function SidebarEdge() {
  const { layout } = useWorkspace()
  const width = useLayout((now) => now.sidebarWidth)
  const start = useRef<{ readonly x: number; readonly width: number }>(undefined)
  const put = (next: number) =>
    layout.setState({
      sidebarWidth: Math.round(Math.min(sidebarWidths.max, Math.max(sidebarWidths.min, next))),
    })
  const press = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? step : event.key === 'ArrowLeft' ? -step : 0
    if (by === 0) return
    event.preventDefault()
    put(width + by)
  }
  const grab = (event: PointerEvent) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    start.current = { x: event.clientX, width }
  }
  return (
    <div
      className="side-edge"
      role="separator"
      aria-orientation="vertical"
      aria-label={t`Width of the sidebar`}
      aria-valuemin={sidebarWidths.min}
      aria-valuemax={sidebarWidths.max}
      aria-valuenow={width}
      tabIndex={0}
      onKeyDown={press}
      onPointerDown={grab}
      onPointerMove={(event) => {
        if (start.current) put(start.current.width + event.clientX - start.current.x)
      }}
      onPointerUp={() => {
        start.current = undefined
      }}
      onDoubleClick={() => put(sidebarWidths.normal)}
    />
  )
}
