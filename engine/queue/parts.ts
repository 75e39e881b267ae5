import type { Clock } from '../clock.ts'
import type { ServiceClient } from '../service/service-client.ts'
import type { Batch, Image } from '../store/rows.ts'
import type { SafetyFiles } from '../store/safety-files.ts'
import type { Store } from '../store/store.ts'
import type { QueueState } from '../../shared/states.ts'

/** A file of a finished run, as its record offers it. */
export interface OfferedOutput {
  readonly label: string
  readonly slug: string
  /** Signed; lives 15 minutes (interface, section 8). */
  readonly url: string
  readonly isVideo: boolean
}

export type DeliveryResult =
  | { readonly kind: 'delivered' }
  /** The link is dead; ask the run for a fresh one. */
  | { readonly kind: 'link-expired' }
  /** The network or the file host failed; worth trying again. */
  | { readonly kind: 'retry'; readonly message: string; readonly afterMs?: number | undefined }
  /** What came is not a whole picture. A fresh link may bring it. */
  | { readonly kind: 'rejected'; readonly message: string }
  /** The output folder cannot be written: full, read-only, gone. Nothing is lost; a person has to act. */
  | { readonly kind: 'unwritable'; readonly message: string }

/** Fetches, checks, names and places the outputs of finished runs, and keeps the folder's manifest. */
export interface Deliverer {
  /** Fetches what is not yet there; what a crash left whole is placed without the network. */
  deliver(
    batch: Batch,
    image: Image,
    outputs: readonly OfferedOutput[],
    signal: AbortSignal,
  ): Promise<DeliveryResult>
  /**
   * Before anything is sent: a file that is not ours and has the name of the image's primary output, where the batch
   * leaves such files alone (`skip`). The path below the output folder; undefined where nothing stands in the way.
   */
  obstacle(batch: Batch, image: Image): Promise<string | undefined>
  /** Settles what a crash left: true when every recorded output is in its place. */
  recover(batch: Batch, image: Image): Promise<boolean>
  /** Removes temporary files that a crash left where these images, and the manifest, are written. */
  tidy(batch: Batch, images: readonly Image[]): Promise<void>
  /** Something of this batch changed that its manifest shows. */
  changed(batch: Batch): void
  /** Writes what is not yet written. */
  flush(): Promise<void>
}

export interface QueueSettings {
  /** How long a submission without an answer must stay absent from the list before it may be sent again, in ms. */
  readonly settleMs: number
  /** Part of it for which nothing else is sent either, in ms; all of it where it is as long or longer. */
  readonly holdMs: number
  /** Whether the queue ends when credits run out or the key is rejected (command line), or waits (desktop). */
  readonly whenStopped: 'end' | 'wait'
  /** Run-seconds of lag that one list request is worth. */
  readonly patience: number
  /** A person's cap on runs in flight, over all batches. */
  readonly inFlight?: number | undefined
  /** Downloads at a time. */
  readonly downloads: number
}

export const defaultQueueSettings: QueueSettings = {
  settleMs: 180_000,
  holdMs: 20_000,
  whenStopped: 'end',
  patience: 0.93,
  downloads: 8,
}

/** Fewer requests for a longer wait: the patience of the frugal setting. */
export const frugalPatience = 4.2

/** What the queue tells its shell; images and counts are read from the store. */
export type QueueEvent =
  | { readonly kind: 'queue'; readonly state: QueueState; readonly message: string | undefined }
  | { readonly kind: 'image'; readonly imageId: number }
  | { readonly kind: 'notice'; readonly message: string }

/** What a publisher is told, and tells. */
export interface PublisherHost {
  /** Batches whose pictures are wanted, the first first. */
  readonly batches: () => readonly number[]
  /** A picture may have become ready. */
  readonly onReady: () => void
  /** A picture cannot be had: its waiting images fail, for this reason. */
  readonly failed: (source: string, reason: string) => void
  readonly tell: (message: string) => void
}

/** Makes pictures of this computer reachable for the service: their source is their content (engine/own-files). */
export interface PublisherPart {
  /** Publishes what is sent next, and removes what no run needs any more, until the signal. */
  run(host: PublisherHost, signal: AbortSignal): Promise<void>
  /** Whether a picture may be sent now. */
  isReady(source: string): boolean
  /** An address for the service, signed now; undefined where the picture is not ready after all. */
  link(source: string): Promise<string | undefined>
  /** Why nothing can be published until a person changes something; undefined while it goes on. */
  readonly trouble: string | undefined
  /** Removes what is left when the queue ends. */
  finish(): Promise<void>
}

/** What a receiver of notices is told, and tells. */
export interface WebhookHost {
  /** Whether a secret of this hash was given to one of our submissions. */
  readonly knows: (hash: string) => boolean
  /** It came back, with this run id beside it. */
  readonly announced: (hash: string, runId: string | undefined) => void
  readonly tell: (message: string) => void
}

/** Hears the service's notices (interface, 6; engine/webhook). */
export interface WebhookPart {
  /** An address with a secret of its own for the next submission; undefined where this one is not listened behind. */
  addressFor(webhookUrl: string): { readonly url: string; readonly hash: string } | undefined
  /** Listens until the signal. */
  run(host: WebhookHost, signal: AbortSignal): Promise<void>
}

/** What a queue is made of; a test puts the same pieces together with others. */
export interface QueueParts {
  readonly store: Store
  readonly safety: SafetyFiles
  readonly connectionId: number
  readonly service: ServiceClient
  readonly deliverer: Deliverer
  /** For pictures of this computer; none are sent without it. */
  readonly publisher?: PublisherPart | undefined
  /** Without it webhook addresses are sent as they are, and nobody listens. */
  readonly webhook?: WebhookPart | undefined
  readonly clock: Clock
  /** Uniform in [0, 1). */
  readonly random: () => number
  readonly settings: QueueSettings
  readonly report: (event: QueueEvent) => void
}

/** The queue cannot go on without risking a charge or a result; the message is for a person. */
export class QueueFault extends Error {
  override readonly name = 'QueueFault'
}
