import type { NativeTheme, Notification, PowerSaveBlocker } from 'electron'
import { plainText } from '../shared/plain-text.ts'
import type { Standing } from './engine-mirror.ts'
import type { DesktopWindow } from './desktop-window.ts'
import type { ShellCommand } from './hand-over.ts'
import { iconProgress, keepsAwake, noticesBetween } from './work-signs.ts'

export interface DesktopSignsParts {
  readonly powerSaveBlocker: Pick<PowerSaveBlocker, 'start' | 'stop'>
  readonly Notification: {
    new (...args: ConstructorParameters<typeof Notification>): Pick<Notification, 'on' | 'show'>
    isSupported(): boolean
  }
  readonly nativeTheme: Pick<NativeTheme, 'themeSource'>
  readonly window: Pick<DesktopWindow, 'current' | 'isInFront' | 'show'>
  readonly push: (command: ShellCommand) => void
}

/** Shows the work outside the window: on the icon, as notifications, and to the system, which must not fall asleep. */
export class DesktopSigns {
  readonly #parts: DesktopSignsParts
  #blocker: number | undefined
  /** A notification whose object is collected loses its click. */
  readonly #shown = new Set<object>()

  constructor(parts: DesktopSignsParts) {
    this.#parts = parts
  }

  readonly update = (now: Standing, before: Standing): void => {
    const { nativeTheme, window } = this.#parts
    if (now.preferences) nativeTheme.themeSource = now.preferences.theme
    const progress = iconProgress(now)
    window.current?.setProgressBar(progress?.fraction ?? -1, { mode: progress?.mode ?? 'none' })
    this.#stayAwake(keepsAwake(now))
    for (const { title, body, batch } of noticesBetween(before, now)) this.#notify(title, body, batch)
  }

  /** Nothing is shown of work that is over. */
  close(): void {
    this.#stayAwake(false)
  }

  #stayAwake(awake: boolean): void {
    const { powerSaveBlocker } = this.#parts
    // The screen may go dark; the machine goes on.
    if (awake) this.#blocker ??= powerSaveBlocker.start('prevent-app-suspension')
    else if (this.#blocker !== undefined) {
      powerSaveBlocker.stop(this.#blocker)
      this.#blocker = undefined
    }
  }

  #notify(title: string, body: string, batch: string | null): void {
    const { Notification, window, push } = this.#parts
    if (window.isInFront || !Notification.isSupported()) return
    // Names come from folders, reasons from the service.
    const notification = new Notification({ title: plainText(title, 120), body: plainText(body, 300) })
    this.#shown.add(notification)
    notification.on('click', () => {
      window.show()
      if (batch !== null) push({ kind: 'show-batch', batch })
    })
    notification.on('close', () => void this.#shown.delete(notification))
    notification.show()
  }
}
