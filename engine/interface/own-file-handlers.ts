import type { EngineContract } from '../../shared/contract/engine-contract.ts'
import type { OwnFilesRecord } from '../../shared/contract/own-file-records.ts'
import type { Handlers } from '../../shared/rpc/contract.ts'
import { Fault } from '../../shared/rpc/fault.ts'
import { folderMark } from '../delivery/folder-mark.ts'
import { checkStorageWorks } from '../own-files/check-storage.ts'
import { lookAtFolder } from '../own-files/look-at-folder.ts'
import { StoragePublisher, targetOf } from '../own-files/publisher.ts'
import { checkPublishedFolder, checkStorage } from '../own-files/set-up.ts'
import { checkedKeys, StorageKeyRing } from '../own-files/storage-keys.ts'
import type { PictureWorkers } from '../pictures/picture-workers.ts'
import type { InterfaceParts } from './parts.ts'
import { Topic } from './topic.ts'
import { say } from '../../shared/language/say.ts'

/** What publishes pictures of this computer, and its setting up behind the contract. */
export function openOwnFiles(parts: InterfaceParts, workers: PictureWorkers) {
  const topic = new Topic()
  const keys = new StorageKeyRing(parts.vault, parts.storageKeys)
  const publisher = new StoragePublisher({
    ...parts,
    mark: folderMark(parts.home),
    keys,
    storage: () => parts.preferences.read().ownFiles.storage,
    workers: () => workers,
    onChange: () => topic.ring(),
  })
  return { publisher, handlers: ownFileHandlers({ parts, keys, publisher, topic }) }
}

interface OwnFileParts {
  readonly parts: InterfaceParts
  readonly keys: StorageKeyRing
  readonly publisher: StoragePublisher
  /** Rung when what is set up, or what is being uploaded, changed. */
  readonly topic: Topic
}

/** Keys go in, and never come out again. */
function ownFileHandlers(all: OwnFileParts): Handlers<EngineContract>['ownFiles'] {
  const { parts, keys: ring, topic } = all
  const { preferences, home, clock } = parts
  const ownFiles = () => preferences.read().ownFiles
  const change = (patch: Partial<ReturnType<typeof ownFiles>>) => {
    preferences.change({ ownFiles: { ...ownFiles(), ...patch } })
    topic.ring()
    return {}
  }
  return {
    watch: (_, { signal }) => follow(all, signal),
    setPublished: async (wanted) => change({ published: await checkPublishedFolder(wanted) }),
    setStorage: async ({ storage: wanted, keys, unprotected }) => {
      const storage = checkStorage(wanted)
      const before = ownFiles().storage
      // Kept keys go nowhere but to the storage that they were given for.
      if (!keys && (!before || targetOf(before) !== targetOf(storage))) {
        throw new Fault('refused', say`Give the keys of this storage too.`)
      }
      const known = keys ? checkedKeys(keys.accessKey, keys.secretKey) : await ring.read()
      if (typeof known === 'string') throw new Fault('refused', known)
      await checkStorageWorks(storage, known, { mark: folderMark(home) })
      const kept = keys ? await ring.keep(known, unprotected) : true
      change({ storage })
      return { kept }
    },
    check: async ({ kind }) => {
      const { published, storage } = ownFiles()
      if (kind === 'published') {
        if (!published) throw new Fault('refused', say`No published folder is set up.`)
        return await lookAtFolder(published, { clock })
      }
      if (!storage) throw new Fault('refused', say`No storage is set up.`)
      const keys = await ring.read()
      if (typeof keys === 'string') return { ok: false, sentence: keys }
      try {
        await checkStorageWorks(storage, keys, { mark: folderMark(home) })
        const sentence = say`The storage works: an object was written, read through a signed link, and removed.`
        return { ok: true, sentence }
      } catch (error) {
        if (error instanceof Fault) return { ok: false, sentence: error.message }
        throw error
      }
    },
    remove: async ({ kind }) => {
      if (kind === 'storage') await ring.forget()
      return change(kind === 'storage' ? { storage: null } : { published: null })
    },
  }
}

async function* follow(
  { parts, keys, publisher, topic }: OwnFileParts,
  signal: AbortSignal,
): AsyncGenerator<OwnFilesRecord> {
  while (!signal.aborted) {
    const { version } = topic
    const { done, total } = publisher.progress
    yield {
      ...parts.preferences.read().ownFiles,
      keysKnown: typeof (await keys.read()) !== 'string',
      uploading: total === 0 ? null : { done, total },
      trouble: publisher.waitsFor ?? null,
    }
    await topic.after(version, signal)
  }
}
