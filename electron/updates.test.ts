import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { trustSystemCertificates } from './trust-store.ts'
import { lookForUpdate, type Updater } from './updates.ts'

function scene(feed: boolean) {
  const resources = mkdtempSync(join(tmpdir(), 'vitrine-updates-'))
  onTestFinished(() => rmSync(resources, { recursive: true, force: true }))
  if (feed) writeFileSync(join(resources, 'app-update.yml'), 'provider: generic')
  const faults: unknown[] = []
  let checks = 0
  const updater: Updater = {
    autoDownload: false,
    autoInstallOnAppQuit: false,
    allowDowngrade: true,
    allowPrerelease: true,
    allowUnverifiedLinuxPackages: true,
    on: () => undefined,
    checkForUpdates: () => Promise.resolve((checks += 1)),
  }
  let loads = 0
  const load = () => Promise.resolve(((loads += 1), updater))
  return {
    parts: { isPackaged: true, resources, load, onFault: (error: unknown) => void faults.push(error) },
    updater,
    faults,
    checks: () => checks,
    loads: () => loads,
  }
}

test('without a feed nothing is asked and nothing is loaded', async () => {
  const { parts, loads } = scene(false)
  expect(await lookForUpdate(parts)).toBe(false)
  const checkout = scene(true)
  expect(await lookForUpdate({ ...checkout.parts, isPackaged: false })).toBe(false)
  expect(loads() + checkout.loads()).toBe(0)
})

test('with a feed it looks once; no older, no unfinished and no unverified version is taken', async () => {
  const { parts, updater, checks } = scene(true)
  expect(await lookForUpdate(parts)).toBe(true)
  expect(checks()).toBe(1)
  expect(updater).toMatchObject({
    autoInstallOnAppQuit: true,
    allowDowngrade: false,
    allowPrerelease: false,
    allowUnverifiedLinuxPackages: false,
  })
})

test('a feed that cannot be reached disturbs nobody', async () => {
  const { parts, updater, faults } = scene(true)
  updater.checkForUpdates = () => Promise.reject(new Error('offline'))
  expect(await lookForUpdate(parts)).toBe(true)
  expect(faults).toHaveLength(1)
})

test('the authorities of the system are trusted beside Node’s own', () => {
  const trusted: (readonly string[])[] = []
  trustSystemCertificates({
    certificates: (type) => (type === 'default' ? ['a', 'b'] : ['b', 'c']),
    trust: (certificates) => void trusted.push(certificates),
  })
  expect(trusted).toEqual([['a', 'b', 'c']])
})

test('where the system does not tell its authorities, Node’s own stay', () => {
  // Written anew they break their lines elsewhere.
  const trusted = () => getCACertificates('default').map((text) => text.replace(/\s/g, ''))
  const before = trusted()
  trustSystemCertificates({
    certificates: () => {
      throw new Error('no key store')
    },
    trust: () => undefined,
  })
  trustSystemCertificates()
  const after = new Set(trusted())
  expect(before.length).toBeGreaterThan(50)
  expect(before.filter((one) => !after.has(one))).toEqual([])
})
