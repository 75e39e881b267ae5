import type { WebSocket } from 'ws'
import type { Port } from '../../shared/rpc/frames.ts'

/** A page that does not read what it is sent is cut off before its unread changes fill the memory. */
const mostUnread = 64 * 1024 * 1024

/** The line over a WebSocket: each frame is one text message of JSON. A binary message, or one that is no JSON, is no frame. */
export function socketPort(socket: WebSocket): Port {
  const listeners = new Set<(frame: unknown) => void>()
  socket.on('message', (data, isBinary) => {
    if (isBinary) return
    // One buffer: that is what `binaryType` is by default.
    const frame = parsed((data as Buffer).toString())
    if (frame === undefined) return
    for (const listener of listeners) listener(frame)
  })
  return {
    send(frame) {
      if (socket.readyState !== socket.OPEN) return
      socket.send(JSON.stringify(frame))
      if (socket.bufferedAmount > mostUnread) socket.terminate()
    },
    onFrame(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    onClose: (listener) => void socket.once('close', listener),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
