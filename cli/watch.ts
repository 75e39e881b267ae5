import { relative, sep } from 'node:path'
import { contentOfSource } from '../engine/own-files/own-source.ts'
import { shownSource } from '../engine/own-files/shown-source.ts'
import type { Batch, Image, Output } from '../engine/store/rows.ts'
import type { Store } from '../engine/store/store.ts'
import { plainText } from '../shared/plain-text.ts'
import type { ImageEvent } from './events.ts'

const pageSize = 500

/**
 * Reads from the store which images of some batches changed, whoever changed them: this process or another one that
 * does the work.
 */
export class ImageWatch {
  readonly #store: Store
  readonly #batches: readonly Batch[]
  readonly #seen: Map<number, number>

  /** @param since change number from which on changes are told */
  constructor(store: Store, batches: readonly Batch[], since: number) {
    this.#store = store
    this.#batches = batches
    this.#seen = new Map(batches.map((batch) => [batch.seq, since]))
  }

  /** Changes since the last call, in the order in which they happened within each batch. */
  async drain(told: (batch: Batch, image: Image) => Promise<void> | void) {
    for (const batch of this.#batches) {
      for (;;) {
        const since = this.#seen.get(batch.seq)!
        const page = this.#page(batch.seq, since)
        for (const image of page) await told(batch, image)
        const last = page.at(-1)
        if (!last) break
        this.#seen.set(batch.seq, last.changed)
      }
    }
  }

  /** Images that were added together share one change number: a page never ends among them. */
  #page(seq: number, since: number): readonly Image[] {
    for (let size = pageSize; ; size *= 4) {
      const page = this.#store.images.changedSince(seq, since, size)
      if (page.length < size) return page
      const last = page.at(-1)!.changed
      const whole = page.filter((image) => image.changed !== last)
      if (whole.length > 0) return whole
    }
  }
}

/** An image as an event tells it. */
export function imageEvent(store: Store, batch: Batch, image: Image): ImageEvent {
  const outputs =
    image.state === 'delivered'
      ? store.outputs.ofImage(image.id)
      : image.state === 'skipped' && image.earlierImageId !== null
        ? store.outputs.ofImage(image.earlierImageId)
        : []
  return {
    event: 'image',
    batch: batch.id,
    position: image.position + 1,
    source: shownSource(store, image.source),
    state: image.state,
    serviceStatus: image.state === 'running' ? image.serviceStatus : null,
    runId: image.runId,
    credits: image.credits,
    error: image.error,
    preset: (image.preset ?? batch.preset) || null,
    outputs: outputs.map((output) => outputRecord(batch.outDir, output)),
  }
}

function outputRecord(outDir: string, output: Output) {
  const { label, slug, bytes, sha256, path: file } = output
  return { label, slug, path: relative(outDir, file).split(sep).join('/'), file, bytes, sha256 }
}

/** `k3f9a/12 Ring-front.jpg`: how a person finds the image again. */
export function imageLabel(batch: Batch, image: Image): string {
  const shown = contentOfSource(image.source) === undefined ? image.source : image.title
  // Where a picture is made with several presets its address does not say which image it is.
  const preset = image.picture === null || !image.preset ? '' : ` (${plainText(image.preset, 80)})`
  return `${batch.id}/${image.position + 1} ${plainText(shown, 120)}${preset}`
}
