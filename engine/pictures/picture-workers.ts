import { fork } from 'node:child_process'
import {
  pictureLimits,
  type PictureAnswer,
  type PictureOrder,
  type PictureQuestion,
  type PictureResults,
} from './picture-orders.ts'
import { PictureTrouble } from './picture-trouble.ts'
import { say } from '../../shared/language/say.ts'

/** A process that decodes pictures. The desktop program brings its own kind, for it cannot fork plain Node. */
export interface PictureProcess {
  send(question: PictureQuestion): void
  onAnswer(listener: (answer: PictureAnswer) => void): void
  /** @param listener hears of the end, with the exit status where there is one. */
  onExit(listener: (status: number | null) => void): void
  kill(): void
}

// The process runs this folder's source as it is, or its built form once the program is installed.
const script = new URL(
  import.meta.url.endsWith('.ts') ? './picture-process.ts' : './picture-process.js',
  import.meta.url,
)

/** A child of plain Node. Its environment is bare: no key is in reach of the code that decodes files. */
export function forkPictureProcess(): PictureProcess {
  const child = fork(script, [], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: [],
    env: { PATH: process.env['PATH'], TEMP: process.env['TEMP'], SystemRoot: process.env['SystemRoot'] },
  })
  // A send to a process that has just ended: its end is told by `exit`.
  child.on('error', () => {})
  return {
    send: (question) => void child.send(question, () => {}),
    onAnswer: (listener) => void child.on('message', (answer) => listener(answer as PictureAnswer)),
    onExit: (listener) => void child.on('exit', (status) => listener(status)),
    kill: () => void child.kill('SIGKILL'),
  }
}

export interface PictureWorkers {
  /**
   * Has an order carried out. Orders for what is looked at now go before those made `ahead`; who asked may change his
   * mind while it waits.
   * @throws PictureTrouble with a sentence; also when the work took too long or too much memory.
   */
  work<K extends PictureOrder['kind']>(
    order: Extract<PictureOrder, { kind: K }>,
    pace?: Pace,
  ): Promise<PictureResults[K]>
  close(): void
}

/** When an order is wanted: may change while it waits. */
export interface Pace {
  ahead: boolean
}

export interface PictureWorkersOptions {
  readonly start?: (() => PictureProcess) | undefined
  /** Milliseconds for one order. */
  readonly time?: number
}

interface Waiting {
  readonly order: PictureOrder
  readonly pace: Pace
  readonly resolve: (done: never) => void
  readonly reject: (error: Error) => void
}

interface Hand {
  readonly process: PictureProcess
  waiting: Waiting | undefined
  timer: NodeJS.Timeout | undefined
}

/** Two processes: while one cuts a large picture into tiles, the next picture can still be opened. */
const most = 2
const idleTime = 60_000
const heavy = (order: PictureOrder) => ['tiles', 'measure', 'convert'].includes(order.kind)

/** The processes that decode pictures: started when they are needed, and again after one has died. */
export function createPictureWorkers(options: PictureWorkersOptions = {}): PictureWorkers {
  const pool = new Pool(options.start ?? forkPictureProcess, options.time ?? pictureLimits.time)
  return {
    work: (order, pace = { ahead: false }) =>
      new Promise((resolve, reject) => pool.add({ order, pace, resolve, reject })),
    close: () => pool.close(),
  }
}

class Pool {
  readonly #start: () => PictureProcess
  readonly #time: number
  readonly #queue: Waiting[] = []
  readonly #hands = new Set<Hand>()
  #closed = false
  #questions = 0

  constructor(start: () => PictureProcess, time: number) {
    this.#start = start
    this.#time = time
  }

  add(one: Waiting): void {
    if (this.#closed) return one.reject(new PictureTrouble(say`The program is closing.`))
    this.#queue.push(one)
    this.#next()
  }

  close(): void {
    this.#closed = true
    const waiting = [...this.#queue.splice(0), ...[...this.#hands].map((hand) => this.#finish(hand))]
    for (const one of waiting) one?.reject(new PictureTrouble(say`The program is closing.`))
    for (const hand of this.#hands) this.#dismiss(hand)
  }

  #next(): void {
    for (const one of [...this.#queue].sort((a, b) => Number(a.pace.ahead) - Number(b.pace.ahead))) {
      const all = [...this.#hands]
      if (heavy(one.order) && all.some((hand) => hand.waiting && heavy(hand.waiting.order))) continue
      const hand =
        all.find((candidate) => !candidate.waiting) ?? (all.length < most ? this.#added() : undefined)
      if (!hand) return
      this.#queue.splice(this.#queue.indexOf(one), 1)
      this.#give(hand, one)
    }
  }

  #give(hand: Hand, one: Waiting): void {
    hand.waiting = one
    clearTimeout(hand.timer)
    hand.timer = setTimeout(() => {
      const late = this.#finish(hand)
      this.#dismiss(hand)
      late?.reject(new PictureTrouble(say`Showing this picture took longer than a minute; it was given up.`))
      this.#next()
    }, this.#time)
    hand.process.send({ id: (this.#questions += 1), order: one.order })
  }

  #finish(hand: Hand): Waiting | undefined {
    clearTimeout(hand.timer)
    const { waiting } = hand
    hand.waiting = undefined
    // A process that has had nothing to do for a while gives its memory back.
    hand.timer = setTimeout(() => this.#dismiss(hand), idleTime).unref()
    return waiting
  }

  #dismiss(hand: Hand): void {
    clearTimeout(hand.timer)
    this.#hands.delete(hand)
    hand.process.kill()
  }

  #added(): Hand {
    const hand: Hand = { process: this.#start(), waiting: undefined, timer: undefined }
    this.#hands.add(hand)
    hand.process.onAnswer((answer) => {
      const waiting = this.#finish(hand)
      if ('trouble' in answer) waiting?.reject(new PictureTrouble(answer.trouble))
      else waiting?.resolve(answer.done as never)
      this.#next()
    })
    hand.process.onExit((status) => {
      this.#hands.delete(hand)
      const waiting = this.#finish(hand)
      clearTimeout(hand.timer)
      waiting?.reject(new PictureTrouble(lastWords(status)))
      if (!this.#closed) this.#next()
    })
    return hand
  }
}

function lastWords(status: number | null): string {
  return status === 77
    ? say`Showing this picture would take more memory than is allowed for it.`
    : say`Showing this picture failed; nothing else is harmed.`
}
