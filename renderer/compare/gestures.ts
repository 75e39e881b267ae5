import type { Stage } from './stage.ts'
import { wholeAbove, type Point } from './view.ts'

export interface GestureParts {
  readonly stage: Stage
  /** Whether the loupe is out: then the pointer carries it, and the wheel changes its scale. */
  readonly hasLoupe: () => boolean
  /** Panes that stand beside each other now. */
  readonly panes: () => number
}

const loupeScales = [1, 2, 4]
/** Pixels of a wheel that double the scale; a pinch on a touchpad comes as a wheel with Ctrl, in smaller steps. */
const doubling = { wheel: 360, pinch: 60 }

/** Wheel, drag and pinch over the panes, as zoom and pan of the stage. @returns what ends the listening. */
export function listenToGestures(element: HTMLElement, parts: GestureParts): () => void {
  const ends = new AbortController()
  const gestures = new Gestures(element, parts)
  const listeners = {
    pointerdown: gestures.down,
    pointermove: gestures.move,
    pointerup: gestures.up,
    pointercancel: gestures.up,
    pointerleave: gestures.leave,
  }
  element.addEventListener('wheel', gestures.wheel, { signal: ends.signal, passive: false })
  for (const [name, listener] of Object.entries(listeners)) {
    element.addEventListener(name, listener as EventListener, { signal: ends.signal })
  }
  return () => ends.abort()
}

class Gestures {
  readonly #element: HTMLElement
  readonly #parts: GestureParts
  readonly #pointers = new Map<number, Point>()
  /** The wheel gathers here between whole scales: a notch must not be lost to rounding. */
  #free: number | undefined

  constructor(element: HTMLElement, parts: GestureParts) {
    this.#element = element
    this.#parts = parts
  }

  wheel = (event: WheelEvent) => {
    event.preventDefault()
    const { stage, hasLoupe } = this.#parts
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1
    const by = { x: event.deltaX * lines, y: event.deltaY * lines }
    const at = this.#inPane(event)
    if (hasLoupe() && !event.ctrlKey) {
      const index = loupeScales.indexOf(stage.state?.loupeScale ?? 1) - Math.sign(by.y)
      stage.loupe(at, loupeScales[Math.min(2, Math.max(0, index))])
    } else if (event.shiftKey) stage.pan({ x: -(by.x || by.y), y: 0 })
    else this.#zoomBy(2 ** (-by.y / (event.ctrlKey ? doubling.pinch : doubling.wheel)), at)
  }

  down = (event: PointerEvent) => {
    const isControl = (event.target as Element).closest('button, input, [role="slider"], video, .over-panel')
    if (event.button > 1 || isControl) return
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY })
    this.#element.setPointerCapture(event.pointerId)
    this.#free = undefined
  }

  move = (event: PointerEvent) => {
    const { stage, hasLoupe } = this.#parts
    if (hasLoupe() && event.pointerType !== 'touch') stage.loupe(this.#inPane(event))
    const before = this.#pointers.get(event.pointerId)
    if (!before) return
    const now = { x: event.clientX, y: event.clientY }
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1]
    if (other) {
      const spread = (point: Point) => Math.hypot(point.x - other.x, point.y - other.y)
      const middle = { clientX: (now.x + other.x) / 2, clientY: (now.y + other.y) / 2 }
      if (spread(before) > 0) this.#zoomBy(spread(now) / spread(before), this.#inPane(middle))
      stage.pan({ x: (now.x - before.x) / 2, y: (now.y - before.y) / 2 })
    } else stage.pan({ x: now.x - before.x, y: now.y - before.y })
    this.#pointers.set(event.pointerId, now)
  }

  up = (event: PointerEvent) => {
    this.#pointers.delete(event.pointerId)
  }

  leave = () => {
    if (this.#parts.hasLoupe() && this.#pointers.size === 0) this.#parts.stage.loupe(undefined)
  }

  #zoomBy(factor: number, at: Point) {
    const { stage } = this.#parts
    const now = stage.view.scale
    if (this.#free === undefined || Math.abs(wholeAbove(this.#free) / now - 1) > 0.01) this.#free = now
    this.#free = Math.min(8, this.#free * factor)
    stage.zoomTo(wholeAbove(this.#free), at)
  }

  /** The point in its pane: all panes look at the same place. */
  #inPane(event: { readonly clientX: number; readonly clientY: number }): Point {
    const box = this.#element.getBoundingClientRect()
    const panes = Math.max(1, this.#parts.panes())
    const width = box.width / panes
    const x = event.clientX - box.left
    const pane = Math.min(panes - 1, Math.max(0, Math.floor(x / width)))
    return { x: x - pane * width, y: event.clientY - box.top }
  }
}
