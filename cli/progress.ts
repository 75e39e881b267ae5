import { Pace, roughTime } from './pace.ts'
import { counted } from './table.ts'
import type { Terminal } from './terminal.ts'
import { settledIn, type Totals } from './totals.ts'

const liveEveryMs = 250
const plainEveryMs = 30_000

/** Tells a person how far the work is: a live line on a terminal, a plain line now and then elsewhere. */
export class Progress {
  readonly #terminal: Terminal
  readonly #pace = new Pace()
  #settledAtStart: number | undefined
  #lastAt = -Infinity
  #lastTenth = 0
  #note = ''
  #uploads = ''

  constructor(terminal: Terminal) {
    this.#terminal = terminal
  }

  /** Why nothing moves at present ("offline"), or empty. */
  set note(text: string) {
    this.#note = text
    this.#lastAt = -Infinity
  }

  /** @param at monotonic milliseconds @param uploads what is being uploaded, or empty */
  update(at: number, totals: Totals, uploads = '') {
    this.#uploads = uploads
    const settled = settledIn(totals)
    this.#settledAtStart ??= settled
    this.#pace.observe(at, settled - this.#settledAtStart)
    if (this.#terminal.isLive) {
      if (at - this.#lastAt < liveEveryMs) return
      this.#lastAt = at
      this.#terminal.live(this.#line(at, totals))
      return
    }
    const tenth = totals.images === 0 ? 0 : Math.floor((10 * settled) / totals.images)
    const due = tenth > this.#lastTenth || at - this.#lastAt >= plainEveryMs
    if (!due || totals.waiting + totals.active === 0) return
    this.#lastTenth = tenth
    this.#lastAt = at
    this.#terminal.say(this.#line(at, totals))
  }

  #line(at: number, totals: Totals): string {
    const { delivered, images, active, waiting, failed, review, held, skipped } = totals
    const rate = this.#pace.perMinute
    const left = waiting + active
    const remaining = this.#pace.remaining(at, left)
    const parts = [
      `${delivered.toLocaleString('en')} of ${images.toLocaleString('en')} delivered`,
      active > 0 && `${active.toLocaleString('en')} active`,
      waiting > 0 && `${waiting.toLocaleString('en')} waiting`,
      held > 0 && `${held.toLocaleString('en')} held`,
      skipped > 0 && `${skipped.toLocaleString('en')} skipped`,
      failed > 0 && `${failed.toLocaleString('en')} failed`,
      review > 0 && counted(review, 'needs review', 'need review'),
      rate !== undefined && `${rate < 10 ? rate.toFixed(1) : Math.round(rate)}/min`,
      counted(totals.creditsCharged, 'credit'),
      left > 0 && (remaining === undefined ? 'working out the time left' : `${roughTime(remaining)} left`),
      this.#uploads,
      this.#note,
    ]
    return parts.filter(Boolean).join(' · ')
  }
}
