import { nodeFiles } from '../../engine/delivery/node-files.ts'
import type { Files } from '../../engine/delivery/files.ts'
import { createNodeTransport } from '../../engine/service/node-transport.ts'
import type { SubmitConnection, Transport } from '../../engine/service/transport.ts'
import { BatchTable } from '../../engine/store/batches.ts'
import { ConnectionTable } from '../../engine/store/connections.ts'
import { ImageTable } from '../../engine/store/images.ts'
import { Ledger } from '../../engine/store/ledger.ts'
import { OutputTable } from '../../engine/store/outputs.ts'
import { Store } from '../../engine/store/store.ts'

/**
 * Every place where the engine writes or sends, by name, with a visit right after each: what a walk of kills goes
 * through. Right before a place is right after the one before it, so that moment is visited too. Writes of the store
 * are methods of its tables (inside a transaction: not yet committed) and the commit of each transaction; the rest
 * are the calls of the injected transport and files.
 */
export type Visit = (place: string) => void

const storeWrites = [
  [Store, 'store', ['transaction']],
  [BatchTable, 'batches', ['add', 'setState', 'interruptAbandoned']],
  [ImageTable, 'images', ['add', 'move', 'tryMove', 'patch']],
  [Ledger, 'ledger', ['intend', 'move', 'note', 'setClosed']],
  [OutputTable, 'outputs', ['name', 'placed', 'forget']],
  [ConnectionTable, 'connections', ['add', 'setFirstSeen', 'learn', 'learnBasePrice']],
] as const

type Method = (this: unknown, ...parameters: unknown[]) => unknown

/** Wraps the writing methods of the store's classes; for a process of its own only. */
export function watchStore(visit: Visit) {
  for (const [type, room, names] of storeWrites) {
    const prototype = type.prototype as unknown as Record<string, Method>
    for (const name of names) {
      const original = prototype[name]!
      prototype[name] = function (...parameters) {
        const result = original.apply(this, parameters)
        visit(`${room}.${name}`)
        return result
      }
    }
  }
}

/** The real file system, with a visit around every call that changes it. */
export function watchedFiles(visit: Visit): Files {
  const around =
    <P extends unknown[], R>(name: string, call: (...parameters: P) => Promise<R>) =>
    async (...parameters: P): Promise<R> => {
      const result = await call(...parameters)
      visit(`files.${name}`)
      return result
    }
  return {
    ...nodeFiles,
    async create(path) {
      const file = await nodeFiles.create(path)
      visit('files.create')
      return {
        write: around('write', (chunks) => file.write(chunks)),
        restart: around('restart', () => file.restart()),
        sync: around('sync', () => file.sync()),
        close: () => file.close(),
      }
    },
    makeFolder: around('makeFolder', (folder) => nodeFiles.makeFolder(folder)),
    link: around('link', (from, to) => nodeFiles.link(from, to)),
    rename: around('rename', (from, to) => nodeFiles.rename(from, to)),
    remove: around('remove', (path) => nodeFiles.remove(path)),
    syncFolder: around('syncFolder', (folder) => nodeFiles.syncFolder(folder)),
  }
}

/** The real transport, with a visit around every request, and between "sending" and the first byte. */
export function watchedTransport(visit: Visit): Transport {
  const real = createNodeTransport()
  return {
    async request(call) {
      const what = new URL(call.url).pathname.replace(/run_\w+/, '{run_id}')
      const answer = await real.request(call)
      visit(`GET ${what}`)
      return answer
    },
    async open(url, options) {
      const connection = await real.open(url, options)
      visit('connect')
      return watchedConnection(connection, visit)
    },
  }
}

function watchedConnection(connection: SubmitConnection, visit: Visit): SubmitConnection {
  return {
    get usable() {
      return connection.usable
    },
    async post(call) {
      const answer = await connection.post({
        ...call,
        sending() {
          call.sending()
          visit('between SENDING and the first byte')
        },
      })
      visit('POST /run answered')
      return answer
    },
    close: () => connection.close(),
  }
}
