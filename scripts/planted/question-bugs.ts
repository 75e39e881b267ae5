import type { PlantedBug } from './planted-bug.ts'

const judging = { file: 'engine/queue/evidence.test.ts' }
const stories = { file: 'engine/queue/model.test.ts' }

/** What is concluded about a submission whose answer was lost. */
export const questionBugs: readonly PlantedBug[] = [
  {
    name: 'any run in the list is adopted for a lost answer',
    promise: 1,
    slips: [
      {
        file: 'engine/queue/evidence.ts',
        found: `if (!run || now.others || now.twin === true || !now.solitary || !last.complete || run.offered) return false`,
        planted: `if (!run) return false`,
      },
      {
        file: 'engine/queue/evidence.ts',
        found: `return candidates.length === 1 && candidates[0]!.runId === run.runId && reading.appeared === 1`,
        planted: `return candidates.some(({ runId }) => runId === run.runId)`,
      },
    ],
    test: stories,
  },
  {
    name: 'the total of the list is not compared before a run is adopted',
    promise: 1,
    slips: [
      {
        file: 'engine/queue/evidence.ts',
        found: `candidates[0]!.runId === run.runId && reading.appeared === 1`,
        planted: `candidates[0]!.runId === run.runId`,
      },
    ],
    test: judging,
  },
  {
    name: 'a run is adopted on an account that others use',
    promise: 1,
    slips: [
      {
        file: 'engine/queue/evidence.ts',
        found: `now.twin === true || !now.solitary || !last.complete`,
        planted: `now.twin === true || !last.complete`,
      },
    ],
    test: stories,
  },
  {
    name: 'absence is concluded as soon as a list shows nothing',
    promise: 1,
    slips: [
      {
        file: 'engine/queue/evidence.ts',
        found: `if (now.waited < 1 || readings.length < leastReadings) return { kind: 'wait' }`,
        planted: `if (readings.length < leastReadings) return { kind: 'wait' }`,
      },
      {
        file: 'engine/queue/evidence.ts',
        found: `const passed = now.waited >= 1 && clear && last.time!.from >= attempt.closedTo! + now.settleMs`,
        planted: `const passed = clear`,
      },
    ],
    test: stories,
  },
  {
    name: 'the waiting time is measured from the sending instead of the end of the connection',
    promise: 1,
    slips: [
      {
        file: 'engine/queue/evidence.ts',
        found: `last.time!.from >= attempt.closedTo! + now.settleMs`,
        planted: `last.time!.from >= attempt.sentFrom! + now.settleMs`,
      },
    ],
    test: judging,
  },
  {
    name: 'the local clock is trusted instead of the Date of the service',
    promise: 1,
    slips: [
      {
        file: 'engine/queue/service-time.ts',
        found: `return { from: Math.floor(monotonic + low), to: Math.ceil(monotonic + high) }`,
        planted: `
    const local = this.#clock.now() - this.#clock.monotonic()
    return { from: Math.floor(monotonic + local), to: Math.ceil(monotonic + local) }`,
      },
    ],
    test: stories,
  },
  {
    name: 'a webhook notice is believed without asking for the run',
    promise: 1,
    slips: [
      {
        file: 'engine/queue/told-runs.ts',
        found: `if (isKnown) return 'another'`,
        planted: `return isKnown ? 'another' : 'its'`,
      },
    ],
    test: { file: 'engine/queue/model.test.ts', named: 'the same stories with notices' },
  },
  {
    name: 'a run that a person was offered for another picture is taken',
    promise: 1,
    slips: [
      {
        file: 'engine/queue/lane.ts',
        found: `return ledger.knows(runId) || ledger.offeredElsewhere(runId, attempt.id)`,
        planted: `return ledger.knows(runId)`,
      },
    ],
    test: { file: 'engine/queue/charging.test.ts', named: 'names for another picture' },
  },
  {
    name: 'an image is sent again by itself as often as its answer is lost',
    promise: 1,
    slips: [
      {
        file: 'engine/queue/reconcile.ts',
        found: `const mostResends = 3`,
        planted: `const mostResends = 30`,
      },
    ],
    test: { file: 'engine/queue/charging.test.ts', named: 'again and again' },
  },
  {
    name: 'a run that was offered to a person is adopted for another picture',
    promise: 1,
    slips: [
      {
        file: 'engine/queue/evidence.ts',
        found: `|| !last.complete || run.offered) return false`,
        planted: `|| !last.complete) return false`,
      },
    ],
    test: { file: 'engine/queue/evidence.test.ts' },
  },
  {
    name: 'what appears while several are in question is taken for either',
    promise: 1,
    slips: [
      {
        file: 'engine/queue/evidence.ts',
        found: `if (!run || now.others || now.twin === true`,
        planted: `if (!run || now.twin === true`,
      },
    ],
    test: { file: 'engine/queue/model.test.ts' },
  },
  {
    name: 'new runs are told apart by clocks that do not agree',
    promise: 1,
    slips: [
      {
        file: 'engine/queue/attribution.ts',
        found: `if (!clocksAgree(last.own) || !areApart(questions, holdMs)) return []`,
        planted: `if (!areApart(questions, holdMs)) return []`,
      },
    ],
    test: { file: 'engine/queue/model.test.ts' },
  },
  {
    name: 'resends go on although the service has lost a run',
    promise: 1,
    slips: [
      {
        file: 'engine/queue/collector.ts',
        found: `      store.connections.forbidResends(connectionId)\n`,
        planted: ``,
      },
    ],
    test: { file: 'engine/queue/charging.test.ts', named: 'has lost a run' },
  },
  {
    name: 'resends go on although a run shows that nobody here started',
    promise: 1,
    slips: [
      {
        file: 'engine/queue/desk.ts',
        found: `if (store.ledger.hasAbsent(connectionId)) store.connections.forbidResends(connectionId)`,
        planted: `store.ledger.hasAbsent(connectionId)`,
      },
    ],
    test: { file: 'engine/queue/charging.test.ts', named: 'that show after something' },
  },
]
