import type { PlantedBug } from './planted-bug.ts'

const charging = 'engine/queue/charging.test.ts'
const server = 'cli/web/server.test.ts'

/** What would be spent that nobody has agreed to. */
export const costBugs: readonly PlantedBug[] = [
  {
    name: 'budgets ignore what is reserved for runs',
    promise: 5,
    slips: [
      {
        file: 'engine/queue/prices.ts',
        found: `if (charged + pending.reserved + price.max <= batch.budget) return 'go'`,
        planted: `if (charged + price.max <= batch.budget) return 'go'`,
      },
    ],
    test: { file: charging },
  },
  {
    name: 'the first run of an unknown price does not go alone',
    promise: 5,
    slips: [
      {
        file: 'engine/queue/prices.ts',
        found: `    if (pending.runs > 0) return otherwise\n`,
        planted: '',
      },
    ],
    test: { file: charging },
  },
  {
    name: 'a run that the service lost does not count against the budget',
    promise: 5,
    slips: [
      {
        file: 'engine/store/ledger.ts',
        found: `WHERE image.batch_seq = ? AND image.state = 'review' AND attempt.run_status = 'LOST')`,
        planted: `WHERE image.batch_seq = ? AND image.state = 'review' AND attempt.run_status = 'FAILED')`,
      },
    ],
    test: { file: 'engine/queue/prices.test.ts' },
  },
  {
    name: 'what Start begins is not compared with what was shown',
    promise: 5,
    slips: [
      {
        file: 'engine/interface/estimates.ts',
        found: `return figures(shown) === figures(now)`,
        planted: `return figures(shown).length > 0 && figures(now).length > 0`,
      },
    ],
    test: { file: 'cli/web/intake.test.ts' },
  },
  {
    name: 'what was delivered before is sent again',
    promise: 5,
    slips: [
      {
        file: 'engine/batches/add-batch.ts',
        found: `const delivered = request.again ? nothing : store.images.deliveredInto(request.outDir)`,
        planted: `const delivered = nothing`,
      },
    ],
    test: { file: 'cli/run.test.ts', named: 'the same list into the same folder is skipped' },
  },
  {
    name: 'the page of another site may ask the loopback server',
    promise: 5,
    slips: [
      {
        file: 'cli/web/gate.ts',
        found: `if (knock.origin !== undefined && knock.origin !== \`http://\${host}\`) {`,
        planted: `if (knock.origin === 'null') {`,
      },
    ],
    test: { file: server },
  },
  {
    name: 'any name that leads to this machine may ask the loopback server',
    promise: 5,
    slips: [
      {
        file: 'cli/web/gate.ts',
        found: `if (host !== \`127.0.0.1:\${door.port}\` && host !== \`localhost:\${door.port}\`) {`,
        planted: `if (host === undefined) {`,
      },
    ],
    test: { file: 'cli/web/gate.test.ts' },
  },
  {
    name: 'any frame of a window may speak to the desktop program',
    promise: 5,
    slips: [
      {
        file: 'electron/ipc-port.ts',
        found: `if (!isWindow(sender) || senderFrame.parent !== null) return false`,
        planted: `if (!isWindow(sender)) return false`,
      },
      // A frame inside of the page is not its main one.
      {
        file: 'electron/ipc-port.ts',
        found: `if (senderFrame.frameTreeNodeId !== sender.mainFrame.frameTreeNodeId) return false`,
        planted: `if (senderFrame.frameTreeNodeId < 0) return false`,
      },
    ],
    test: { file: 'electron/ipc-port.test.ts' },
  },
  {
    name: 'a budget reckons with the last price, not the highest',
    promise: 5,
    slips: [
      {
        file: 'engine/queue/prices.ts',
        found: `max: base.highest + extras.max }`,
        planted: `max: base.last + extras.max }`,
      },
    ],
    test: { file: 'engine/queue/prices.test.ts' },
  },
  {
    name: 'two programs take the same list of a hot folder in',
    promise: 5,
    slips: [
      {
        file: 'engine/hot-folders/take-in.ts',
        found: `const fresh = read.filter(({ file, content }) => !store.hotFolders.fileOf(folder.id, file.path, content))`,
        planted: `const fresh = read`,
      },
    ],
    test: { file: 'engine/hot-folders/take-in.test.ts' },
  },
  {
    name: 'the budget of a day forgets what is reserved',
    promise: 5,
    slips: [
      {
        file: 'engine/hot-folders/day-budget.ts',
        found: `folder.budget - charged - reserved`,
        planted: `folder.budget - charged`,
      },
    ],
    test: { file: 'cli/web/hot-folders.test.ts', named: 'the budget of a day' },
  },
  {
    name: 'a picture whose file is in the way is paid for',
    promise: 5,
    slips: [
      {
        file: 'engine/queue/lane.ts',
        found: `    if (await this.#skips(first)) return true\n`,
        planted: ``,
      },
    ],
    test: { file: 'cli/run.test.ts', named: 'looks before it sends' },
  },
]
