import { relative as relativePath, sep } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { shownSource } from '../own-files/shown-source.ts'
import type { Batch, Image } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import type { ManifestBatch, ManifestLine } from './manifest.ts'

/** Images read from the store at a time; other work gets its turn between two pages. */
const page = 500

/** A batch's lines for its output folder's manifest, read anew from the store each time they are written. */
export function manifestOf(store: Store, batch: Batch): ManifestBatch {
  return {
    outDir: batch.outDir,
    batch: batch.id,
    lines: async function* () {
      let after = -1
      for (;;) {
        const images = store.images.page(batch.seq, after, page)
        if (images.length === 0) return
        for (const image of images) yield lineOf(store, batch, image)
        after = images.at(-1)!.position
        await setImmediate()
      }
    },
  }
}

/** An image's line; one that was skipped shows the files that were delivered earlier, for which nothing was charged now. */
function lineOf(store: Store, batch: Batch, image: Image): ManifestLine {
  const earlier = image.earlierImageId === null ? undefined : store.images.byId(image.earlierImageId)
  const preset = image.preset ?? batch.preset ?? ''
  return {
    source: shownSource(store, image.source),
    batch: batch.id,
    runId: image.runId ?? earlier?.runId ?? null,
    status: image.state,
    credits: image.state === 'skipped' ? 0 : image.credits,
    outputs: store.outputs
      .ofImage(earlier?.id ?? image.id)
      .filter((output) => output.state === 'placed')
      .map(({ label, slug, path, bytes, sha256 }) => ({
        label,
        slug,
        path: relativePath(batch.outDir, path).split(sep).join('/'),
        bytes,
        sha256,
      })),
    error: image.error,
    ...(image.mark === null ? {} : { mark: image.mark }),
    ...(preset === '' ? {} : { preset }),
  }
}
