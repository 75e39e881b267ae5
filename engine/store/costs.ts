import type { Statements } from './database.ts'

/** What costs are summed up by. */
export const costKeys = ['folder', 'preset', 'day'] as const
export type CostKey = (typeof costKeys)[number]

/** What was charged for one folder, preset or day. */
export interface Cost {
  readonly key: string
  readonly images: number
  readonly runs: number
  readonly credits: number
}

const expressions: Readonly<Record<CostKey, string>> = {
  folder: "CASE i.folder WHEN '' THEN b.out_dir ELSE b.out_dir || '/' || i.folder END",
  preset: "coalesce(nullif(coalesce(i.preset, b.preset), ''), 'no preset')",
  // The day of this computer's calendar on which it was sent.
  day: "date(a.intent_at / 1000, 'unixepoch', 'localtime')",
}

/** Sums over the ledger of charges. */
export class CostTable {
  readonly #db: Statements
  constructor(db: Statements) {
    this.#db = db
  }

  /** Runs that were sent since a moment, summed up; failed ones that were charged count too. */
  by(key: CostKey, since: number): Cost[] {
    return this.#db
      .prepare<[number], Cost>(
        `SELECT ${expressions[key]} AS key, count(DISTINCT a.image_id) AS images, count(*) AS runs,
           sum(a.credits) AS credits
         FROM attempt a JOIN image i ON i.id = a.image_id JOIN batch b ON b.seq = a.batch_seq
         WHERE a.intent_at >= ? AND a.run_id IS NOT NULL GROUP BY 1 ORDER BY 1`,
      )
      .all(since)
  }
}
