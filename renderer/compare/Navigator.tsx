import { useEffect, useRef, type PointerEvent } from 'react'
import { useCompare, useComparison, useStage } from './compare-context.ts'
import { drawableOf } from './arrangement.ts'
import type { Size } from './view.ts'

/** The longer side in CSS pixels. */
const side = 140

/** The whole picture in small with what is seen of it; only while not all of it is seen. Dragging moves the view. */
export function Navigator() {
  const comparison = useComparison()
  const { stage } = comparison.session
  const canvas = useRef<HTMLCanvasElement>(null)
  const isPart = useStage(
    ({ picture, pane }) => picture.width > pane.width + 1 || picture.height > pane.height + 1,
  )
  const reference = useCompare(({ arranged }) => arranged?.scene?.reference)
  const ratio = reference ? reference.width / reference.height : 1
  const width = Math.round(ratio >= 1 ? side : side * ratio)
  const height = Math.round(ratio >= 1 ? side / ratio : side)
  useEffect(() => {
    if (isPart !== true) return undefined
    const draw = () => {
      const context = canvas.current?.getContext('2d')
      if (context) paintOverview(context, comparison, { width, height })
    }
    draw()
    return stage.subscribe(draw)
  }, [comparison, isPart, stage, width, height])
  if (isPart !== true) return null
  const go = (event: PointerEvent) => {
    if (event.buttons !== 1) return
    const box = event.currentTarget.getBoundingClientRect()
    stage.centre({ x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height })
    event.stopPropagation()
  }
  return (
    <canvas
      ref={canvas}
      className="navigator"
      width={width}
      height={height}
      aria-hidden="true"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        go(event)
      }}
      onPointerMove={go}
    />
  )
}

function paintOverview(
  context: CanvasRenderingContext2D,
  comparison: ReturnType<typeof useComparison>,
  { width, height }: Size,
) {
  const { stage, state } = comparison.session
  const { known, space } = state.getState()
  const now = stage.state
  if (!known || !now) return
  const picture = comparison.shown
    .map(({ which }) => drawableOf(known, which, space))
    .find((drawable) => drawable !== undefined)
  const small = picture && stage.loader.get(picture.quick.key)
  context.fillStyle = '#808080'
  context.fillRect(0, 0, width, height)
  const bitmap = small?.findLast((one) => one.width >= width) ?? small?.[0]
  if (bitmap) context.drawImage(bitmap, 0, 0, width, height)
  const across = width / now.picture.width
  const down = height / now.picture.height
  const seen = [
    -now.picture.x * across,
    -now.picture.y * down,
    now.pane.width * across,
    now.pane.height * down,
  ] as const
  context.fillStyle = 'rgb(0 0 0 / 0.42)'
  context.beginPath()
  context.rect(0, 0, width, height)
  context.rect(...seen)
  context.fill('evenodd')
  context.lineWidth = 1.5
  context.strokeStyle = '#ffffff'
  context.strokeRect(...seen)
}
