import type { Port } from './frames.ts'

export interface LinkedPort extends Port {
  close(): void
}

/** Two joined ports, for tests. Frames pass through JSON, so that what a socket would lose is lost here too. */
export function linkedPorts(): readonly [LinkedPort, LinkedPort] {
  const ends = [new Set<(frame: unknown) => void>(), new Set<(frame: unknown) => void>()] as const
  const closers = new Set<() => void>()
  let closed = false
  const close = () => {
    closed = true
    for (const closer of closers) closer()
    closers.clear()
  }
  const port = (own: 0 | 1): LinkedPort => ({
    send(frame) {
      const text = JSON.stringify(frame)
      queueMicrotask(() => {
        if (closed) return
        for (const listener of ends[own === 0 ? 1 : 0]) listener(JSON.parse(text))
      })
    },
    onFrame(listener) {
      ends[own].add(listener)
      return () => void ends[own].delete(listener)
    },
    onClose: (listener) => void closers.add(listener),
    close,
  })
  return [port(0), port(1)]
}
