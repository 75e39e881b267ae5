import { randomBytes } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import type { Clock } from '../clock.ts'
import type { DownloadTransport } from '../service/download-transport.ts'
import { DeliveryError } from './delivery-error.ts'
import type { Delivery, FetchRequest, FetchedPart } from './delivery.ts'
import { diskFault } from './disk-fault.ts'
import { defaultDownloadBounds, fetchInto } from './fetch-part.ts'
import type { DownloadBounds } from './fetch-part.ts'
import type { Files } from './files.ts'
import { makePart, writePart } from './make-part.ts'
import { nodeFiles } from './node-files.ts'
import { existsIn, isOwnPart, isPartName, isProbe, liveManifestParts } from './output-folder.ts'
import { placePart, recoverPlacement, settleName } from './place.ts'
import { verifyFile } from './verify.ts'
import { say } from '../../shared/language/say.ts'

export interface DeliveryParts {
  readonly downloads: DownloadTransport
  readonly clock: Clock
  readonly files?: Files
  readonly bounds?: Partial<DownloadBounds>
  /** Mark of the data folder (folderMark): stale temporary files with another one are left alone. */
  readonly mark?: string
  /** A new name for a temporary file: letters, digits, `-`. */
  readonly randomName?: () => string
}

/** Delivery over real files (or those that are passed in). */
export function createDelivery(parts: DeliveryParts): Delivery {
  const { files = nodeFiles, mark = '', randomName = () => randomBytes(9).toString('hex') } = parts
  const fetching = {
    downloads: parts.downloads,
    clock: parts.clock,
    bounds: { ...defaultDownloadBounds, ...parts.bounds },
  }
  const placing = { files, clock: parts.clock }
  /** Temporary files that this process still works with. */
  const active = new Set<string>()

  const making = { files, mark, randomName, active }

  async function fetchToPart(request: FetchRequest): Promise<FetchedPart> {
    const { url, signal, onBytes } = request
    return await makePart(making, request, async (file, part) => {
      const received = await fetchInto({ ...fetching, onBytes }, file, url, signal)
      return { ...received, ...(await verifyFile(files, part, received.bytes)) }
    })
  }

  return {
    fetchToPart,
    writePart: (request) => writePart(making, request),
    settleName: (request) => settleName(files, request),
    exists: (outDir, relative) => existsIn(files, outDir, relative),
    async placePart(placement) {
      const outcome = await placePart(placing, placement)
      if (outcome === 'placed' && placement.part !== null) active.delete(placement.part)
      return outcome
    },
    recoverPlacement: (placement) => recoverPlacement(placing, placement),
    async discardPart(part) {
      if (!isPartName(basename(part))) {
        throw new DeliveryError('outside', say`${part} is not a temporary file of this program.`)
      }
      active.delete(part)
      await files.remove(part).catch((error: unknown) => {
        throw diskFault(error, part, dirname(part))
      })
    },
    async removeStaleParts(folder, known) {
      const names = await files.list(folder).catch(() => [])
      // Compared by name alone: the same folder may be written in several ways.
      const kept = new Set([...known, ...active, ...liveManifestParts].map((path) => basename(path)))
      const stale = names
        .filter((name) => isProbe(name) || (isOwnPart(name, mark) && !kept.has(name)))
        .map((name) => join(folder, name))
      for (const path of stale) await files.remove(path).catch(() => {})
      return stale.length
    },
  }
}
