import { said } from './said.ts'
import { t } from './text.ts'

/** Why a batch stopped, as it is kept: the kind of the queue's end (engine/queue/queue.ts); null where none is known. */
export function stopWords(reason: string | null): string {
  switch (reason) {
    case null:
      return t`Nothing more is sent until you decide.`
    case 'budget':
      return t`The budget is used up.`
    case 'out-of-credits':
      return t`The credits are used up.`
    case 'key-rejected':
      return t`The service rejected the key.`
    case 'unwritable':
      return t`The output folder cannot be used.`
    case 'paused':
      return t`Too much was unclear to go on; look at what needs a decision.`
    default:
      return said(reason)
  }
}
