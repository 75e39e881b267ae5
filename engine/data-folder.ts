import { join } from 'node:path'

/** Where things lie in a data folder (`VITRINE_HOME`). Everything is absolute when `home` is. */
export interface DataFolder {
  readonly home: string
  /** The queue's database, and the lock that only the submitting process holds. */
  readonly queue: string
  readonly lease: string
  /** Kept apart from the database, so that restoring one from a backup does not bring the other along. */
  readonly highWater: string
  readonly journal: string
  /** Files that metadata is written into, while that is done. */
  readonly metadata: string
  /** Converted pictures of this computer, until they are uploaded. */
  readonly uploads: string
}

export function dataFolder(home: string): DataFolder {
  return {
    home,
    queue: join(home, 'queue.db'),
    lease: join(home, 'lease.db'),
    highWater: join(home, 'safety', 'high-water'),
    journal: join(home, 'safety', 'journal'),
    metadata: join(home, 'metadata'),
    uploads: join(home, 'uploads'),
  }
}
