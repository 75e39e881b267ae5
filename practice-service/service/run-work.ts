import { availableParallelism } from 'node:os'
import type { Account } from './accounts.ts'
import type { PracticeApp } from './apps.ts'
import type { PictureWork } from './image-work.ts'
import type { Setup } from './options.ts'
import type { Outputs, StoredOutput } from './outputs.ts'
import { seededRandom } from './random.ts'
import type { Random } from './random.ts'
import type { Run } from './runs.ts'
import { SourceError, SourcePictures } from './source-picture.ts'
import { settingsOf } from './submission.ts'

/** What the work on a run came to. */
export type Result =
  | {
      readonly ok: true
      readonly outputs: readonly StoredOutput[]
      readonly thumbnail: StoredOutput
      readonly isVideo: boolean
    }
  | { readonly ok: false; readonly error: string }

/** Does what a run asks for: fetches the source, has it processed, keeps the outputs. */
export class RunWork {
  readonly #setup: Setup
  readonly #outputs: Outputs
  readonly #sources: SourcePictures
  readonly #random: Random
  #workers: Promise<PictureWork> | undefined

  constructor(setup: Setup, outputs: Outputs) {
    this.#setup = setup
    this.#outputs = outputs
    this.#sources = new SourcePictures(setup.source)
    this.#random = seededRandom(setup.seed + 1)
  }

  /** Never rejects: whatever goes wrong becomes the run's error. */
  async produce(run: Run, app: PracticeApp, account: Account, signal: AbortSignal): Promise<Result> {
    const scripted = this.#setup.outcome(run)
    if (scripted && 'fail' in scripted) return { ok: false, error: scripted.fail }
    if (this.#setup.conduct.failureRate > 0 && this.#random() < this.#setup.conduct.failureRate) {
      return { ok: false, error: 'The model could not process this image.' }
    }
    if (scripted) return echoResult('mp4', false)
    if (this.#setup.imageWork === 'echo')
      return echoResult('png', app.retoucher && run.parameters['debanding'] === true)
    try {
      return await this.#process(run, app, account, signal)
    } catch (error) {
      if (error instanceof SourceError) return { ok: false, error: error.message }
      return { ok: false, error: `The image could not be processed: ${firstLine(error)}` }
    }
  }

  async close(): Promise<void> {
    await this.#sources.close()
    await (await this.#workers)?.close()
  }

  /** Loaded only where pictures are really worked on: it brings an image library with it. */
  async #startWorkers(): Promise<PictureWork> {
    const { createImageWorkers } = await import('../imaging/worker-pool.ts')
    const bound = Math.min(this.#setup.conduct.concurrency, availableParallelism())
    return createImageWorkers({ size: this.#setup.imageThreads ?? Math.max(1, bound) })
  }

  async #process(run: Run, app: PracticeApp, account: Account, signal: AbortSignal): Promise<Result> {
    const input = await this.#sources.fetch(String(run.parameters['image']), signal)
    const workers = await (this.#workers ??= this.#startWorkers())
    const processing = workers.process({
      input,
      app: app.id === 'rescue' ? 'rescue' : 'precision',
      settings: settingsOf(app, run.parameters),
      accountDefaults: account.shadowDefaults,
    })
    const made = await unlessAborted(processing, signal)
    const outputs: StoredOutput[] = []
    for (const output of made.outputs) outputs.push(await this.#outputs.store(run.runId, output))
    const thumbnail = {
      label: 'Thumbnail',
      slug: 'thumbnail',
      format: formatOf(made.thumbnail),
      data: made.thumbnail,
    }
    return { ok: true, outputs, thumbnail: await this.#outputs.store(run.runId, thumbnail), isVideo: false }
  }
}

/** The outcome of work, or a rejection as soon as the service closes, which need not wait for a picture. */
function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new Error('The service was closed.'))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

function echoResult(format: 'png' | 'mp4', debanding: boolean): Result {
  const echo = { format, echo: true }
  const outputs = debanding
    ? [
        { ...echo, label: 'De-Banded', slug: 'de-banded' },
        { ...echo, label: 'Original', slug: 'original' },
      ]
    : [{ ...echo, label: 'Output', slug: 'output' }]
  return {
    ok: true,
    outputs,
    thumbnail: { label: 'Thumbnail', slug: 'thumbnail', format: 'png', echo: true },
    isVideo: format === 'mp4',
  }
}

function formatOf(picture: Buffer): string {
  return picture.subarray(1, 4).toString('latin1') === 'PNG' ? 'png' : picture[0] === 0x52 ? 'webp' : 'jpg'
}

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.split('\n')[0]!.slice(0, 300)
}
