import { MoveHorizontal } from 'lucide-react'
import { useRef, type KeyboardEvent, type PointerEvent } from 'react'
import { useCompare, useComparison } from './compare-context.ts'
import { t } from '../../shared/language/text.ts'

/** The line between two pictures: dragged, or moved by the arrows; a double click puts it in the middle. */
export function SplitHandle() {
  const { session } = useComparison()
  const split = useCompare((state) => state.split)
  const line = useRef<HTMLDivElement>(null)
  const percent = Math.round(split * 100)
  const put = (value: number) => session.set({ split: Math.min(1, Math.max(0, value)) })
  const key = (event: KeyboardEvent) => {
    const by = event.shiftKey ? 0.1 : 0.01
    const moves: Readonly<Record<string, number>> = {
      ArrowLeft: split - by,
      ArrowDown: split - by,
      ArrowRight: split + by,
      ArrowUp: split + by,
      Home: 0,
      End: 1,
    }
    const to = moves[event.key]
    if (to === undefined) return
    event.preventDefault()
    event.stopPropagation()
    put(Math.round(to * 100) / 100)
  }
  const drag = (event: PointerEvent) => {
    const box = line.current?.parentElement?.getBoundingClientRect()
    if (!box || !event.currentTarget.hasPointerCapture(event.pointerId)) return
    put((event.clientX - box.left) / box.width)
  }
  return (
    <div
      ref={line}
      className="split-h"
      style={{ left: `${split * 100}%` }}
      role="slider"
      tabIndex={0}
      aria-label={t`Split`}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={`${percent} %`}
      onKeyDown={key}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        event.stopPropagation()
      }}
      onPointerMove={drag}
      onDoubleClick={() => put(0.5)}
    >
      <div className="split-k">
        <MoveHorizontal size={18} />
      </div>
    </div>
  )
}
