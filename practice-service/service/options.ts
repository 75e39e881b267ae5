import { defaultApps } from './apps.ts'
import type { PracticeApp } from './apps.ts'
import type { PracticeAccount } from './accounts.ts'
import { systemClock } from './clock.ts'
import type { Clock } from './clock.ts'
import type { FaultRule } from './faults.ts'
import type { ProcessingTime } from './random.ts'
import type { SourceLimits } from './source-picture.ts'
import type { WebhookDelivery } from './webhooks.ts'

/** A run as the `outcome` option sees it. */
export interface OutcomeRun {
  readonly runId: string
  readonly appId: string
  readonly account: string
  readonly parameters: Readonly<Record<string, unknown>>
  /** Order of acceptance, from 1. */
  readonly sequence: number
}

/** What is to become of a run, whatever its source: a failure with this message, or a video. */
export type Outcome = { readonly fail: string } | { readonly video: true }

/** What can be changed while the service runs. */
export interface Conduct {
  /** Seconds a run is worked on at least; real image work may take longer. */
  processing: ProcessingTime
  /** Runs worked on at the same time. */
  concurrency: number
  /** Life of signed links in seconds (900). */
  linkSeconds: number
  /** Whether the credits of a FAILED run are given back; the interface does not say. */
  refund: 'refund' | 'keep'
  /** Chance from 0 to 1 that a run fails although its source is good. */
  failureRate: number
  /** Time before any answer of the service's own endpoints and files. */
  latencyMs: number
  /** Requests a second that are not answered with 429, with a burst on top; null for no limit. */
  rateLimit: { readonly perSecond: number; readonly burst: number } | null
  /** Submissions are answered with 429 while so many runs wait; null for no limit. */
  maxQueued: number | null
  /** An accepted run shows in the list only after this time. */
  listDelayMs: number
  /** A submission is handled only this long after it was read, whether or not the client still waits. */
  acceptDelayMs: number
  /** The service's clock ahead of the real one: in the Date header, in timestamps and in links. */
  clockSkewMs: number
}

/** Options of `startPracticeService`; every one has a default. */
export interface PracticeOptions extends Partial<Conduct> {
  /** TCP port; 0 (default) for any free one. */
  readonly port?: number
  /** A loopback address: 127.0.0.1 (default) or ::1. */
  readonly host?: string
  /** Default: one account, key `practice`, with 500 play credits. */
  readonly accounts?: readonly PracticeAccount[]
  readonly apps?: readonly PracticeApp[]
  /** `echo` answers every run with a tiny picture of its own, without fetching a source; for load. */
  readonly imageWork?: 'real' | 'echo'
  /** Threads for image work; default: as many as runs at once, bounded by the machine's cores. */
  readonly imageThreads?: number
  /** Seed of processing times, failures and faults. */
  readonly seed?: number
  /** `separate` serves files from a second port, as a storage host would. */
  readonly filesOrigin?: 'same' | 'separate'
  /** Where runs, credits and outputs survive a restart; without it everything is forgotten. */
  readonly stateFolder?: string
  /** How long an idle connection is kept open. */
  readonly keepAliveMs?: number
  readonly faults?: readonly FaultRule[]
  readonly outcome?: (run: OutcomeRun) => Outcome | undefined
  readonly webhook?: Partial<WebhookDelivery>
  readonly source?: Partial<SourceLimits>
  readonly clock?: Clock
}

/** Options with every default filled in. */
export interface Setup {
  readonly port: number
  readonly host: string
  readonly accounts: readonly PracticeAccount[]
  readonly apps: readonly PracticeApp[]
  readonly imageWork: 'real' | 'echo'
  readonly imageThreads: number | undefined
  readonly seed: number
  readonly filesOrigin: 'same' | 'separate'
  readonly stateFolder: string | undefined
  readonly keepAliveMs: number
  readonly faults: readonly FaultRule[]
  readonly outcome: (run: OutcomeRun) => Outcome | undefined
  readonly webhook: WebhookDelivery
  readonly source: SourceLimits
  readonly clock: Clock
  readonly conduct: Conduct
}

const practiceAccount: PracticeAccount = {
  key: 'practice',
  subscriptionCredits: 400,
  otherCredits: 100,
  subscription: 'Pro',
  creditsExpire: null,
}

/** Fills in the defaults. */
export function completeOptions(options: PracticeOptions): Setup {
  return {
    port: options.port ?? 0,
    host: options.host ?? '127.0.0.1',
    accounts: options.accounts ?? [practiceAccount],
    apps: options.apps ?? defaultApps,
    imageWork: options.imageWork ?? 'real',
    imageThreads: options.imageThreads,
    seed: options.seed ?? 1,
    filesOrigin: options.filesOrigin ?? 'same',
    stateFolder: options.stateFolder,
    keepAliveMs: options.keepAliveMs ?? 65_000,
    faults: options.faults ?? [],
    outcome: options.outcome ?? (() => undefined),
    webhook: { timeoutMs: 5_000, retryDelaysMs: [1_000, 5_000], ...options.webhook },
    source: { timeoutMs: 20_000, maxBytes: 200_000_000, ...options.source },
    clock: options.clock ?? systemClock,
    conduct: {
      processing: options.processing ?? { median: 1.5, sigma: 0.35 },
      concurrency: options.concurrency ?? 4,
      linkSeconds: options.linkSeconds ?? 900,
      refund: options.refund ?? 'refund',
      failureRate: options.failureRate ?? 0,
      latencyMs: options.latencyMs ?? 0,
      rateLimit: options.rateLimit ?? null,
      maxQueued: options.maxQueued ?? null,
      listDelayMs: options.listDelayMs ?? 0,
      acceptDelayMs: options.acceptDelayMs ?? 0,
      clockSkewMs: options.clockSkewMs ?? 0,
    },
  }
}
