import sharp from 'sharp'
import { pictureLimits, type PictureAnswer, type PictureQuestion } from './picture-orders.ts'
import { carryOut } from './picture-work.ts'

/**
 * The process in which pictures are decoded: whatever a file does to it, the program goes on. It answers one question
 * at a time, and ends itself where the memory it takes passes the bound.
 */

sharp.cache(false)
sharp.concurrency(2)

/** What a parent gives its child: in plain Node by `fork`, in a desktop window's utility process by its parent port. */
interface ParentPort {
  on(event: 'message', listener: (event: { data: unknown }) => void): void
  postMessage(message: unknown): void
}

const port = (process as { readonly parentPort?: ParentPort }).parentPort

function answer(message: PictureAnswer): void {
  if (port) port.postMessage(message)
  else process.send?.(message)
}

async function hear({ id, order }: PictureQuestion): Promise<void> {
  try {
    answer({ id, done: await carryOut(order) })
  } catch (error) {
    answer({ id, trouble: error instanceof Error ? error.message : String(error) })
  }
}

/** Exit status that says: it was the memory. */
const tooMuchMemory = 77

setInterval(() => {
  if (process.memoryUsage.rss() > pictureLimits.memory) process.exit(tooMuchMemory)
}, 25).unref()

if (port) port.on('message', ({ data }) => void hear(data as PictureQuestion))
else {
  process.on('message', (question) => void hear(question as PictureQuestion))
  process.on('disconnect', () => process.exit())
}
