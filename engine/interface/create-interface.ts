import { randomBytes } from 'node:crypto'
import type { EngineContract } from '../../shared/contract/engine-contract.ts'
import type { Handlers } from '../../shared/rpc/contract.ts'
import { folderMark } from '../delivery/folder-mark.ts'
import { createManifestWriter, type ManifestWriter } from '../delivery/manifest.ts'
import { nodeFiles } from '../delivery/node-files.ts'
import { createPictureWorkers, type PictureWorkers } from '../pictures/picture-workers.ts'
import { openPreviewing } from '../preview/previewing.ts'
import { batchHandlers } from './batch-handlers.ts'
import { BatchRecords } from './batch-records.ts'
import { Changes } from './changes.ts'
import { openComparing } from './comparing.ts'
import { ConnectionBook } from './connection-book.ts'
import { connectionHandlers } from './connection-handlers.ts'
import { Drafts } from './drafts.ts'
import { Drops } from './drops.ts'
import { Estimates } from './estimates.ts'
import { openHotFolders } from './hot-folder-handlers.ts'
import { ImageActions } from './image-actions.ts'
import { imageHandlers } from './image-handlers.ts'
import { ImageViews } from './image-views.ts'
import { intakeHandlers } from './intake-handlers.ts'
import { Notices } from './notices.ts'
import { openOwnFiles } from './own-file-handlers.ts'
import type { InterfaceParts } from './parts.ts'
import { PictureDesk } from './picture-desk.ts'
import { preferenceHandlers } from './preference-handlers.ts'
import { presetHandlers } from './preset-handlers.ts'
import { queueHandlers } from './queue-handlers.ts'
import { reportHandlers } from './report-handlers.ts'
import { reviewHandlers } from './review-handlers.ts'
import { appHandlers, runHandlers } from './run-handlers.ts'
import { Topic } from './topic.ts'
import { Workplace } from './workplace.ts'
import { say } from '../../shared/language/say.ts'

/** The engine as an interface sees it. */
export interface EngineInterface {
  readonly handlers: Handlers<EngineContract>
  /** Where a shell puts what a person dropped or picked. */
  readonly drops: Drops
  /** Answers `pictures/…` (shared/contract/pictures.ts), whatever the scheme and host. */
  readonly pictures: (request: Request) => Promise<Response>
  /** Ends all work in good order; what is on the disk is enough to go on from. */
  readonly close: () => Promise<void>
}

/**
 * Puts the engine behind the contract and begins to work: what ran when the program ended goes on. Shells differ in
 * the parts they bring and in what carries the frames.
 */
export async function createInterface(parts: InterfaceParts): Promise<EngineInterface> {
  const { store, preferences } = parts
  const notices = new Notices()
  const book = new ConnectionBook(parts)
  const manifests = manifestWriter(parts, notices)
  const workers = pictureWorkers(parts)
  const ownFiles = openOwnFiles(parts, workers)
  const workplace = new Workplace(parts, book, notices, { ...ownFiles, manifests })
  const changes = new Changes(store, workplace.bytes)
  const views = new ImageViews(store)
  const leads = () => workplace.bench?.keeper.queue !== undefined
  const actions = new ImageActions(store, views, manifests, leads)
  const records = new BatchRecords(parts, book, workplace)
  const drops = new Drops()
  const drafts = new Drafts()
  const estimates = new Estimates({ parts, drafts, workplace, records })
  const comparing = openComparing({
    ...parts,
    workers,
    files: parts.files ?? nodeFiles,
    client: () => workplace.session().client,
    onPathsChanged: (batchSeq) => actions.changed([batchSeq]),
  })
  const { openPictures } = comparing
  const previewing = openPreviewing({ parts, workplace, changes, workers, openPictures })
  const pictures = new PictureDesk(parts, workplace, workers)
  const hotFolders = openHotFolders({ parts, workplace, changes, notices })
  /** Rung whenever presets or preferences change. */
  const chosen = new Topic()
  await book.open()
  // A service that does not answer must not keep the window from opening.
  void workplace.change()
  return {
    handlers: {
      connections: connectionHandlers(parts, book, workplace),
      queue: queueHandlers({ parts, book, workplace, changes, records }),
      intake: intakeHandlers({ parts, drops, drafts, estimates, workplace }),
      batches: batchHandlers({ parts, book, workplace, changes, records, actions }),
      images: imageHandlers({ parts, workplace, drops, changes, views, actions }),
      review: reviewHandlers(parts, workplace, actions),
      presets: presetHandlers(preferences, book, chosen),
      apps: appHandlers(workplace),
      runs: runHandlers(parts, workplace),
      preferences: preferenceHandlers(parts, chosen, () => pictures.clearThumbnails()),
      compare: comparing.handlers,
      preview: previewing.handlers,
      ownFiles: ownFiles.handlers,
      hotFolders: hotFolders.handlers,
      reports: reportHandlers(parts, pictures),
      notices: { watch: (_, { signal }) => notices.follow(signal) },
    },
    drops,
    pictures: firstAnswer([comparing, previewing], pictures),
    close: async () => {
      await hotFolders.close()
      await workplace.close()
      workers.close()
      await comparing.close()
      await pictures.close()
    },
  }
}

function pictureWorkers({ startPictureProcess: start }: InterfaceParts): PictureWorkers {
  return createPictureWorkers(start ? { start } : {})
}

/** Each answers its own addresses; the desk has the last word. */
function firstAnswer(
  rooms: readonly { readonly pictures: (request: Request) => Promise<Response | undefined> }[],
  desk: PictureDesk,
) {
  return async (request: Request): Promise<Response> => {
    for (const { pictures } of rooms) {
      const answer = await pictures(request)
      if (answer) return answer
    }
    return await desk.answer(request)
  }
}

function manifestWriter({ files, clock, home }: InterfaceParts, notices: Notices): ManifestWriter {
  return createManifestWriter({
    files: files ?? nodeFiles,
    clock,
    randomName: () => `${folderMark(home)}-${randomBytes(9).toString('hex')}`,
    onError: ({ message }) => notices.tell(say`The manifest could not be written: ${message}`, 'warning'),
  })
}
