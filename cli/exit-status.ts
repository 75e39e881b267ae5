import type { QueueEnd } from '../engine/queue/queue.ts'

/** Every exit status of the program (design, section 9); kept compatible. */
export const exitStatus = {
  /** Every image delivered, or skipped as already delivered; for other commands: done. */
  done: 0,
  /** Finished, but some images failed or need review. */
  attention: 2,
  /** Stopped for credits or budget, after everything already paid for was delivered. */
  stopped: 3,
  /** The key is missing or was rejected. */
  key: 4,
  /** Wrong use, nothing to do, or a question with no terminal and no --yes. */
  usage: 64,
  /** Not the service, or out of reach at the start. */
  unreachable: 69,
  /** A fault of the program itself. */
  fault: 70,
  /** An output cannot be written. */
  unwritable: 73,
  /** Interrupted; `vitrine resume` goes on. */
  interrupted: 130,
} as const

export type ExitStatus = (typeof exitStatus)[keyof typeof exitStatus]

/** The status with which work on batches ends, from why it ended and what became of their images. */
export function statusOfWork(
  end: QueueEnd['kind'],
  counts: { readonly failed: number; readonly review: number },
): ExitStatus {
  switch (end) {
    case 'interrupted':
      return exitStatus.interrupted
    case 'key-rejected':
      return exitStatus.key
    case 'unwritable':
      return exitStatus.unwritable
    case 'out-of-credits':
    case 'budget':
      return exitStatus.stopped
    case 'paused':
      // It pauses by itself only over submissions that need a decision, and a storage that a person has to see to.
      return exitStatus.attention
    case 'done':
      return counts.failed + counts.review > 0 ? exitStatus.attention : exitStatus.done
  }
}
