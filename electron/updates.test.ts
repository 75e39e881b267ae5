import { EventEmitter } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { notesText } from './release-notes.ts'
import { settle } from './testing/stage.ts'
import { Updates, type UpdateChannel, type Updater } from './updates.ts'

/** An updater whose feed has what the test says. */
class StandInUpdater extends EventEmitter implements Updater {
  autoDownload = true
  autoInstallOnAppQuit = false
  allowDowngrade = true
  allowPrerelease = true
  logger: unknown = console
  offer: { version: string; releaseNotes?: string } | undefined
  readonly done: string[] = []
  #channel: string | null = null

  get channel() {
    return this.#channel
  }

  set channel(value) {
    this.#channel = value
    // As the real one does.
    this.allowDowngrade = true
  }

  checkForUpdates = () => {
    this.done.push(`check ${this.channel}`)
    this.emit(this.offer ? 'update-available' : 'update-not-available', this.offer)
    return Promise.resolve()
  }

  downloadUpdate = () => {
    this.done.push('download')
    this.emit('download-progress', { percent: 40 })
    this.emit('update-downloaded', this.offer)
    return Promise.resolve()
  }

  quitAndInstall = () => void this.done.push('install')
}

function scene({ feed = true, isPackaged = true, deb = false, isAppImage = false } = {}) {
  const resources = mkdtempSync(join(tmpdir(), 'vitrine-updates-'))
  onTestFinished(() => rmSync(resources, { recursive: true, force: true }))
  if (feed) writeFileSync(join(resources, 'app-update.yml'), 'provider: generic')
  if (deb) writeFileSync(join(resources, 'package-type'), 'deb')
  const updater = new StandInUpdater()
  const how = { channel: 'stable' as UpdateChannel, isBusy: false, leaves: true, loads: 0 }
  const faults: unknown[] = []
  const updates = new Updates({
    isPackaged,
    isAppImage,
    resources,
    load: () => Promise.resolve(((how.loads += 1), updater)),
    channel: () => how.channel,
    isBusy: () => how.isBusy,
    leave: (end) => {
      if (how.leaves) end()
    },
    now: () => 7,
    onFault: (error) => void faults.push(error),
  })
  return { updates, updater, how, faults }
}

test('without a feed nothing is asked and nothing is loaded, whatever a person presses', async () => {
  for (const given of [{ feed: false }, { isPackaged: false }, { deb: true }]) {
    const { updates, updater, how } = scene(given)
    await updates.check()
    await updates.download()
    updates.install()
    how.channel = 'beta'
    updates.look()
    await settle()
    const none = { kind: 'no-feed', byPackageManager: 'deb' in given }
    expect([updates.now, how.loads, updater.done]).toEqual([none, 0, []])
  }
})

test('an AppImage that holds the mark of a deb is one all the same', () => {
  expect(scene({ deb: true, isAppImage: true }).updates.now.kind).toBe('current')
})

test('no older and no unfinished version is taken', async () => {
  const { updates, updater } = scene()
  await updates.check()
  expect(updates.now).toEqual({ kind: 'current', checked: 7 })
  expect(updater.done).toEqual(['check latest'])
  expect(updater).toMatchObject({
    autoDownload: false,
    autoInstallOnAppQuit: true,
    allowDowngrade: false,
    allowPrerelease: false,
    logger: null,
  })
})

test('another channel is asked at once, and never for something older', async () => {
  const { updates, updater, how } = scene()
  await updates.check()
  how.channel = 'beta'
  updates.look()
  updates.look()
  await settle()
  expect(updater.done).toEqual(['check latest', 'check beta'])
  expect(updater).toMatchObject({ allowPrerelease: true, allowDowngrade: false })
})

test('what is there waits for the end of the work, and is installed at the end of the program', async () => {
  const { updates, updater, how } = scene()
  how.isBusy = true
  updater.offer = { version: '2.0.0', releaseNotes: 'Faster' }
  await updates.check()
  updates.look()
  await settle()
  expect(updates.now).toEqual({ kind: 'available', version: '2.0.0', notes: 'Faster' })
  how.isBusy = false
  updates.look()
  await settle()
  expect(updates.now).toEqual({ kind: 'ready', version: '2.0.0', notes: 'Faster' })
  expect(updater.done).toEqual(['check latest', 'download'])
  // In the middle of work it is asked first; who keeps running keeps this version.
  how.leaves = false
  updates.install()
  await settle()
  expect(updater.done).not.toContain('install')
  how.leaves = true
  updates.install()
  await settle()
  expect(updater.done.at(-1)).toBe('install')
})

test('a person may have it fetched in the middle of work', async () => {
  const { updates, updater, how } = scene()
  how.isBusy = true
  updater.offer = { version: '2.0.0' }
  await updates.check()
  await updates.download()
  expect(updates.now.kind).toBe('ready')
})

test('a feed that cannot be reached disturbs nobody, and can be asked again', async () => {
  const { updates, updater, faults } = scene()
  const { checkForUpdates } = updater
  const lost = new Error('http://feed.example/?token=canary is offline')
  updater.checkForUpdates = () => {
    updater.emit('error', lost)
    return Promise.reject(lost)
  }
  await updates.check()
  expect(updates.now).toMatchObject({
    kind: 'failed',
    sentence: expect.stringContaining('could not be read'),
  })
  expect(JSON.stringify(updates.now)).not.toContain('canary')
  expect(faults).toHaveLength(1)
  updater.checkForUpdates = checkForUpdates
  await updates.check()
  expect(updates.now.kind).toBe('current')
})

test('an updater that says nothing at all of a check has nothing newer', async () => {
  const { updates, updater } = scene()
  updater.checkForUpdates = () => Promise.resolve()
  await updates.check()
  expect(updates.now).toEqual({ kind: 'current', checked: 7 })
})

test('what cannot be fetched is told, and the version stays', async () => {
  const { updates, updater, faults } = scene()
  updater.offer = { version: '2.0.0' }
  updater.downloadUpdate = () => {
    updater.emit('error', new Error('sha512 of canary does not match'))
    return Promise.reject(new Error('sha512 of canary does not match'))
  }
  await updates.check()
  await settle()
  expect(updates.now).toEqual({
    kind: 'failed',
    sentence: expect.stringContaining('could not be fetched, or is not what its publisher has signed'),
  })
  expect(JSON.stringify(updates.now)).not.toContain('canary')
  expect(faults).toHaveLength(1)
})

test('whatever a feed says of its version and its progress, a person reads a short line and a share', async () => {
  const { updates, updater, how } = scene()
  how.isBusy = true
  updater.offer = { version: `2.0\u202e\n\u0007${'9'.repeat(5000)}` }
  await updates.check()
  expect(updates.now).toMatchObject({ version: expect.stringMatching(/^[\d. …]{5,41}$/) })
  let go = () => {}
  updater.downloadUpdate = () => new Promise<void>((resolve) => (go = resolve))
  const fetched = updates.download()
  await settle()
  const shares = [Number.NaN, -5, 41.6, 100.4, 1e9].map((percent) => {
    updater.emit('download-progress', { percent })
    return updates.now.kind === 'downloading' ? updates.now.percent : undefined
  })
  expect(shares).toEqual([0, 0, 42, 100, 100])
  go()
  await fetched
})

test('hostile notes are a few plain lines', () => {
  const hostile = `# 2.0\r\n<script>alert(1)</script><img src=x onerror=alert(1)><p>One<br>Two</p>\u202egpj\u0007\n${'x'.repeat(5000)}`
  const text = notesText(hostile)
  expect(text.split('\n').slice(0, 3)).toEqual(['# 2.0', 'One', 'Two'])
  expect(text).not.toMatch(/[<>]|(?!\n)[\p{Cc}\p{Cf}]/u)
  expect(text.length).toBeLessThan(500)
  expect(
    notesText([
      { version: '2.0', note: 'a' },
      { version: '1.9', note: null },
    ]),
  ).toBe('2.0\na\n\n1.9')
  expect([notesText(null), notesText(undefined)]).toEqual(['', ''])
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), (text) => {
      const shown = notesText(text)
      expect(shown).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
      expect(shown).not.toMatch(/<\/?[a-z][^>]*>/i)
    }),
  )
})
