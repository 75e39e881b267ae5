import { expect, it } from 'vitest'
import { walk } from './testing/crash-walk.ts'

it(
  'a batch killed at any place is finished by resume: charged once, nothing missing',
  {
    timeout: 600_000,
  },
  async () => {
    const { places, broken } = await walk(2, 8)
    expect(broken).toEqual([])
    // The walk is only worth something if it passes through what it claims to.
    expect([...new Set(places)]).toEqual(
      expect.arrayContaining([
        'POST /run answered',
        'GET /api/v1/balance',
        'GET /api/v1/apps',
        'GET /api/v1/runs',
        'GET /api/v1/runs/{run_id}',
        'connections.add',
        'connections.setFirstSeen',
        'connections.learnBasePrice',
        'connections.learn',
        'batches.add',
        'batches.setState',
        'batches.interruptAbandoned',
        'images.add',
        'images.move',
        'store.transaction',
        'ledger.intend',
        'ledger.move',
        'ledger.note',
        'connect',
        'between SENDING and the first byte',
        'outputs.name',
        'outputs.placed',
        'files.create',
        'files.write',
        'files.sync',
        'files.link',
        'files.remove',
        'files.rename',
        'files.syncFolder',
      ]),
    )
  },
)

it(
  'with metadata too: no picture without it, nothing half, and the manifest has the hash of what is there',
  { timeout: 600_000 },
  async () => {
    const { places, broken } = await walk(1, 8, {
      options: ['--metadata', 'run'],
      // Writing itself is walked through above; here it is what makes a file stay and be known.
      only: /^(files\.(sync|link|rename)|outputs\.)/,
    })
    expect(broken).toEqual([])
    // Each of both files is made twice: as it came, and with its metadata.
    expect(places.filter((place) => place === 'files.sync').length).toBeGreaterThanOrEqual(5)
  },
)
