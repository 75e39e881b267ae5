/**
 * The states of an image and of the queue (design, section 1), with every allowed transition in one table.
 * Names here are those of the manifest, the events and the store; what a person reads is put in words elsewhere.
 */

export const imageStates = [
  'held',
  'waiting',
  'submitting',
  'running',
  'downloading',
  'delivered',
  'skipped',
  'failed',
  'review',
  'cancelled',
] as const
export type ImageState = (typeof imageStates)[number]

/**
 * From each state, where an image may go.
 * - `submitting → waiting`: provably unsent, refused, or absence proven.
 * - `submitting → review`: it is not known whether the service took the submission, and evidence does not settle it.
 * - `running → review`: the service no longer knows a run that it acknowledged.
 * - `downloading → running`: never; a dead link is renewed inside `downloading`.
 * - `delivered → waiting`: a person asks for the picture again; the only way to spend on it twice.
 */
export const imageTransitions: Readonly<Record<ImageState, readonly ImageState[]>> = {
  held: ['waiting', 'cancelled'],
  waiting: ['submitting', 'held', 'skipped', 'failed', 'cancelled', 'review'],
  submitting: ['running', 'waiting', 'review', 'failed'],
  running: ['downloading', 'failed', 'review'],
  downloading: ['delivered', 'failed'],
  delivered: ['waiting'],
  skipped: ['waiting'],
  failed: ['waiting', 'downloading', 'cancelled'],
  review: ['running', 'waiting', 'cancelled', 'failed'],
  cancelled: ['waiting'],
}

export function mayMove(from: ImageState, to: ImageState): boolean {
  return imageTransitions[from].includes(to)
}

export const queueStates = ['running', 'paused', 'offline', 'out-of-credits', 'key-rejected'] as const
export type QueueState = (typeof queueStates)[number]

/** Any stop may follow any other; only resuming from `key-rejected` needs a key first (the engine checks it). */
export const queueTransitions: Readonly<Record<QueueState, readonly QueueState[]>> = {
  running: ['paused', 'offline', 'out-of-credits', 'key-rejected'],
  paused: ['running', 'offline', 'out-of-credits', 'key-rejected'],
  offline: ['running', 'paused', 'out-of-credits', 'key-rejected'],
  'out-of-credits': ['running', 'paused', 'offline', 'key-rejected'],
  'key-rejected': ['running', 'paused'],
}

/**
 * States of one submission attempt in the ledger.
 * `intent → unsent | sending → acked | refused | unknown → adopted | absent | review`; a person's decision on a
 * review ends in `adopted` or `dropped`.
 */
export const attemptStates = [
  'intent',
  'unsent',
  'sending',
  'acked',
  'refused',
  'unknown',
  'adopted',
  'absent',
  'review',
  'dropped',
] as const
export type AttemptState = (typeof attemptStates)[number]

export const attemptTransitions: Readonly<Record<AttemptState, readonly AttemptState[]>> = {
  intent: ['unsent', 'sending'],
  unsent: [],
  sending: ['acked', 'refused', 'unknown'],
  acked: [],
  refused: [],
  unknown: ['adopted', 'absent', 'review'],
  adopted: [],
  absent: [],
  review: ['adopted', 'dropped'],
  dropped: [],
}
