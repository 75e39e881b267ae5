import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { RetoucherSettings } from '../../shared/settings.ts'
import type { Processed, ShadowDefaults } from './process.ts'
import type { ImageApp } from './retouch.ts'

/** Image work beside the event loop: a fixed number of threads, jobs in the order in which they came. */

export interface ImageJob {
  readonly input: Uint8Array
  readonly app: ImageApp
  readonly settings: RetoucherSettings
  /** The account's saved shadow values, for the keys that the request leaves out (4.7 rule 3). */
  readonly accountDefaults?: Partial<ShadowDefaults>
}

export interface ImageWorkers {
  /** Processes one picture; rejects with a sentence for people when it cannot be done. */
  process(job: ImageJob): Promise<Processed>
  /** Ends all threads at once; what is waiting or running is rejected. */
  close(): Promise<void>
}

interface Waiting {
  readonly job: ImageJob
  readonly resolve: (done: Processed) => void
  readonly reject: (error: Error) => void
}

/** What a worker thread answers: the outputs, or why there are none. */
export type WorkerAnswer = { readonly done: Processed } | { readonly error: string }

// The thread runs this folder's source as it is, or its built form once the program is installed.
const script = new URL(
  import.meta.url.endsWith('.ts') ? './image-worker.ts' : './image-worker.js',
  import.meta.url,
)

/** Starts threads as they are needed, `size` at most (default: one per core but one, at least one). */
export function createImageWorkers(options: { readonly size?: number } = {}): ImageWorkers {
  const size = Math.max(1, Math.floor(options.size ?? availableParallelism() - 1))
  const queue: Waiting[] = []
  const idle: Worker[] = []
  const busy = new Map<Worker, Waiting>()
  let closed = false

  function next(): void {
    while (queue.length > 0 && (idle.length > 0 || busy.size < size)) {
      const worker = idle.pop() ?? started()
      const waiting = queue.shift()!
      busy.set(worker, waiting)
      worker.ref()
      worker.postMessage(waiting.job)
    }
  }

  function started(): Worker {
    const worker = new Worker(script)
    worker.on('message', (answer: WorkerAnswer) => {
      const waiting = busy.get(worker)
      if (!busy.delete(worker)) return
      // An idle thread does not keep the process alive.
      worker.unref()
      idle.push(worker)
      if ('error' in answer) waiting?.reject(new Error(answer.error))
      else waiting?.resolve(asBuffers(answer.done))
      next()
    })
    const lost = (): void => {
      const waiting = busy.get(worker)
      busy.delete(worker)
      const place = idle.indexOf(worker)
      if (place >= 0) idle.splice(place, 1)
      waiting?.reject(new Error('The image could not be processed: the work on it ended unexpectedly.'))
      if (!closed) next()
    }
    worker.on('error', lost)
    worker.on('exit', lost)
    return worker
  }

  return {
    process(job) {
      if (closed) return Promise.reject(new Error('The image workers are closed.'))
      return new Promise((resolve, reject) => {
        queue.push({ job, resolve, reject })
        next()
      })
    },
    async close() {
      closed = true
      for (const waiting of queue.splice(0)) waiting.reject(new Error('The image workers are closed.'))
      await Promise.all([...idle, ...busy.keys()].map((worker) => worker.terminate()))
    },
  }
}

/** Buffers cross a thread border as plain byte arrays. */
function asBuffers(done: Processed): Processed {
  const buffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return {
    outputs: done.outputs.map((output) => ({ ...output, data: buffer(output.data) })),
    thumbnail: buffer(done.thumbnail),
  }
}
