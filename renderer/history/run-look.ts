import type { RunRecord } from '../../shared/contract/records.ts'
import type { ItemLook } from '../ui/item-look.ts'
import { t } from '../../shared/language/text.ts'

/** Whether a run has results that can be fetched. The service's list names no files, so its status has to say it. */
export function hasResults({ status }: RunRecord): boolean {
  return status.toUpperCase() === 'SUCCESS'
}

/** How a run's status, as the service wrote it, is shown; unknown words are shown as they are. */
export function runLook(status: string): { readonly look: ItemLook; readonly words: string } {
  switch (status.toUpperCase()) {
    case 'IN_QUEUE':
      return { look: 'queue', words: t`In queue` }
    case 'IN_PROGRESS':
      return { look: 'processing', words: t`Processing` }
    case 'SUCCESS':
      return { look: 'done', words: t`Done` }
    case 'FAILED':
      return { look: 'failed', words: t`Failed` }
    default:
      return { look: 'waiting', words: status.slice(0, 40) }
  }
}
