import type { Session } from 'electron'
import { isOurAddress, origin } from './origin.ts'

type Asked = Parameters<NonNullable<Parameters<Session['setPermissionRequestHandler']>[0]>>[1]
type Checked = Parameters<NonNullable<Parameters<Session['setPermissionCheckHandler']>[0]>>[1]
export type Permission = [Asked, Checked][number]

/**
 * Electron grants whatever is not refused. Every name is here, so that a new one of a later Electron does not compile
 * until somebody has decided about it.
 */
export const permissions: Readonly<Record<Permission, boolean>> = {
  // Copying a link or a run id after a click, and looking at a picture on the whole screen.
  'clipboard-sanitized-write': true,
  fullscreen: true,

  ar: false,
  'automatic-fullscreen': false,
  'background-fetch': false,
  'background-sync': false,
  'captured-surface-control': false,
  'clipboard-read': false,
  'deprecated-sync-clipboard-read': false,
  'display-capture': false,
  fileSystem: false,
  geolocation: false,
  'geolocation-approximate': false,
  'hand-tracking': false,
  hid: false,
  'idle-detection': false,
  keyboardLock: false,
  'local-fonts': false,
  'local-network': false,
  'local-network-access': false,
  'loopback-network': false,
  media: false,
  mediaKeySystem: false,
  midi: false,
  midiSysex: false,
  nfc: false,
  notifications: false,
  openExternal: false,
  'payment-handler': false,
  'periodic-background-sync': false,
  'persistent-storage': false,
  pointerLock: false,
  'screen-wake-lock': false,
  sensors: false,
  serial: false,
  'smart-card': false,
  'speaker-selection': false,
  'storage-access': false,
  'system-wake-lock': false,
  'top-level-storage-access': false,
  usb: false,
  vr: false,
  'web-app-installation': false,
  'web-printing': false,
  'window-management': false,
  unknown: false,
}

/** A name that the types do not know is refused like any other. */
function granted(permission: string): boolean {
  return Object.hasOwn(permissions, permission) && permissions[permission as Permission]
}

/** What is used of a session here. */
export type GuardedSession = Pick<
  Session,
  | 'setPermissionRequestHandler'
  | 'setPermissionCheckHandler'
  | 'setDevicePermissionHandler'
  | 'setDisplayMediaRequestHandler'
  | 'setBluetoothPairingHandler'
  | 'on'
>

/** Refuses by default: questions, silent checks, devices, screens, pairings and downloads. */
export function refusePermissions(session: GuardedSession): void {
  session.setPermissionRequestHandler((_, permission, answer, details) => {
    answer(granted(permission) && details.isMainFrame && isOurAddress(details.requestingUrl))
  })
  session.setPermissionCheckHandler(
    (_, permission, requestingOrigin, details) =>
      granted(permission) && details.isMainFrame && requestingOrigin.replace(/\/$/, '') === origin,
  )
  session.setDevicePermissionHandler(() => false)
  session.setDisplayMediaRequestHandler((_, answer) => answer(null))
  session.setBluetoothPairingHandler((_, answer) => answer({ confirmed: false }))
  // Outputs are written by the engine; the page has nothing to save by itself.
  session.on('will-download', (event) => event.preventDefault())
}
