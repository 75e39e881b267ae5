import type { BatchRecord, ConnectionRecord, QueueRecord } from '../../shared/contract/records.ts'

export type BannerKind = 'key-rejected' | 'out-of-credits' | 'out-dir' | 'offline' | 'following' | 'practice'

export interface BannerQuestion {
  readonly batch: BatchRecord
  readonly queue: QueueRecord | undefined
  readonly connection: ConnectionRecord | undefined
  readonly isLongOffline: boolean
  readonly isPracticeHidden: boolean
}

/** Only one at a time: a rejected key, out of credits, the output folder, offline, another program, practice. */
export function bannerOf(question: BannerQuestion): BannerKind | undefined {
  const { batch, queue, connection, isLongOffline, isPracticeHidden } = question
  const isHere = batch.connectionId === null || batch.connectionId === queue?.connectionId
  const isDone = batch.state === 'finished'
  if (isHere && !isDone) {
    if (queue?.state === 'key-rejected') return 'key-rejected'
    if (queue?.state === 'out-of-credits') return 'out-of-credits'
  }
  if (batch.outDirTrouble !== null && !isDone) return 'out-dir'
  if (isHere && !isDone && queue?.state === 'offline' && isLongOffline) return 'offline'
  if (isHere && !isDone && queue?.following) return 'following'
  if (connection?.kind === 'practice' && !isPracticeHidden) return 'practice'
  return undefined
}
