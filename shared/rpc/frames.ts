import { z } from 'zod'
import { faultSchema } from './fault.ts'

/** Raised when a frame or a procedure changes its meaning: an old page then says "reload" instead of failing oddly. */
export const protocolVersion = 1

/** Numbers a caller gives to its questions, so that answers find back. */
const id = z.number().int().nonnegative()

/** From the interface to the engine. */
export const questionSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('start'), id, path: z.string().max(80), input: z.unknown().optional() }),
  z.object({ type: z.literal('stop'), id }),
])

/**
 * From the engine to the interface. `value` may be missing: a void answer keeps its key in a structured clone and
 * loses it in JSON.
 */
export const answerSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello'), protocol: z.number() }),
  z.object({ type: z.literal('item'), id, value: z.unknown().optional() }),
  z.object({ type: z.literal('done'), id, value: z.unknown().optional() }),
  z.object({ type: z.literal('fail'), id, fault: faultSchema }),
])
export type Answer = z.infer<typeof answerSchema>

/** One end of a two-way line of frames: an IPC channel, a WebSocket, two linked arrays. Frames are JSON-plain. */
export interface Port {
  send(frame: unknown): void
  /** @returns what ends the listening. */
  onFrame(listener: (frame: unknown) => void): () => void
  onClose(listener: () => void): void
}
