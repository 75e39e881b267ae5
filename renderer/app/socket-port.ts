import type { Port } from '../../shared/rpc/frames.ts'

/** A line to the engine over a WebSocket; rejects where none can be opened. Closing is told once. */
export function openSocketPort(address: string, signal: AbortSignal): Promise<Port> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address)
    const listeners = new Set<(frame: unknown) => void>()
    const closers = new Set<() => void>()
    // The first frame may come before anybody listens.
    const early: unknown[] = []
    signal.addEventListener('abort', () => socket.close(), { once: true })
    socket.addEventListener('message', ({ data }) => {
      const frame = parse(data)
      if (listeners.size === 0) early.push(frame)
      for (const listener of listeners) listener(frame)
    })
    socket.addEventListener('close', () => {
      reject(new Error('The line could not be opened.'))
      for (const closer of closers) closer()
    })
    socket.addEventListener('open', () =>
      resolve({
        send: (frame) => socket.send(JSON.stringify(frame)),
        onFrame(listener) {
          listeners.add(listener)
          for (const frame of early.splice(0)) listener(frame)
          return () => void listeners.delete(listener)
        },
        onClose: (listener) => void closers.add(listener),
      }),
    )
  })
}

function parse(data: unknown): unknown {
  try {
    return JSON.parse(String(data))
  } catch {
    return undefined
  }
}
