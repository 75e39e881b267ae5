import { beforeAll, describe, expect, test } from 'vitest'
import { describeTransport } from '../shared/rpc/rpc.conformance.ts'
import type { Port } from '../shared/rpc/frames.ts'
import { listenToPages } from './ipc-port.ts'
import { channels } from './preload/channels.ts'
import { builtPreload, runPreload } from './testing/run-preload.ts'
import { StandInContents, StandInIpcMain, standInFrame, type StandInFrame } from './testing/stand-in-ipc.ts'

let preload = ''
beforeAll(async () => {
  preload = await builtPreload()
})

/** A program with one window, whose page has the preload that ships. */
function scene() {
  const ipcMain = new StandInIpcMain()
  const contents = new StandInContents()
  const ports: Port[] = []
  const drops: (readonly string[])[] = []
  const endAll = listenToPages(ipcMain.real, {
    isWindow: (one) => one === contents.real,
    onOpen: (port) => void ports.push(port),
    takeDrop: (paths) => `drop-${drops.push(paths)}`,
  })
  ipcMain.join(contents)
  const files = new Map<unknown, string>()
  return { ipcMain, contents, ports, drops, endAll, files, page: runPreload(preload, contents, files) }
}

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve))

describe('the line over IPC and the preload that ships', () => {
  describeTransport(async () => {
    const { ports, page, endAll } = scene()
    // Somebody listens: that opens the line.
    const early: unknown[] = []
    const unhear = page.bridge.port.onFrame((frame) => early.push(frame))
    await turn()
    unhear()
    return { engine: ports[0]!, page: page.bridge.port, cut: endAll }
  })
})

describe('the preload', () => {
  test('requires electron and nothing else, and is small', () => {
    expect(scene().page.required).toEqual(['electron'])
    expect(preload.length).toBeLessThan(4000)
  })

  test('exposes two things by name, and nothing of Electron', () => {
    const { page, contents } = scene()
    expect(Object.keys(page.world)).toEqual(['vitrine'])
    const seen: string[] = []
    const walk = (value: unknown, path: string) => {
      expect(value).not.toBe(contents.ipcRenderer)
      if (typeof value === 'function') seen.push(path)
      else for (const [key, item] of Object.entries(value as object)) walk(item, `${path}.${key}`)
    }
    walk(page.bridge, 'vitrine')
    expect(seen).toEqual([
      'vitrine.port.send',
      'vitrine.port.onFrame',
      'vitrine.port.onClose',
      'vitrine.takeDrop',
    ])
  })

  test('gives a listener the frame alone, never the event', async () => {
    const { page, contents } = scene()
    const heard: unknown[][] = []
    page.bridge.port.onFrame((...args) => heard.push(args))
    contents.send(channels.frame, { type: 'hello', protocol: 1 })
    await turn()
    expect(heard).toEqual([[{ type: 'hello', protocol: 1 }]])
  })

  test('hands over paths of real files only, and the page learns an id', async () => {
    const { page, drops, files } = scene()
    const [folder, file, made] = [{}, {}, {}]
    files.set(folder, '/shoot').set(file, '/shoot/list.txt')
    expect(await page.bridge.takeDrop([folder, made, file])).toBe('drop-1')
    expect(drops).toEqual([['/shoot', '/shoot/list.txt']])
    expect(await page.bridge.takeDrop([made])).toBeNull()
    expect(drops).toHaveLength(1)
  })
})

const spoofs: [string, (frame: StandInFrame) => StandInFrame | null][] = [
  ['a frame that is gone', () => null],
  ['another site', (own) => ({ ...own, url: 'https://evil.example/', origin: 'https://evil.example' })],
  ['our address with the origin of another', (own) => ({ ...own, origin: 'https://evil.example' })],
  ['a blank page', (own) => ({ ...own, url: 'about:blank', origin: 'null' })],
  ['a blank page that inherits our origin', (own) => ({ ...own, url: 'about:blank' })],
  ['no address at all', (own) => ({ ...own, url: '' })],
  ['a file', (own) => ({ ...own, url: 'file:///etc/passwd', origin: 'file://' })],
  ['a look-alike host', (own) => ({ ...own, url: 'vitrine://app.evil.example/index.html' })],
  ['our name before an @', (own) => ({ ...own, url: 'vitrine://app@evil.example/index.html' })],
  ['a name and a password before our host', (own) => ({ ...own, url: 'vitrine://a:b@app/index.html' })],
  ['a name before our host', (own) => ({ ...own, url: 'vitrine://a@app/index.html' })],
  ['our host with a port', (own) => ({ ...own, url: 'vitrine://app:80/index.html' })],
  [
    'a look-alike scheme',
    (own) => ({ ...own, url: 'vitrine-x://app/index.html', origin: 'vitrine-x://app' }),
  ],
  ['a frame in our page', (own) => standInFrame({ parent: own })],
  ['a frame that takes the number of our page', (own) => ({ ...own, parent: own })],
  ['a frame that claims to have no parent', () => standInFrame()],
  ['a detached frame', (own) => ({ ...own, detached: true })],
  ['a destroyed frame', (own) => ({ ...own, isDestroyed: () => true })],
]

describe('who is listened to', () => {
  test.each(spoofs)('not %s, on any channel', async (_, spoof) => {
    const { ipcMain, contents, ports, drops } = scene()
    const frame = spoof(contents.mainFrame)
    ipcMain.deliver(contents, frame, channels.open)
    expect(ports).toEqual([])
    ipcMain.deliver(contents, contents.mainFrame, channels.open)
    const heard: unknown[] = []
    ports[0]!.onFrame((one) => heard.push(one))
    ipcMain.deliver(contents, frame, channels.frame, { type: 'start', id: 1, path: 'queue.pause', input: {} })
    expect(heard).toEqual([])
    expect(await ipcMain.ask(contents, frame, channels.takeDrop, ['/etc'])).toBeNull()
    expect(drops).toEqual([])
  })

  test('not contents that are no window of ours, nor a window that is gone', async () => {
    const { ipcMain, contents, ports, drops } = scene()
    const foreign = new StandInContents()
    ipcMain.deliver(foreign, foreign.mainFrame, channels.open)
    expect(await ipcMain.ask(foreign, foreign.mainFrame, channels.takeDrop, ['/etc'])).toBeNull()
    contents.destroy()
    ipcMain.deliver(contents, { ...contents.mainFrame, isDestroyed: () => false }, channels.open)
    expect(ports).toEqual([])
    expect(drops).toEqual([])
  })

  test.each([
    ['nothing', undefined],
    ['no list', '/etc'],
    ['an empty list', []],
    ['an empty path', ['']],
    ['a path that is none', [{ path: '/etc' }]],
    ['a path beyond every system', ['/'.repeat(5000)]],
    ['too many', Array.from({ length: 10_001 }, () => '/a')],
  ])('not a drop of %s', async (_, paths) => {
    const { ipcMain, contents, drops } = scene()
    expect(await ipcMain.ask(contents, contents.mainFrame, channels.takeDrop, paths)).toBeNull()
    expect(drops).toEqual([])
  })
})

describe('a line ends', () => {
  const ends: [string, (contents: StandInContents) => void, boolean][] = [
    ['when its window is closed', (contents) => contents.destroy(), true],
    ['when its page crashes', (contents) => void contents.emit('render-process-gone', {}, {}), true],
    [
      'when its page goes elsewhere or is loaded anew',
      (contents) => void contents.emit('did-start-navigation', { isMainFrame: true, isSameDocument: false }),
      true,
    ],
    [
      'not when a place within the page is gone to',
      (contents) => void contents.emit('did-start-navigation', { isMainFrame: true, isSameDocument: true }),
      false,
    ],
  ]
  test.each(ends)('%s', (_, happen, over) => {
    const { ipcMain, contents, ports } = scene()
    ipcMain.deliver(contents, contents.mainFrame, channels.open)
    let closed = false
    ports[0]!.onClose(() => {
      closed = true
    })
    happen(contents)
    expect(closed).toBe(over)
    // What comes late goes nowhere and breaks nothing.
    ports[0]!.send({ type: 'hello' })
    expect(contents.sent).toHaveLength(over ? 0 : 1)
  })

  test('a second one of the same page ends the first', () => {
    const { ipcMain, contents, ports } = scene()
    let closed = 0
    for (let n = 0; n < 2; n += 1) {
      ipcMain.deliver(contents, contents.mainFrame, channels.open)
      ports[n]!.onClose(() => void (closed += 1))
    }
    expect(closed).toBe(1)
    expect(contents.listenerCount('destroyed')).toBe(1)
  })
})
