import type { ImageState } from '../../shared/states.ts'
import { t } from '../../shared/language/text.ts'

/** How an image is shown: the states of shared/states.ts, with a run at the service told apart by what it does there. */
export type ItemLook =
  | 'waiting'
  | 'held'
  | 'submitting'
  | 'queue'
  | 'processing'
  | 'downloading'
  | 'done'
  | 'failed'
  | 'review'
  | 'cancelled'
  | 'skipped'

/** The word of each look; a failure's short reason may take the place of "Failed". */
export const lookWords: Readonly<Record<ItemLook, string>> = {
  waiting: t`Waiting`,
  held: t`Held`,
  submitting: t`Submitting`,
  queue: t`In queue`,
  processing: t`Processing`,
  downloading: t`Downloading`,
  done: t`Done`,
  failed: t`Failed`,
  review: t`Needs review`,
  cancelled: t`Cancelled`,
  skipped: t`Skipped`,
}

/** The look of a state; `atWork` says that the service has begun with a running image. */
export function lookOf(state: ImageState, atWork = false): ItemLook {
  if (state === 'running') return atWork ? 'processing' : 'queue'
  return state === 'delivered' ? 'done' : state
}

/** One of the four parts of the track Submit · Queue · Process · Save; a number is a part under way, from 0 to 1. */
export type StepPart = 'empty' | 'full' | 'failed' | 'question' | number

/**
 * The track of a look, undefined where there is none.
 * @param progress of the step under way, 0 to 1 (only a download knows it; a run fills toward the median and holds)
 * @param failedAt the step (0 to 3) in which it failed
 */
export function stepsOf(look: ItemLook, progress = 0.6, failedAt = 2): readonly StepPart[] | undefined {
  switch (look) {
    case 'submitting':
      return track(0, progress)
    case 'queue':
      return track(1, progress)
    case 'processing':
      return track(2, Math.min(progress, 0.9))
    case 'downloading':
      return track(3, progress)
    case 'done':
      return ['full', 'full', 'full', 'full']
    case 'failed':
      return track(failedAt, 'failed')
    case 'review':
      return track(0, 'question')
    case 'waiting':
    case 'held':
    case 'cancelled':
    case 'skipped':
      return undefined
  }
}

function track(at: number, part: StepPart): readonly StepPart[] {
  return [0, 1, 2, 3].map((step) => (step < at ? 'full' : step === at ? part : 'empty'))
}
