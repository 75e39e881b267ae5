import type { PlantedBug } from './planted-bug.ts'

/** What is written down before anything is sent, and read after a crash. */
export const ledgerBugs: readonly PlantedBug[] = [
  {
    name: 'commits are not flushed',
    promise: 1,
    slips: [
      {
        file: 'engine/store/database.ts',
        found: `db.pragma('synchronous = FULL')`,
        planted: `db.pragma('synchronous = NORMAL')`,
      },
      // The start looks whether every commit is flushed, and refuses to go on.
      {
        file: 'engine/store/database.ts',
        found: `if (db.pragma('synchronous', { simple: true }) !== 2) {`,
        planted: `if (db.pragma('synchronous', { simple: true }) === 0) {`,
      },
    ],
    test: { file: 'e2e/proof/power-loss.test.ts' },
  },
  {
    name: 'an image may have several live attempts',
    promise: 1,
    slips: [
      {
        file: 'engine/store/migrations.ts',
        found: 'CREATE UNIQUE INDEX attempt_one_live ON attempt (image_id)',
        planted: 'CREATE INDEX attempt_one_live ON attempt (image_id)',
      },
    ],
    test: { file: 'engine/store/store.test.ts', named: 'the ledger, enforced by the database itself' },
  },
  {
    name: 'a connection may have several submissions in the act of being sent',
    promise: 1,
    slips: [
      {
        file: 'engine/store/migrations.ts',
        found: 'CREATE UNIQUE INDEX attempt_one_lane ON attempt (connection_id)',
        planted: 'CREATE INDEX attempt_one_lane ON attempt (connection_id)',
      },
    ],
    test: { file: 'engine/store/store.test.ts', named: 'the ledger, enforced by the database itself' },
  },
  {
    name: 'the checksum of a ledger row is not compared',
    promise: 1,
    slips: [
      {
        file: 'engine/store/ledger-checksum.ts',
        found: 'if (checksum !== (checksum < withFate ? earlierChecksumOf(attempt) : checksumOf(attempt))) {',
        planted:
          'if (Number.isNaN(checksum < withFate ? earlierChecksumOf(attempt) : checksumOf(attempt))) {',
      },
    ],
    test: { file: 'engine/store/damage.test.ts', named: 'by any one bit' },
  },
  {
    name: 'the indexes are not proven before the first submission',
    promise: 1,
    slips: [
      {
        file: 'engine/store/ledger.ts',
        found: `if (found?.integrity_check !== 'ok')`,
        planted: `if (found === undefined)`,
      },
    ],
    test: { file: 'engine/store/damage.test.ts', named: 'an index' },
  },
  {
    name: 'the lease of two programs on one data folder is not taken',
    promise: 1,
    slips: [
      {
        file: 'engine/store/lease.ts',
        found: `    db.exec('BEGIN EXCLUSIVE')\n`,
        planted: '',
      },
    ],
    test: { file: 'cli/program.test.ts', named: 'a second process on the same data folder' },
  },
  {
    name: 'the mark beside the queue is not looked at',
    promise: 1,
    slips: [
      {
        file: 'engine/queue/recovery.ts',
        found: `const mark = safety.highWater()`,
        planted: `const mark = 0`,
      },
    ],
    test: { file: 'e2e/proof/disks.test.ts', named: 'a queue that is an older copy of itself' },
  },
  {
    name: 'the mark beside the queue is never raised',
    promise: 1,
    slips: [
      {
        file: 'engine/queue/lane.ts',
        found: `      safety.raise(attempt.id)\n`,
        planted: '',
      },
    ],
    test: { file: 'e2e/proof/disks.test.ts', named: 'a queue that is an older copy of itself' },
  },
  {
    name: 'recovery takes what was being sent for never sent',
    promise: 1,
    slips: [
      {
        file: 'engine/queue/recovery.ts',
        found: `if (runId === undefined || store.ledger.knows(runId)) inQuestion(desk, attempt)`,
        planted: `if (runId === undefined || store.ledger.knows(runId)) unsent(desk, attempt)`,
      },
      // The table of transitions would refuse it.
      {
        file: 'shared/states.ts',
        found: `sending: ['acked', 'refused', 'unknown'],`,
        planted: `sending: ['acked', 'refused', 'unknown', 'unsent'],`,
      },
    ],
    test: { file: 'engine/queue/model.test.ts' },
  },
  {
    name: 'run ids that were rescued from a full disk are not looked at',
    promise: 2,
    slips: [
      {
        file: 'engine/queue/recovery.ts',
        found: `const runId = rescued.get(attempt.id)`,
        planted: `const runId = rescued.size < 0 ? rescued.get(attempt.id) : undefined`,
      },
    ],
    test: { file: 'engine/queue/recovery.test.ts' },
  },
  {
    name: 'a command submits without having proven the ledger',
    promise: 1,
    slips: [
      {
        file: 'engine/batches/work.ts',
        found: `        parts.store.ledger.prove()\n`,
        planted: ``,
      },
    ],
    test: { file: 'cli/trouble.test.ts', named: 'behind its back' },
  },
  {
    name: 'the window submits without having proven the ledger',
    promise: 1,
    slips: [
      {
        file: 'engine/interface/queue-keeper.ts',
        found: `      store.ledger.prove()\n`,
        planted: ``,
      },
    ],
    test: { file: 'cli/web/connections.test.ts', named: 'behind its back' },
  },
  {
    name: 'a new key takes over the work of an account that it does not open',
    promise: 1,
    slips: [
      {
        file: 'engine/batches/account.ts',
        found: `if (answer.kind === 'ok') return true`,
        planted: `if (answer.kind !== 'aborted') return true`,
      },
    ],
    test: { file: 'cli/trouble.test.ts', named: 'a batch of another account' },
  },
  {
    name: 'a retry runs pictures again whose results are paid for',
    promise: 1,
    slips: [
      {
        file: 'engine/batches/decisions.ts',
        found: `const free = failed.filter((image) => image.serviceStatus === 'SUCCESS')\n  const paid = failed.filter((image) => image.serviceStatus !== 'SUCCESS')`,
        planted: `const free = failed.slice(failed.length)\n  const paid = failed`,
      },
    ],
    test: { file: 'cli/trouble.test.ts', named: 'never comes whole' },
  },
]
