import { relative as relativePath, sep } from 'node:path'
import { existsSync } from 'node:fs'
import type { CreditRange } from '../../shared/prices.ts'
import { marks, type ImageDetails, type ImageRecord } from '../../shared/contract/records.ts'
import { plainText } from '../../shared/plain-text.ts'
import { pickRefusal } from '../batches/picked-picture.ts'
import { shownSource } from '../own-files/shown-source.ts'
import { estimate } from '../queue/prices.ts'
import type { Attempt, Batch, Image, Output } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import type { DownloadBytes } from './download-bytes.ts'
import { failureReason, reviewReason, undeliveredReason, type Reason } from './reasons.ts'
import { say } from '../../shared/language/say.ts'

const videoEnding = /\.(?:mp4|m4v|mov|webm|mkv|avi)$/i

/** True for an output whose file is a video. */
export function isVideoFile(path: string): boolean {
  return videoEnding.test(path)
}

/** Makes what an interface is shown of images. One for each answer: prices are looked up once in it. */
export class ImageRecords {
  readonly #store: Store
  readonly #bytes: DownloadBytes | undefined
  readonly #prices = new Map<string, CreditRange | null>()
  /** What of a batch stays while the program looks at it; its folder and its state do not. */
  readonly #batches = new Map<number, Pick<Batch, 'connectionId' | 'preset'>>()

  constructor(store: Store, bytes?: DownloadBytes) {
    this.#store = store
    this.#bytes = bytes
  }

  record(image: Image): ImageRecord {
    const { id, state } = image
    const charged = state === 'skipped' ? null : image.credits
    return {
      id,
      position: image.position,
      title: image.title,
      folder: image.folder,
      state,
      serviceStatus: state === 'running' ? statusOf(image.serviceStatus) : null,
      credits: charged,
      estimate: charged === null && state !== 'skipped' ? this.#price(image) : null,
      since: image.since,
      took: image.since !== null && image.settled !== null ? Math.max(0, image.settled - image.since) : null,
      bytes: state === 'downloading' ? (this.#bytes?.of(id) ?? null) : null,
      reason: this.reason(image)?.short ?? null,
      outputs: this.#placed(image).map(({ slug, label, path }) => ({
        slug,
        label,
        isVideo: isVideoFile(path),
      })),
      mark: marks.find((mark) => mark === image.mark) ?? null,
      preset: presetOf(image, this.#batchOf(image.batchSeq)),
      picture: image.picture,
      // Its pictures are the source, and what it was delivered as the last time.
      version: state === 'delivered' || state === 'skipped' ? (image.settled ?? 0) : image.picked,
    }
  }

  details(image: Image): ImageDetails {
    const store = this.#store
    const batch = store.batches.bySeq(image.batchSeq)
    const reason = this.reason(image)
    const former = image.picked > 0 ? store.formerSources.of(image.id).at(-1) : undefined
    const error = image.error === null ? null : plainText(image.error, 2000)
    return {
      image: this.record(image),
      batch: batch.id,
      source: shownSource(store, image.source),
      formerSource: former ? shownSource(store, former.source) : null,
      pickRefusal: pickRefusal(store, image) ?? null,
      recipe: store.images.recipeById(image.recipeId),
      preset: presetOf(image, batch),
      runId: image.runId,
      heading: reason?.heading ?? null,
      error,
      advice: reason?.advice ?? null,
      attempts: store.ledger.ofImage(image.id).map(attemptRecord),
      outputs: this.#placed(image).map((output) => ({
        slug: output.slug,
        label: output.label,
        path: insideOf(batch, output.path),
        bytes: output.bytes,
        isVideo: isVideoFile(output.path),
        present: existsSync(output.path),
      })),
    }
  }

  reason(image: Image): Reason | undefined {
    if (image.state === 'review') return reviewReason(image.error)
    if (image.state !== 'failed') return undefined
    if (image.serviceStatus === 'SUCCESS') return undeliveredReason()
    return failureReason(image.error, { refused: image.runId === null })
  }

  /** The files of an image; of a skipped one those that were delivered before. */
  #placed(image: Image): Output[] {
    const from = image.state === 'skipped' ? image.earlierImageId : image.id
    if (from === null || (image.state !== 'delivered' && image.state !== 'skipped')) return []
    return this.#store.outputs.ofImage(from).filter(({ state }) => state === 'placed')
  }

  #price(image: Image): CreditRange | null {
    const { connectionId } = this.#batchOf(image.batchSeq)
    const key = `${connectionId} ${image.recipeId}`
    let price = this.#prices.get(key)
    if (price === undefined) {
      price = estimate(this.#store, connectionId, this.#store.images.recipeById(image.recipeId)) ?? null
      this.#prices.set(key, price)
    }
    return price
  }

  #batchOf(batchSeq: number): Pick<Batch, 'connectionId' | 'preset'> {
    const known = this.#batches.get(batchSeq)
    if (known) return known
    const batch = this.#store.batches.bySeq(batchSeq)
    this.#batches.set(batchSeq, batch)
    return batch
  }
}

/** The preset that an image's settings were last taken from; null where they are nobody's. */
export function presetOf(image: Image, batch: Pick<Batch, 'preset'>): string | null {
  return image.preset === null ? batch.preset : image.preset || null
}

/** A path of an output below its batch's folder, with forward slashes. */
function insideOf(batch: Batch, path: string): string {
  return relativePath(batch.outDir, path).split(sep).join('/')
}

function statusOf(status: string | null): ImageRecord['serviceStatus'] {
  return status === 'IN_QUEUE' || status === 'IN_PROGRESS' ? status : null
}

const outcomes: Readonly<Record<Attempt['state'], string>> = {
  intent: say`About to be sent`,
  unsent: say`Not sent`,
  sending: say`Being sent`,
  acked: say`Accepted by the service`,
  refused: say`Refused by the service`,
  unknown: say`Sent, and the answer was lost`,
  adopted: say`Found at the service and taken`,
  absent: say`Never arrived at the service`,
  review: say`Waits for your decision`,
  dropped: say`Given up by you`,
}

function attemptRecord(attempt: Attempt): ImageDetails['attempts'][number] {
  return {
    at: attempt.intentAt,
    outcome: outcomeOf(attempt),
    runId: attempt.runId,
    credits: attempt.runId === null ? null : attempt.credits,
  }
}

/** "Accepted by the service; finished": what became of it, how its run ended, and why. */
function outcomeOf({ state, runStatus, detail }: Attempt): string {
  const outcome = outcomes[state]
  const why = detail === null ? null : plainText(detail)
  switch (runStatus) {
    case null:
      return why === null ? outcome : say`${outcome}: ${why}`
    case 'SUCCESS':
      return why === null ? say`${outcome}; finished` : say`${outcome}; finished: ${why}`
    case 'FAILED':
      return why === null ? say`${outcome}; failed` : say`${outcome}; failed: ${why}`
    default: {
      const ended = `${outcome}; ${plainText(runStatus, 60).toLowerCase()}`
      return why === null ? ended : say`${ended}: ${why}`
    }
  }
}
