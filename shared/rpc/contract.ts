import type { z } from 'zod'

/**
 * A contract is a plain object of groups of procedures. From it come the client's types, the types that the engine
 * has to implement, the checks at both ends of the wire, and the names on it.
 */

/** A question with one answer. */
export interface Call<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  readonly kind: 'call'
  readonly input: I
  readonly output: O
}

/** A subscription: any number of items until either side ends it. */
export interface Stream<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  readonly kind: 'stream'
  readonly input: I
  readonly output: O
}

export type Contract = Readonly<Record<string, Readonly<Record<string, Call | Stream>>>>

export function call<I extends z.ZodType, O extends z.ZodType>(input: I, output: O): Call<I, O> {
  return { kind: 'call', input, output }
}

export function stream<I extends z.ZodType, O extends z.ZodType>(input: I, output: O): Stream<I, O> {
  return { kind: 'stream', input, output }
}

export interface CallOptions {
  /** Ends the wait and tells the other side, which gives up what it can. */
  readonly signal?: AbortSignal
}

/** What an interface holds: rejects with `Fault` and nothing else. */
export type Client<C extends Contract> = {
  readonly [G in keyof C]: {
    readonly [P in keyof C[G]]: C[G][P] extends Call<infer I, infer O>
      ? (input: z.input<I>, options?: CallOptions) => Promise<z.output<O>>
      : C[G][P] extends Stream<infer I, infer O>
        ? (input: z.input<I>, options?: CallOptions) => AsyncIterable<z.output<O>>
        : never
  }
}

export interface HandlerContext {
  /** Aborted when the caller has gone, or no longer wants the answer. Pass it to whatever is waited for. */
  readonly signal: AbortSignal
}

/** What the engine implements: a missing handler, or one of another shape, does not compile. */
export type Handlers<C extends Contract> = {
  readonly [G in keyof C]: {
    readonly [P in keyof C[G]]: C[G][P] extends Call<infer I, infer O>
      ? (input: z.output<I>, context: HandlerContext) => z.input<O> | Promise<z.input<O>>
      : C[G][P] extends Stream<infer I, infer O>
        ? (input: z.output<I>, context: HandlerContext) => AsyncIterable<z.input<O>>
        : never
  }
}
