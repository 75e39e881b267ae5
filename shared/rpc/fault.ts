import { z } from 'zod'

/**
 * - `bad-input`: the question does not fit the contract; a fault of the interface.
 * - `refused`: the engine says no, and `message` tells a person why.
 * - `gone`: what was asked about does not exist any more.
 * - `disconnected`: the other side went away; asking again may help.
 * - `internal`: our own fault; the details are in the engine's log and nowhere else.
 */
export const faultCodes = ['bad-input', 'refused', 'gone', 'disconnected', 'internal'] as const
export type FaultCode = (typeof faultCodes)[number]

export const faultSchema = z.object({ code: z.enum(faultCodes), message: z.string() })

/** The only error that crosses between interface and engine. `message` is one sentence for a person. */
export class Fault extends Error {
  override readonly name = 'Fault'
  readonly code: FaultCode

  constructor(code: FaultCode, message: string) {
    super(message)
    this.code = code
  }
}
