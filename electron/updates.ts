import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Topic } from '../engine/interface/topic.ts'
import type { UpdateRecord } from '../shared/contract/update-records.ts'
import { t } from '../shared/language/text.ts'
import { plainText } from '../shared/plain-text.ts'
import { notesText, type GivenNotes } from './release-notes.ts'

/** Versions for everybody, or those that are tried before. */
export type UpdateChannel = 'stable' | 'beta'

interface Offer {
  readonly version: string
  readonly releaseNotes?: GivenNotes
}

/** What is used of electron-updater's `autoUpdater`. */
export interface Updater {
  autoDownload: boolean
  autoInstallOnAppQuit: boolean
  allowDowngrade: boolean
  allowPrerelease: boolean
  channel: string | null
  logger: unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  on(
    event: 'update-available' | 'update-not-available' | 'update-downloaded',
    listener: (offer: Offer) => void,
  ): unknown
  on(event: 'download-progress', listener: (progress: { readonly percent: number }) => void): unknown
  checkForUpdates(): Promise<unknown>
  downloadUpdate(): Promise<unknown>
  quitAndInstall(isSilent?: boolean, isForceRunAfter?: boolean): void
}

export interface UpdateParts {
  readonly isPackaged: boolean
  /** An AppImage may hold the mark of the deb that was packed from the same folder. */
  readonly isAppImage: boolean
  /** Folder in which the packager leaves `app-update.yml` when a feed is configured. */
  readonly resources: string
  /** Loads the updater, which is not touched where there is no feed. */
  readonly load: () => Promise<Updater>
  readonly channel: () => UpdateChannel
  /** Whether something is sent, worked on or fetched: an update waits for its end. */
  readonly isBusy: () => boolean
  /** Ends the program, after asking where work is under way; `end` is what ends it at last. */
  readonly leave: (end: () => void) => void
  readonly now: () => number
  readonly onFault: (error: unknown) => void
}

const sentences = {
  check: () => t`The list of updates could not be read. Vitrine tries again at its next start.`,
  download: () =>
    t`The update could not be fetched, or is not what its publisher has signed. This version stays as it is.`,
} as const

/**
 * Updates of the installed program. Without a feed, which only whoever publishes the program can give, nothing is asked
 * and nothing is loaded. With one it looks at the start and when a person asks, fetches while nothing else is done, and
 * installs when the program ends.
 */
export class Updates {
  readonly #parts: UpdateParts
  readonly #topic = new Topic()
  #now: UpdateRecord
  #updater: Promise<Updater> | undefined
  #channel: UpdateChannel | undefined

  constructor(parts: UpdateParts) {
    this.#parts = parts
    const has = (name: string) => existsSync(join(parts.resources, name))
    // The packager marks what came as deb or the like: unsigned, and installed with an administrator's rights.
    const byPackageManager = parts.isPackaged && !parts.isAppImage && has('package-type')
    const hasFeed = parts.isPackaged && has('app-update.yml') && !byPackageManager
    this.#now = hasFeed ? { kind: 'current', checked: null } : { kind: 'no-feed', byPackageManager }
  }

  /** How it stands, now and after each change. */
  follow(signal: AbortSignal): AsyncIterable<UpdateRecord> {
    return this.#topic.follow(() => this.#now, signal)
  }

  get now(): UpdateRecord {
    return this.#now
  }

  /** Asks the feed, unless something is on its way already. */
  async check(): Promise<void> {
    const { kind } = this.#now
    if (kind === 'no-feed' || kind === 'checking' || kind === 'downloading' || kind === 'ready') return
    this.#change({ kind: 'checking' })
    try {
      const updater = await this.#open()
      this.#channel = this.#parts.channel()
      updater.channel = this.#channel === 'beta' ? 'beta' : 'latest'
      updater.allowPrerelease = this.#channel === 'beta'
      // Naming a channel allows older versions again.
      updater.allowDowngrade = false
      await updater.checkForUpdates()
      // An updater that is not for this kind of package says nothing at all.
      if (this.now.kind === 'checking') this.#change({ kind: 'current', checked: this.#parts.now() })
    } catch (error) {
      this.#fail(error, 'check')
    }
  }

  /** Fetches what is available. */
  async download(): Promise<void> {
    if (this.#now.kind !== 'available') return
    const { version, notes } = this.#now
    this.#change({ kind: 'downloading', version, notes, percent: 0 })
    try {
      await (await this.#open()).downloadUpdate()
    } catch (error) {
      this.#fail(error, 'download')
    }
  }

  /** Ends the program to install what is ready. */
  install(): void {
    if (this.#now.kind !== 'ready') return
    const { leave, onFault } = this.#parts
    void this.#open()
      .then((updater) => leave(() => updater.quitAndInstall(false, true)))
      .catch(onFault)
  }

  /** Something else has changed: work has ended, or another channel was chosen. */
  look(): void {
    if (this.#now.kind === 'available' && !this.#parts.isBusy()) void this.download()
    const isSettled = ['current', 'available', 'failed'].includes(this.#now.kind)
    if (isSettled && this.#channel !== undefined && this.#channel !== this.#parts.channel()) void this.check()
  }

  #open(): Promise<Updater> {
    this.#updater ??= this.#parts.load().then((updater) => this.#prepare(updater))
    return this.#updater
  }

  #prepare(updater: Updater): Updater {
    updater.autoDownload = false
    updater.autoInstallOnAppQuit = true
    // Its words name addresses; what a person has to know is told in ours.
    updater.logger = null
    updater.on('error', (error) => this.#fail(error, this.#now.kind === 'checking' ? 'check' : 'download'))
    updater.on('update-not-available', () => this.#change({ kind: 'current', checked: this.#parts.now() }))
    updater.on('update-available', (offer) => {
      this.#change({ kind: 'available', ...offerOf(offer) })
      this.look()
    })
    updater.on('download-progress', ({ percent }) => {
      if (this.#now.kind !== 'downloading') return
      this.#change({ ...this.#now, percent: Math.min(100, Math.max(0, Math.round(percent) || 0)) })
    })
    updater.on('update-downloaded', (offer) => this.#change({ kind: 'ready', ...offerOf(offer) }))
    return updater
  }

  #fail(error: unknown, what: keyof typeof sentences): void {
    // What fails is told twice: by its event, and by the call.
    if (this.#now.kind === 'failed') return
    this.#parts.onFault(error)
    this.#change({ kind: 'failed', sentence: sentences[what]() })
  }

  #change(now: UpdateRecord): void {
    this.#now = now
    this.#topic.ring()
  }
}

function offerOf({ version, releaseNotes }: Offer): { version: string; notes: string } {
  return { version: plainText(version, 40), notes: notesText(releaseNotes) }
}
