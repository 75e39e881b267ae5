import type { MetadataChoice } from '../../shared/metadata.ts'
import type { RetoucherSettings } from '../../shared/settings.ts'
import type { AttemptState, ImageState } from '../../shared/states.ts'

/** What is done when a file that is not this result already has the name. */
export type OnConflict = 'rename' | 'skip' | 'overwrite'

/**
 * `running`: somebody wants it worked on. `interrupted`: it was running when its program ended. `stopped`: it stopped
 * for `stopReason`. `finished`: every image is settled (held ones may remain).
 */
export type BatchState = 'running' | 'paused' | 'interrupted' | 'stopped' | 'finished'

/** What is sent beside the picture's address: frozen when images are added. */
export interface Recipe {
  readonly appId: string
  readonly settings: RetoucherSettings
  /** Parameters of apps that are no retouchers. */
  readonly parameters: Readonly<Record<string, unknown>>
}

export interface Batch {
  readonly seq: number
  readonly id: string
  readonly connectionId: number
  /** Milliseconds since the epoch. */
  readonly created: number
  readonly state: BatchState
  readonly stopReason: string | null
  /** Absolute path. */
  readonly outDir: string
  readonly preset: string | null
  readonly nameTemplate: string
  readonly onConflict: OnConflict
  readonly webhookUrl: string
  /** What is written into its files beside their pixels. */
  readonly metadata: MetadataChoice
  /** Credits; null without a budget. */
  readonly budget: number | null
  readonly inFlight: number | null
  /** Credits charged so far, over all runs of the batch, failed ones too. */
  readonly charged: number
  /** Given by a person; null where it has none of its own. */
  readonly name: string | null
  /** When its last image was settled; null before. */
  readonly finished: number | null
  /** 1 for a batch that was taken out of the list. */
  readonly hidden: number
}

export interface Image {
  readonly id: number
  readonly batchSeq: number
  /** From 0, in the order of intake. */
  readonly position: number
  readonly source: string
  readonly folder: string
  readonly name: string | null
  readonly recipeId: number
  readonly deliveryKey: string
  readonly state: ImageState
  readonly runId: string | null
  /** The service's own status while running. */
  readonly serviceStatus: string | null
  readonly credits: number | null
  readonly error: string | null
  readonly resends: number
  /** Files of its run, once that has succeeded; null where that is not known. */
  readonly outputCount: number | null
  readonly earlierImageId: number | null
  readonly changed: number
  /** What a person knows it by. */
  readonly title: string
  /** The preset that its settings were last taken from; null for that of its batch, '' for none. */
  readonly preset: string | null
  readonly mark: string | null
  /** When its submission began, then when its run was accepted; null before. */
  readonly since: number | null
  /** When it was delivered or failed. */
  readonly settled: number | null
  /** Where several images are made of one picture: its number in the batch, from 0; null where it is the only one. */
  readonly picture: number | null
  /** How often a person chose another picture in its place. */
  readonly picked: number
}

export interface Attempt {
  readonly id: number
  readonly imageId: number
  readonly batchSeq: number
  readonly connectionId: number
  readonly appId: string
  readonly priceMin: number | null
  readonly priceMax: number | null
  readonly state: AttemptState
  readonly runId: string | null
  readonly runStatus: string | null
  readonly credits: number
  readonly sentFrom: number | null
  readonly sentTo: number | null
  readonly closedTo: number | null
  readonly totalBefore: number | null
  readonly watermarkCreated: number | null
  readonly httpStatus: number | null
  readonly detail: string | null
  readonly intentAt: number
  readonly settledAt: number | null
}

export interface Candidate {
  readonly attemptId: number
  readonly runId: string
  readonly appId: string
  readonly status: string
  readonly created: string
  readonly credits: number
}

export interface Output {
  readonly imageId: number
  readonly slug: string
  readonly position: number
  readonly label: string
  readonly path: string
  readonly part: string | null
  readonly bytes: number
  readonly sha256: string
  /** `named`: recorded before the rename; `placed`: under its name and flushed. */
  readonly state: 'named' | 'placed'
}

/** What a connection has learned about its service; kept so that the next start begins right. */
export interface Learned {
  /** Processing times of finished runs, in ms, newest last; at most 256. */
  readonly durations?: readonly number[]
  readonly capacity?: number
}

export interface Connection {
  readonly id: number
  readonly baseUrl: string
  readonly firstSeenCreated: number | null
  readonly solitary: boolean
  readonly resendAllowed: boolean
  readonly learned: Learned
}
