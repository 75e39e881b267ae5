import { parentPort } from 'node:worker_threads'
import sharp from 'sharp'
import { processImage } from './process.ts'
import type { ImageJob, WorkerAnswer } from './worker-pool.ts'

// One thread of the pool: one job at a time. The pool is the parallelism; libvips must not add its own.
sharp.concurrency(1)
sharp.cache(false)

async function answered(job: ImageJob): Promise<WorkerAnswer> {
  try {
    return { done: await processImage(Buffer.from(job.input), job.app, job.settings, job.accountDefaults) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

parentPort?.on('message', (job: ImageJob) => {
  void answered(job).then((answer) => parentPort?.postMessage(answer))
})
