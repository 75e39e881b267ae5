import { useEffect, useRef, useState } from 'react'
import type { ShadowShape } from '../../../shared/matte/contact-shadow.ts'
import type { FoundItem, PreviewAnswer, PreviewRequest } from './messages.ts'

/** What is known of the picture: still being looked at, not readable, or found. */
export type PreviewState =
  | { readonly kind: 'looking' }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'found'; readonly item: FoundItem; readonly shadow: ImageBitmap | undefined }

/** Talks with the worker: one picture, and one shadow at a time, the latest wish always last. */
class PreviewDesk {
  readonly #worker: Worker
  #id = 0
  #isDrawing = false
  #wish: ShadowShape | undefined

  constructor(
    source: string,
    onItem: (item: FoundItem | undefined) => void,
    onShadow: (shadow: ImageBitmap | undefined) => void,
  ) {
    this.#worker = new Worker(new URL('./preview-worker.ts', import.meta.url), { type: 'module' })
    this.#worker.addEventListener('message', ({ data }: MessageEvent<PreviewAnswer>) => {
      if (data.kind === 'item') {
        onItem(data.found)
        return
      }
      this.#isDrawing = false
      onShadow(data.shadow)
      if (this.#wish !== undefined) this.draw(this.#wish)
    })
    this.#ask({ kind: 'item', id: this.#id, source })
  }

  /** Asks for a shadow; while one is drawn only the last wish is kept. */
  draw(shape: ShadowShape): void {
    if (this.#isDrawing) {
      this.#wish = shape
      return
    }
    this.#wish = undefined
    this.#isDrawing = true
    this.#id += 1
    this.#ask({ kind: 'shadow', id: this.#id, shape })
  }

  end(): void {
    this.#worker.terminate()
  }

  #ask(request: PreviewRequest): void {
    // A worker has no origin to name.
    this.#worker.postMessage(request)
  }
}

/**
 * The item of a picture, found in a worker, and its shadow.
 * @param source address of a picture of this page's origin, some hundred pixels wide
 * @param shape of the shadow; undefined where none is drawn
 */
export function usePreview(source: string, shape: ShadowShape | undefined): PreviewState {
  const desk = useRef<PreviewDesk>(undefined)
  const [item, setItem] = useState<{ readonly of: string; readonly found: FoundItem | undefined }>()
  const [shadow, setShadow] = useState<ImageBitmap>()
  useEffect(() => {
    const opened = new PreviewDesk(source, (found) => setItem({ of: source, found }), setShadow)
    desk.current = opened
    return () => opened.end()
  }, [source])
  const isFound = item?.of === source && item.found !== undefined
  const { intensity, size, softness, distance } = shape ?? {}
  useEffect(() => {
    if (
      !isFound ||
      intensity === undefined ||
      size === undefined ||
      softness === undefined ||
      distance === undefined
    )
      return
    desk.current?.draw({ intensity, size, softness, distance })
  }, [isFound, intensity, size, softness, distance])
  if (item?.of !== source) return { kind: 'looking' }
  if (item.found === undefined) return { kind: 'unreadable' }
  return { kind: 'found', item: item.found, shadow: shape === undefined ? undefined : shadow }
}
