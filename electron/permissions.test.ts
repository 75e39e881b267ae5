import { readFileSync } from 'node:fs'
import { EventEmitter } from 'node:events'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { permissions, refusePermissions, type GuardedSession } from './permissions.ts'

type Handler = (...args: unknown[]) => unknown

/** A session that keeps the handlers it is given. */
class StandInSession extends EventEmitter {
  readonly handlers: Record<string, Handler> = {}
  setPermissionRequestHandler = (handler: Handler) => void (this.handlers['request'] = handler)
  setPermissionCheckHandler = (handler: Handler) => void (this.handlers['check'] = handler)
  setDevicePermissionHandler = (handler: Handler) => void (this.handlers['device'] = handler)
  setDisplayMediaRequestHandler = (handler: Handler) => void (this.handlers['display'] = handler)
  setBluetoothPairingHandler = (handler: Handler) => void (this.handlers['pairing'] = handler)
}

function guarded() {
  const session = new StandInSession()
  refusePermissions(session as unknown as GuardedSession)
  const answerOf = (name: string, ...before: unknown[]) => {
    let answer: unknown = 'none'
    session.handlers[name]!(...before, (given: unknown) => void (answer = given))
    return answer
  }
  const requested = (permission: string, details: object) => {
    let answer: unknown
    session.handlers['request']!({}, permission, (given: unknown) => void (answer = given), details)
    return answer
  }
  const checked = (permission: string, from: string, isMainFrame = true) =>
    session.handlers['check']!(null, permission, from, { isMainFrame })
  return { session, answerOf, requested, checked }
}

const ours = { isMainFrame: true, requestingUrl: 'vitrine://app/index.html' }
const named = Object.keys(permissions)

test('every permission of this Electron has been decided about, and all but two are refused', () => {
  const types = readFileSync(resolve('node_modules/electron/electron.d.ts'), 'utf8')
  const lists = [
    ...types.matchAll(
      /setPermission(?:Request|Check)Handler\(handler: \(\(webContents: .*?permission: ([^,]+),/g,
    ),
  ]
  expect(lists).toHaveLength(2)
  const inTypes = new Set(
    lists.flatMap(([, list]) => list!.split('|').map((name) => name.trim().slice(1, -1))),
  )
  expect(inTypes.size).toBeGreaterThan(40)
  expect(named.toSorted()).toEqual([...inTypes].toSorted())
  expect(named.filter((name) => permissions[name as keyof typeof permissions])).toEqual([
    'clipboard-sanitized-write',
    'fullscreen',
  ])
})

test.each([...named, 'a-permission-of-tomorrow', 'constructor', '__proto__'])('%s', (name) => {
  const { requested, checked } = guarded()
  const granted = name === 'fullscreen' || name === 'clipboard-sanitized-write'
  expect(requested(name, ours)).toBe(granted)
  expect(checked(name, 'vitrine://app/')).toBe(granted)
  expect(requested(name, { ...ours, isMainFrame: false })).toBe(false)
  expect(requested(name, { ...ours, requestingUrl: 'https://evil.example/' })).toBe(false)
  expect(checked(name, 'https://evil.example/')).toBe(false)
  expect(checked(name, 'vitrine://app/', false)).toBe(false)
})

test('no device, no screen, no pairing, no download', () => {
  const { session, answerOf } = guarded()
  expect(session.handlers['device']!({})).toBe(false)
  expect(answerOf('display', {})).toBeNull()
  expect(answerOf('pairing', {})).toEqual({ confirmed: false })
  let prevented = false
  session.emit('will-download', { preventDefault: () => void (prevented = true) })
  expect(prevented).toBe(true)
})
