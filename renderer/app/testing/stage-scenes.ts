import type { ConnectionRecord, QueueRecord } from '../../../shared/contract/records.ts'
import type { StageScene } from './stage-engine.ts'
import { stageBatch, type StateRuns } from './stage-images.ts'

const account: ConnectionRecord = {
  id: 'account',
  name: 'Atelier Noor',
  kind: 'account',
  baseUrl: 'https://service.example/api/v1',
  active: true,
  key: 'key-store',
}

function queueOf(now: number, change: Partial<QueueRecord> = {}): QueueRecord {
  return {
    connectionId: 'account',
    state: 'running',
    message: '',
    nextTry: null,
    inFlight: 9,
    following: false,
    balance: { total: 528, subscription: 500, other: 28, tier: 'Pro', expires: null, at: now - 12_000 },
    committed: { min: 480, max: 480 },
    ...change,
  }
}

function others(now: number) {
  return [
    stageBatch('bridal', 'Bridal re-shoot', [['waiting', 96]], now, { state: 'ready' }),
    stageBatch('pearls', 'Pearl drops', [['delivered', 48]], now, { state: 'finished', finished: now }),
    stageBatch(
      'signets',
      'Signets, rose gold',
      [
        ['delivered', 20],
        ['failed', 2],
      ],
      now,
      { state: 'finished', finished: now },
    ),
  ]
}

const running = [
  ['delivered', 4],
  ['failed', 1],
  ['delivered', 4],
  ['review', 1],
  ['delivered', 110],
  ['downloading', 1],
  ['running', 7],
  ['submitting', 1],
  ['waiting', 79],
  ['failed', 2],
  ['review', 1],
  ['cancelled', 1],
] as const

/** How things may stand, for tests and pictures of every state. */
export type SceneName =
  | 'running'
  | 'ready'
  | 'paused'
  | 'out-of-credits'
  | 'key-rejected'
  | 'offline'
  | 'empty'
  | 'first-run'
  | 'held'
  | 'huge'

type Change = Parameters<typeof stageBatch>[4]

const low = { subscription: null, other: null, tier: 'Pro', expires: null }

function lookbook(now: number, queue: Partial<QueueRecord>, change: Change = {}): StageScene {
  const batch = stageBatch('lookbook', 'Autumn lookbook', running, now, {
    perMinute: 10.2,
    eta: 486_000,
    ...change,
  })
  return { connections: [account], queue: queueOf(now, queue), batches: [batch, ...others(now)] }
}

function only(now: number, name: string, runs: StateRuns, change: Change, queue: Partial<QueueRecord> = {}) {
  return {
    connections: [account],
    queue: queueOf(now, queue),
    batches: [stageBatch('lookbook', name, runs, now, change), ...others(now)],
  }
}

const ready: StateRuns = [['waiting', 212]]
const held: StateRuns = [
  ['delivered', 3],
  ['held', 209],
]
const huge: StateRuns = [
  ['delivered', 60_000],
  ['running', 40],
  ['waiting', 39_960],
]

const scenes: Readonly<Record<SceneName, (now: number) => StageScene>> = {
  running: (now) => lookbook(now, {}),
  paused: (now) => lookbook(now, {}, { state: 'paused' }),
  'key-rejected': (now) => lookbook(now, { state: 'key-rejected' }),
  offline: (now) => lookbook(now, { state: 'offline', nextTry: now + 20_000 }),
  'out-of-credits': (now) =>
    lookbook(now, {
      state: 'out-of-credits',
      nextTry: now + 48_000,
      balance: { ...low, total: 4, at: now - 12_000 },
      committed: { min: 474, max: 474 },
    }),
  ready: (now) =>
    only(
      now,
      'Autumn lookbook',
      ready,
      { state: 'ready', charged: 0 },
      { inFlight: 0, balance: { ...low, total: 1284, at: now }, committed: { min: 1272, max: 1272 } },
    ),
  held: (now) => only(now, 'Autumn lookbook', held, { state: 'finished' }),
  huge: (now) => only(now, 'A very large batch', huge, {}),
  empty: (now) => ({
    connections: [account],
    queue: queueOf(now, { committed: { min: 0, max: 0 } }),
    batches: [],
  }),
  'first-run': (now) => ({
    connections: [],
    queue: queueOf(now, { connectionId: null, balance: null }),
    batches: [],
  }),
}

export function stageScene(name: SceneName, now: number): StageScene {
  return scenes[name](now)
}
