import { createHash, randomBytes } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, request, type IncomingMessage, type RequestOptions } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildBlockMap } from 'app-builder-lib/out/targets/blockmap/blockmap.js'
import { AppImageUpdater } from 'electron-updater'
import { ElectronHttpExecutor } from 'electron-updater/out/electronHttpExecutor.js'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Updates, type Updater } from './updates.ts'

const program = (body: Buffer, says: string) =>
  Buffer.concat([Buffer.from(`#!/bin/sh\necho ${says} >"$0.ran"\nexit 0\n#AAAA`), body])

/** A real feed of the generic kind on this computer, which the real updater asks. */
async function feedOf(version: string, channel: string, file: Buffer, notes: string) {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-feed-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const name = `Vitrine-${version}.AppImage`
  writeFileSync(join(folder, name), file)
  const { blockMapSize } = await buildBlockMap(join(folder, name), 'deflate')
  const whole = readFileSync(join(folder, name))
  const sha512 = createHash('sha512').update(whole).digest('base64')
  const info = {
    version,
    files: [{ url: name, sha512, size: whole.length, blockMapSize }],
    path: name,
    sha512,
    releaseNotes: notes,
  }
  const files = new Map([
    [`/${name}`, whole],
    [`/${channel}-linux.yml`, Buffer.from(JSON.stringify(info))],
  ])
  const asked: string[] = []
  let sent = 0
  const server = createServer((incoming, answer) => {
    const path = new URL(incoming.url!, 'http://feed').pathname
    asked.push(path)
    const bytes = files.get(path)
    if (!bytes) return answer.writeHead(404).end()
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(incoming.headers.range ?? '') ?? []
    const part = from === undefined ? bytes : bytes.subarray(Number(from), Number(to) + 1)
    if (path.endsWith('.AppImage')) sent += part.length
    const range = { 'content-range': `bytes ${from}-${to}/${bytes.length}` }
    answer.writeHead(from === undefined ? 200 : 206, {
      'content-length': part.length,
      ...(from ? range : {}),
    })
    answer.end(part)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, asked, whole, files, name, sent: () => sent }
}

/** An installed AppImage, and the updater that a start of it would load; only Electron's network is Node's here. */
async function installed(url: string, body: Buffer) {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-installed-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const image = join(folder, 'Vitrine.AppImage')
  writeFileSync(image, program(body, 'old'), { mode: 0o755 })
  await buildBlockMap(image, 'deflate')
  const before = process.env['APPIMAGE']
  process.env['APPIMAGE'] = image
  onTestFinished(() => {
    if (before === undefined) delete process.env['APPIMAGE']
    else process.env['APPIMAGE'] = before
  })
  writeFileSync(
    join(folder, 'app-update.yml'),
    `provider: generic\nurl: ${url}\nupdaterCacheDirName: vitrine-updater\nuseMultipleRangeRequest: false\n`,
  )
  mkdirSync(join(folder, 'user'))
  let quit: (code: number) => void = () => undefined
  const updater = new AppImageUpdater(null, {
    version: '1.0.0',
    name: 'vitrine',
    isPackaged: true,
    appUpdateConfigPath: join(folder, 'app-update.yml'),
    userDataPath: join(folder, 'user'),
    baseCachePath: join(folder, 'cache'),
    whenReady: () => Promise.resolve(),
    relaunch: () => undefined,
    quit: () => undefined,
    onQuit: (listener: (code: number) => void) => void (quit = listener),
  })
  // All of its network but for the one call that is Electron's own.
  const network = Object.assign(new ElectronHttpExecutor(), {
    createRequest: (options: RequestOptions, callback: (answer: IncomingMessage) => void) =>
      request(options, callback),
  })
  Object.assign(updater, { httpExecutor: network })
  return { folder, image, updater: updater as unknown as Updater, quit: () => quit(0) }
}

function updatesFor(resources: string, updater: Updater, channel: 'stable' | 'beta' = 'stable') {
  const faults: unknown[] = []
  const updates = new Updates({
    isPackaged: true,
    isAppImage: true,
    resources,
    load: () => Promise.resolve(updater),
    channel: () => channel,
    isBusy: () => false,
    leave: (end) => end(),
    now: () => 7,
    onFault: (error) => void faults.push(error),
  })
  return { updates, faults }
}

describe.runIf(process.platform === 'linux')('a real feed over HTTP', () => {
  const body = randomBytes(3 * 1024 * 1024)
  const changed = Buffer.concat([body.subarray(0, 2_000_000), randomBytes(5000), body.subarray(2_005_000)])

  test('an update is found with its notes, fetched as the difference alone, and installed at the end', async () => {
    const feed = await feedOf('1.1.0', 'latest', program(changed, 'new'), '**Faster** <b>now</b>')
    const { folder, image, updater, quit } = await installed(feed.url, body)
    const { updates, faults } = updatesFor(folder, updater)
    await updates.check()
    await expect.poll(() => updates.now.kind).toBe('ready')
    expect(updates.now).toEqual({ kind: 'ready', version: '1.1.0', notes: '**Faster** now' })
    expect(faults).toEqual([])
    // A block or two of three megabytes.
    expect(feed.sent()).toBeGreaterThan(5000)
    expect(feed.sent()).toBeLessThan(feed.whole.length / 4)
    // Until the program ends it is the old one.
    execFileSync(image)
    expect(readFileSync(`${image}.ran`, 'utf8')).toBe('old\n')
    quit()
    expect(readFileSync(image).equals(feed.whole)).toBe(true)
    expect(statSync(image).mode & 0o111).not.toBe(0)
  })

  test('what is not what the feed says is never installed', async () => {
    const feed = await feedOf('1.1.0', 'latest', program(changed, 'new'), '')
    feed.files.set(`/${feed.name}`, Buffer.from(feed.whole).fill(0x58, 1_000_000, 2_500_000))
    const { folder, image, updater, quit } = await installed(feed.url, body)
    const old = readFileSync(image)
    const { updates } = updatesFor(folder, updater)
    await updates.check()
    await expect.poll(() => updates.now.kind).toBe('failed')
    quit()
    expect(readFileSync(image).equals(old)).toBe(true)
  })

  test('each channel has a list of its own; an older version is none', async () => {
    const feed = await feedOf('1.1.0-beta.1', 'beta', program(changed, 'new'), '')
    const stable = await installed(feed.url, body)
    const first = updatesFor(stable.folder, stable.updater)
    await first.updates.check()
    expect(first.updates.now.kind).toBe('failed')
    expect(feed.asked).toEqual(['/latest-linux.yml'])
    const beta = await installed(feed.url, body)
    const second = updatesFor(beta.folder, beta.updater, 'beta')
    await second.updates.check()
    await expect.poll(() => second.updates.now).toMatchObject({ kind: 'ready', version: '1.1.0-beta.1' })
    const older = await feedOf('0.9.0', 'latest', program(changed, 'old'), '')
    const kept = await installed(older.url, body)
    const third = updatesFor(kept.folder, kept.updater)
    await third.updates.check()
    expect(third.updates.now).toEqual({ kind: 'current', checked: 7 })
    expect(older.sent()).toBe(0)
  })

  test('without a feed no request is made, by the real updater neither', async () => {
    const feed = await feedOf('1.1.0', 'latest', program(changed, 'new'), '')
    const { folder, updater } = await installed(feed.url, body)
    rmSync(join(folder, 'app-update.yml'))
    const { updates } = updatesFor(folder, updater)
    await updates.check()
    expect([updates.now.kind, feed.asked, existsSync(join(folder, 'cache'))]).toEqual(['no-feed', [], false])
  })
})
