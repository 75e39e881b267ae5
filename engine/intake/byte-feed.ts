/** A stream of bytes whose beginning can be looked at before it is read. */
export class ByteFeed {
  /** The first bytes, at most what was asked for, fewer where the stream is shorter. */
  readonly head: Uint8Array
  readonly #pending: Uint8Array[]
  readonly #rest: AsyncIterator<Uint8Array>
  #ended: boolean

  private constructor(
    pending: Uint8Array[],
    rest: AsyncIterator<Uint8Array>,
    ended: boolean,
    headSize: number,
  ) {
    this.head = Buffer.concat(pending).subarray(0, headSize)
    this.#pending = pending
    this.#rest = rest
    this.#ended = ended
  }

  /** Reads until `headSize` bytes are there or the stream ends. */
  static async open(bytes: AsyncIterable<Uint8Array>, headSize: number): Promise<ByteFeed> {
    const rest = bytes[Symbol.asyncIterator]()
    const pending: Uint8Array[] = []
    let size = 0
    while (size < headSize) {
      const next = await rest.next()
      if (next.done) return new ByteFeed(pending, rest, true, headSize)
      pending.push(next.value)
      size += next.value.length
    }
    return new ByteFeed(pending, rest, false, headSize)
  }

  /** All bytes from the first on. May be read once. */
  async *bytes(): AsyncGenerator<Uint8Array> {
    for (const chunk of this.#pending) yield chunk
    while (!this.#ended) {
      const next = await this.#rest.next()
      if (next.done) this.#ended = true
      else yield next.value
    }
  }

  /** Lets go of the stream; to be called in every case. */
  async close(): Promise<void> {
    if (!this.#ended) await this.#rest.return?.()
    this.#ended = true
  }
}

/** Bytes that are already in memory, as a stream. */
// oxlint-disable-next-line require-await
export async function* streamOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const step = 65_536
  for (let at = 0; at < bytes.length; at += step) yield bytes.subarray(at, at + step)
}

/** The whole stream, or undefined where it is longer than `max` bytes. */
export async function readAll(bytes: AsyncIterable<Uint8Array>, max: number): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > max) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
