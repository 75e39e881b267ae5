import type { ConnectionRecord, QueueRecord } from '../../shared/contract/records.ts'
import { day, figure, plural, range } from '../app/format.ts'
import { t } from '../../shared/language/text.ts'

/** What the foot of the sidebar says. */
export interface BalanceLook {
  readonly dot: '' | 'off' | 'amb' | 'red' | 'grey'
  readonly status: string
  /** "528 credits"; undefined while no balance is known. */
  readonly credits: string | undefined
  readonly isLow: boolean
  /** Shares of the bar from 0 to 1. */
  readonly committed: number
  readonly isShort: boolean
  readonly note: string
}

function statusOf(connection: ConnectionRecord | undefined, queue: QueueRecord | undefined) {
  if (!connection) return { dot: 'off', status: t`Not connected` } as const
  if (connection.key === 'missing') return { dot: 'red', status: t`Key missing` } as const
  switch (queue?.state) {
    case 'offline':
      return { dot: 'off', status: t`Offline` } as const
    case 'key-rejected':
      return { dot: 'red', status: t`Key rejected` } as const
    case 'out-of-credits':
      return { dot: 'amb', status: t`Out of credits` } as const
    case 'running':
    case 'paused':
    case undefined:
      return connection.kind === 'practice'
        ? ({ dot: 'grey', status: t`Practice service` } as const)
        : ({ dot: '', status: t`Connected` } as const)
  }
}

export function balanceLook(
  connection: ConnectionRecord | undefined,
  queue: QueueRecord | undefined,
): BalanceLook {
  const status = statusOf(connection, queue)
  const balance = queue?.balance
  if (!balance) {
    return {
      ...status,
      credits: undefined,
      isLow: false,
      committed: 0,
      isShort: false,
      note: t`No balance yet`,
    }
  }
  const committed = queue?.committed ?? null
  const most = committed?.max ?? 0
  const free = balance.total - most
  const note =
    committed === null
      ? t`Price not known yet`
      : most === 0
        ? t`No credits committed`
        : free < 0
          ? t`${range(committed)} needed · ${figure(-free)} short`
          : t`${range(committed)} committed · ${figure(free)} free`
  return {
    ...status,
    credits:
      connection?.kind === 'practice'
        ? plural(balance.total, 'play credit')
        : plural(balance.total, 'credit'),
    isLow: queue?.state === 'out-of-credits',
    committed: balance.total <= 0 ? (most > 0 ? 1 : 0) : Math.min(1, most / balance.total),
    isShort: free < 0,
    note,
  }
}

/** Rows of the balance's details: what is known of it, in words. */
export function balanceRows(
  connection: ConnectionRecord | undefined,
  queue: QueueRecord | undefined,
): readonly (readonly [string, string])[] {
  const balance = queue?.balance
  if (!balance) return []
  return [
    [t`Total`, figure(balance.total)] as const,
    ...(balance.subscription === null ? [] : [[t`Subscription`, figure(balance.subscription)] as const]),
    ...(balance.other === null ? [] : [[t`Add-on`, figure(balance.other)] as const]),
    ...(balance.tier === null ? [] : [[t`Plan`, balance.tier] as const]),
    [t`Expires`, balance.expires === null ? t`Does not expire` : day(balance.expires)] as const,
    ...(queue?.committed ? [[t`Committed`, range(queue.committed)] as const] : []),
    ...(connection ? [[t`Connection`, connection.name] as const] : []),
  ]
}
