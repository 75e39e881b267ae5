import { work } from '../engine/batches/work.ts'
import type { QueueEnd } from '../engine/queue/queue.ts'
import type { QueueEvent } from '../engine/queue/parts.ts'
import type { Batch, Image } from '../engine/store/rows.ts'
import { plainText } from '../shared/plain-text.ts'
import type { Engine } from './compose.ts'
import { statusOfWork, type ExitStatus } from './exit-status.ts'
import { megabytes } from './own-files.ts'
import { Progress } from './progress.ts'
import { warn, type Shell } from './shell.ts'
import { tellSummary } from './summary.ts'
import { batchTotals, sumOf } from './totals.ts'
import { imageEvent, imageLabel, ImageWatch } from './watch.ts'

const lookEveryMs = 200
/** The network is not waited for: two seconds after a signal the process is gone. */
const graceMs = 1500
/** More failures than this are only counted. */
const failuresTold = 10

export interface WorkOptions {
  /** Change number of the store from which on changes are told. */
  readonly since: number
}

/** Works on batches until they end or a signal comes, and tells of it on both outputs. */
export async function workOn(
  shell: Shell,
  engine: Engine,
  batches: readonly Batch[],
  options: WorkOptions,
): Promise<ExitStatus> {
  const { stop, clock } = shell
  stop.endInGoodOrder()
  const startedAt = clock.monotonic()
  const teller = new Teller(shell, engine, batches, options.since)
  const ended = new AbortController()
  const follow = teller.follow(ended.signal)
  const own = batches.map((batch) => batch.seq)
  let end: QueueEnd
  let leads = false
  try {
    end = await Promise.race([
      work(
        engine.parts((event) => teller.heed(event)),
        own,
        stop.signal,
        () => (leads = true),
      ),
      interrupted(shell, engine, ended.signal, () => (leads ? own : [])),
    ])
  } finally {
    ended.abort()
    await follow
  }
  await teller.tellChanges()
  const totals = batches.map((batch) => batchTotals(engine.store, batch.seq))
  if (end.kind === 'interrupted') tellLeftToOthers(shell, engine, own)
  const status = statusOfWork(end.kind, sumOf(totals))
  tellSummary(shell, { end, status, totals, seconds: (clock.monotonic() - startedAt) / 1000 })
  return status
}

/** A process that only followed does not stop what another one works on. */
function tellLeftToOthers(shell: Shell, { store }: Engine, own: readonly number[]) {
  for (const batch of own.map((seq) => store.batches.bySeq(seq))) {
    if (batch.state !== 'running') continue
    warn(
      shell,
      `Another Vitrine process goes on with batch ${batch.id}; "vitrine cancel ${batch.id}" gives up what is not yet sent.`,
    )
  }
}

/** After a signal the work has a moment to end in good order; then it is left as a crash would leave it. */
async function interrupted(
  shell: Shell,
  engine: Engine,
  ended: AbortSignal,
  led: () => readonly number[],
): Promise<QueueEnd> {
  const { stop, clock } = shell
  await new Promise<void>((resolve) => {
    if (stop.signal.aborted) resolve()
    else stop.signal.addEventListener('abort', () => resolve(), { once: true })
  })
  await clock.sleep(graceMs, ended)
  if (!ended.aborted) {
    for (const seq of led()) {
      if (engine.store.batches.bySeq(seq).state === 'running')
        engine.store.batches.setState(seq, 'interrupted')
    }
  }
  return { kind: 'interrupted' }
}

/** Tells what happens, as it happens: events for scripts, lines for people. */
class Teller {
  readonly #shell: Shell
  readonly #engine: Engine
  readonly #batches: readonly Batch[]
  readonly #watch: ImageWatch
  readonly #progress: Progress
  #failures = 0
  #atStart = true

  constructor(shell: Shell, engine: Engine, batches: readonly Batch[], since: number) {
    this.#shell = shell
    this.#engine = engine
    this.#batches = batches
    this.#watch = new ImageWatch(engine.store, batches, since)
    this.#progress = new Progress(shell.terminal)
  }

  async follow(ended: AbortSignal) {
    while (!ended.aborted) {
      await this.tellChanges()
      await this.#shell.clock.sleep(lookEveryMs, ended)
    }
  }

  async tellChanges() {
    const { store } = this.#engine
    await this.#watch.drain(async (batch, image) => await this.#tell(batch, image))
    this.#atStart = false
    const totals = sumOf(this.#batches.map((batch) => batchTotals(store, batch.seq)))
    const { done, total } = this.#engine.publisher.progress
    const uploads = total === 0 ? '' : `uploading ${megabytes(done)} of ${megabytes(total)}`
    this.#progress.update(this.#shell.clock.monotonic(), totals, uploads)
  }

  async #tell(batch: Batch, image: Image) {
    const { json, terminal } = this.#shell
    const newlyAdded = this.#atStart && (image.state === 'waiting' || image.state === 'held')
    if (json && !newlyAdded) {
      terminal.json(imageEvent(this.#engine.store, batch, image))
      await terminal.drained()
    }
    const leftAlone = image.state === 'skipped' && image.error !== null
    if (image.state !== 'failed' && image.state !== 'review' && !leftAlone) return
    this.#failures += 1
    if (this.#failures > failuresTold) return
    const what = leftAlone ? 'skipped' : image.state === 'failed' ? 'failed' : 'needs review'
    terminal.say(`${imageLabel(batch, image)} ${what}: ${plainText(image.error ?? 'no reason was given')}`)
    if (this.#failures === failuresTold)
      terminal.say('Further ones are only counted; "vitrine status" lists them.')
  }

  heed(event: QueueEvent) {
    if (event.kind === 'image') return
    if (event.kind === 'notice') {
      warn(this.#shell, plainText(event.message))
      return
    }
    const { json, terminal } = this.#shell
    const message = event.message === undefined ? null : plainText(event.message)
    if (json) terminal.json({ event: 'queue', state: event.state, message })
    this.#progress.note = stateNotes[event.state]
    if (event.state !== 'running') terminal.say(`${stateWords[event.state]}${message ? `: ${message}` : '.'}`)
    else terminal.say('The service answers again; going on.')
  }
}

const stateWords = {
  running: 'Running',
  paused: 'Paused',
  offline: 'Offline, trying again',
  'out-of-credits': 'Out of credits; what is paid for is still delivered',
  'key-rejected': 'The service rejected the key',
} as const

const stateNotes = {
  running: '',
  paused: 'paused',
  offline: 'offline',
  'out-of-credits': 'out of credits',
  'key-rejected': 'key rejected',
} as const
