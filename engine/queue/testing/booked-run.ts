import type { Order } from './order.ts'
import type { Outcome } from './story.ts'

/** A run in the service's own books. */
export interface BookedRun {
  readonly id: string
  readonly order: Order
  readonly ours: boolean
  /** Where its end is to be announced. */
  readonly webhookUrl: string | undefined
  readonly created: number
  /** Virtual time of acceptance, and from when on lists show it. */
  readonly acceptedAt: number
  readonly visibleAt: number
  readonly outcome: Outcome
  /** Accepted noticeably after its connection had closed. */
  readonly late: boolean
  status: 'IN_QUEUE' | 'IN_PROGRESS' | 'SUCCESS' | 'FAILED'
  charged: number
  completed: number | undefined
}
