import type { EngineContract } from '../../shared/contract/engine-contract.ts'
import type { Handlers } from '../../shared/rpc/contract.ts'
import type { Changes } from '../interface/changes.ts'
import type { Comparing } from '../interface/comparing.ts'
import { imageOf } from '../interface/image-actions.ts'
import { ImageRecords } from '../interface/image-records.ts'
import type { InterfaceParts } from '../interface/parts.ts'
import type { Workplace } from '../interface/workplace.ts'
import { fileResponse } from '../pictures/file-response.ts'
import type { PictureWorkers } from '../pictures/picture-workers.ts'
import type { Store } from '../store/store.ts'
import { PreviewItems } from './preview-items.ts'
import { Tries } from './tries.ts'
import { say } from '../../shared/language/say.ts'

export interface PreviewingParts {
  readonly parts: InterfaceParts
  readonly workplace: Workplace
  readonly changes: Changes
  readonly workers: PictureWorkers
  /** Where fetched sources are kept: the same as for comparing, so that a picture is fetched once. */
  readonly openPictures: Comparing['openPictures']
}

/** The live preview, as an interface sees it. */
export interface Previewing {
  readonly handlers: Handlers<EngineContract>['preview']
  /** Answers the addresses of previews (shared/contract/pictures.ts); undefined for others. */
  readonly pictures: (request: Request) => Promise<Response | undefined>
}

export function openPreviewing(all: PreviewingParts): Previewing {
  const { parts, workplace, changes } = all
  const { store } = parts
  const tries = new Tries({
    store,
    clock: parts.clock,
    connectionId: () => workplace.session().storeId,
    balance: () => workplace.balance?.total,
  })
  let opening: Promise<PreviewItems> | undefined
  const open = async () => {
    const { cache, originals } = await all.openPictures()
    return new PreviewItems({
      cache,
      originals,
      workers: all.workers,
      cutOutsOf: (image) => tries.cutOutsOf(image),
    })
  }
  const items = () => (opening ??= open())
  return {
    handlers: {
      item: async ({ image }) => {
        if (parts.preferences.read().chosen.thumbnails === false) {
          return { kind: 'trouble', sentence: say`Small pictures are turned off in the preferences.` }
        }
        return (await items()).item(image)
      },
      planTry: ({ image, recipe }) => tries.plan(image, recipe),
      try: ({ plan }) => tries.carryOut(plan),
      follow: ({ image }, { signal }) => follow(store, changes, image, signal),
    },
    async pictures(request) {
      const { pathname, searchParams } = new URL(request.url)
      if (!pathname.includes('/source/preview-')) return undefined
      const path = await (await items()).file(pathname, searchParams.get('v') ?? '')
      return path === undefined
        ? new Response(say`There is no such picture.`, { status: 404 })
        : fileResponse(request, { path, type: 'image/png' }, true)
    },
  }
}

/** An image's record, and each change of it. */
async function* follow(store: Store, changes: Changes, id: number, signal: AbortSignal) {
  const leave = changes.follow()
  let told = ''
  try {
    while (!signal.aborted) {
      const { version } = changes.topic
      const record = new ImageRecords(store).record(imageOf(store, id))
      const text = JSON.stringify(record)
      if (text !== told) yield record
      told = text
      await changes.topic.after(version, signal)
    }
  } finally {
    leave()
  }
}
