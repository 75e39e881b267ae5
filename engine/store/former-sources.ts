import type { Clock } from '../clock.ts'
import type { Statements } from './database.ts'
import type { Image } from './rows.ts'

/** What an image was made of before a person chose another picture in its place. */
export interface FormerSource {
  readonly source: string
  /** Id of its newest submission attempt then: those up to it were of this source; 0 for none. */
  readonly lastAttempt: number
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** Other pictures in the place of those that failed (engine/batches/picked-picture.ts), and what was there before. */
export class FormerSourceTable {
  readonly #db: Statements
  readonly #clock: Pick<Clock, 'now'>
  constructor(db: Statements, clock: Pick<Clock, 'now'>) {
    this.#db = db
    this.#clock = clock
  }

  /**
   * Gives an image that waits to be sent another source, and keeps the one that it had. The caller has moved it to
   * `waiting` in the same transaction, which raised its change number.
   * @param image as it was
   * @throws Error where it does not wait with that source
   */
  replace(
    image: Image,
    to: {
      readonly source: string
      readonly name: string
      readonly key: string
      readonly lastAttempt: number
    },
  ) {
    this.#db
      .prepare(
        `INSERT INTO former_source (image_id, n, source, last_attempt, at)
         VALUES (@id, @n, @was, @lastAttempt, @at)`,
      )
      .run({
        id: image.id,
        n: image.picked,
        was: image.source,
        lastAttempt: to.lastAttempt,
        at: this.#clock.now(),
      })
    const { changes } = this.#db
      .prepare(
        `UPDATE image SET source = @source, name = @name, delivery_key = @key, picked = picked + 1
         WHERE id = @id AND state = 'waiting' AND source = @was AND picked = @n`,
      )
      .run({ ...to, id: image.id, was: image.source, n: image.picked })
    if (changes !== 1) throw new Error(`Image ${image.id} does not wait with its former source.`)
  }

  /** Of an image, oldest first. */
  of(imageId: number): FormerSource[] {
    return this.#db
      .prepare<[number], FormerSource>(
        'SELECT source, last_attempt AS lastAttempt, at FROM former_source WHERE image_id = ? ORDER BY n',
      )
      .all(imageId)
  }

  /** Another image that is, or may become, the same delivery: this picture, these settings, this folder. */
  sameDelivery(key: string, exceptImage: number): number | undefined {
    return this.#db
      .prepare<[string, number], number>(
        `SELECT id FROM image WHERE delivery_key = ? AND id <> ?
           AND (state NOT IN ('failed', 'cancelled', 'skipped')
             OR (state = 'failed' AND service_status = 'SUCCESS')) LIMIT 1`,
      )
      .pluck()
      .get(key, exceptImage)
  }
}
