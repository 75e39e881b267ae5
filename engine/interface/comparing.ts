import { join } from 'node:path'
import type { EngineContract } from '../../shared/contract/engine-contract.ts'
import type { Handlers } from '../../shared/rpc/contract.ts'
import { Fault } from '../../shared/rpc/fault.ts'
import type { Clock } from '../clock.ts'
import type { Files } from '../delivery/files.ts'
import { fileResponse } from '../pictures/file-response.ts'
import { PictureCache } from '../pictures/picture-cache.ts'
import { PictureViews, type Originals } from '../pictures/picture-views.ts'
import type { PictureWorkers } from '../pictures/picture-workers.ts'
import type { PreferenceStore } from '../preferences/preferences.ts'
import type { ServiceClient } from '../service/service-client.ts'
import type { Downloads } from '../service/undici-downloads.ts'
import type { Store } from '../store/store.ts'
import { CompareOriginals } from './compare-originals.ts'
import { comparedRecord } from './compare-subjects.ts'
import { PlaceMarked } from './place-marked.ts'
import { say } from '../../shared/language/say.ts'

export interface ComparingParts {
  /** Data folder, absolute. */
  readonly home: string
  readonly store: Store
  readonly preferences: PreferenceStore
  readonly clock: Clock
  readonly files: Files
  /** The client of the active connection. @throws Fault */
  readonly client: () => ServiceClient
  readonly openDownloads: (baseUrl: string) => Downloads
  /** Paths of a batch have changed: its manifest is to be written anew. */
  readonly onPathsChanged: (batchSeq: number) => void
  /** Not closed here: others have pictures decoded by them too. */
  readonly workers: PictureWorkers
  /** Bytes that the cache may take on the disk. */
  readonly cacheBound?: number
}

/** Comparing pictures, as an interface sees it. */
export interface Comparing {
  readonly handlers: Handlers<EngineContract>['compare']
  /** Answers the addresses of a comparison (shared/contract/pictures.ts); undefined for others. */
  readonly pictures: (request: Request) => Promise<Response | undefined>
  /** The files behind pictures and their cache, for others who draw them. */
  readonly openPictures: () => Promise<{ readonly originals: Originals; readonly cache: PictureCache }>
  readonly close: () => Promise<void>
}

/** Where levels, tiles and fetched originals are kept in a data folder. */
function pictureCacheFolder(home: string): string {
  return join(home, 'pictures')
}

export function openComparing(parts: ComparingParts): Comparing {
  // The cache is read when it is first needed: a program that starts has better things to do.
  let opening: Promise<Opened> | undefined
  const opened = () => (opening ??= open(parts))
  const placing = new PlaceMarked({ ...parts, records: join(parts.home, 'placings') })
  return {
    handlers: {
      subject: ({ of }) => comparedRecord(parts, of),
      look: async ({ of, which, ahead }) => (await opened()).views.look(of, which, ahead),
      tiles: async ({ of, which, ahead }) => (await opened()).views.tiles(of, which, ahead),
      measure: async ({ of, a, b }) => (await opened()).views.measure(of, a, b),
      item: async ({ of, which, ahead }) => ({ box: await (await opened()).views.item(of, which, ahead) }),
      marks: ({ batch }) => reviewed(parts.store, batch),
      place: (request) => placing.place(request),
      unplace: ({ record }) => placing.takeBack(record),
    },
    async pictures(request) {
      const { pathname, searchParams } = new URL(request.url)
      if (!/\/(?:quick|whole|tile-[\d-]+)$/.test(pathname)) return undefined
      const file = await (await opened()).views.file(pathname, searchParams.get('v') ?? '')
      return file
        ? fileResponse(request, file, true)
        : new Response(say`There is no such picture.`, { status: 404 })
    },
    openPictures: opened,
    async close() {
      if (!opening) return
      await (await opening).originals.close()
    },
  }
}

interface Opened {
  readonly views: PictureViews
  readonly originals: CompareOriginals
  readonly cache: PictureCache
}

async function open(parts: ComparingParts): Promise<Opened> {
  const cache = await PictureCache.open(pictureCacheFolder(parts.home), parts.cacheBound)
  const originals = new CompareOriginals({ ...parts, cache })
  return { views: new PictureViews({ originals, cache, workers: parts.workers }), originals, cache }
}

function reviewed(store: Store, id: string) {
  const batch = store.batches.byId(id)
  if (!batch) throw new Fault('gone', say`This batch is not there any more.`)
  const count = (marks: string[]) =>
    store.lists.count(batch.seq, { states: [], marks, search: '', sort: 'queue', descending: false })
  const counts = store.batches.counts(batch.seq)
  return {
    kept: count(['keep-1', 'keep-2']),
    rejected: count(['reject']),
    delivered: counts.delivered + counts.skipped,
  }
}
