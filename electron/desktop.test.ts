import { EventEmitter } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { windowContract } from '../shared/contract/desktop-bridge.ts'
import type { DesktopProgram } from './desktop-program.ts'
import { runDesktop } from './run-desktop.ts'
import { batchRecord, counts, imageDetails, preferencesRecord, queueRecord } from './testing/records.ts'
import { builtPreload } from './testing/run-preload.ts'
import type { Updater } from './updates.ts'
import { settle, Stage, until } from './testing/stage.ts'
import { tries } from '../shared/tries.ts'

let preload = ''
beforeAll(async () => {
  preload = await builtPreload()
})

function stage(fields: Partial<DesktopProgram> = {}): Stage {
  const set = new Stage(fields)
  onTestFinished(() => set.clear())
  return set
}

/** The next item of a stream. */
async function next<T>(items: AsyncIterable<T>): Promise<T> {
  for await (const item of items) return item
  throw new Error('The stream has ended.')
}

/** Whether a navigation that the page begins is prevented. */
function isStopped(contents: EventEmitter, event: string, url: string, isMainFrame = true): boolean {
  let prevented = false
  contents.emit(event, { url, isMainFrame, preventDefault: () => void (prevented = true) })
  return prevented
}

describe('the start', () => {
  test('guards stand before anything is loaded, and what Electron wants before it is ready comes before', async () => {
    const set = stage({ platform: 'win32' })
    const window = await set.start()
    expect(set.electron.diary).toEqual([
      'app.enableSandbox',
      'protocol.registerSchemesAsPrivileged',
      'app.setAppUserModelId app.vitrine.desktop',
      'ready',
      'protocol.handle',
      'window.loadURL',
    ])
    expect(Object.keys(set.electron.session.handlers).toSorted()).toEqual(
      ['before-request', 'check', 'device', 'display', 'pairing', 'request'].toSorted(),
    )
    expect(set.electron.schemes).toEqual([
      {
        scheme: 'vitrine',
        privileges: {
          standard: true,
          secure: true,
          supportFetchAPI: true,
          stream: true,
          codeCache: true,
        },
      },
    ])
    expect(window.loaded).toBe('vitrine://app/index.html')
    expect(set.trusted).toBe(1)
  })

  test('everything lies in the one data folder, for its owner alone', async () => {
    const set = stage()
    await set.start()
    expect(set.electron.app.paths['userData']).toBe(join(set.home, 'desktop'))
    // Windows has other rights than these.
    if (process.platform !== 'win32') expect(statSync(set.home).mode & 0o077).toBe(0)
  })

  test('a data folder that cannot be made is told before anything is opened', async () => {
    const set = stage()
    writeFileSync(set.home, 'a file')
    runDesktop(set.program)
    expect(set.electron.errors[0]).toContain(`The data folder ${set.home} cannot be used (`)
    expect([set.electron.app.exitCode, set.electron.windows.length]).toEqual([70, 0])
  })

  test('what cannot be opened is told in a sentence, and the program ends', async () => {
    const set = stage({ openEngine: () => Promise.reject(Object.assign(new Error('x'), { code: 'EACCES' })) })
    void set.start().catch(() => undefined)
    await until(() => set.electron.app.exitCode !== undefined)
    expect(set.electron.app.exitCode).toBe(70)
    expect(set.electron.errors).toEqual([
      `The data folder ${set.home} cannot be used (EACCES). Make room or allow it, or choose another with VITRINE_HOME.`,
    ])
  })

  test('a page that was not built is told by name', async () => {
    const set = stage({ pageFolder: join(tmpdir(), 'vitrine-there-is-no-such-page') })
    void set.start().catch(() => undefined)
    await until(() => set.electron.app.exitCode !== undefined)
    expect(set.electron.errors[0]).toMatch(/^The page of the program is not there\./)
    expect(set.electron.windows).toEqual([])
  })

  test('a fault of ours is told without its details, which are in the log', async () => {
    const set = stage()
    await set.start()
    set.process.emit('uncaughtException', new Error('at https://a.example/b?signature=canary'))
    expect(set.electron.errors[0]).toMatch(/fault of its own\. Nothing is lost/)
    expect(set.electron.errors[0]).not.toContain('canary')
    const log = readFileSync(join(set.home, 'errors.log'), 'utf8')
    expect(log).toContain('https://a.example/b?…')
    expect(log).not.toContain('canary')
  })
})

describe('the window', () => {
  test.each(['darwin', 'win32', 'linux'] as const)('on %s is locked down', async (platform) => {
    const set = stage({ platform })
    const { options } = await set.start()
    expect(options.webPreferences).toEqual({
      preload: '/program/preload.cjs',
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      enableBlinkFeatures: '',
      webviewTag: false,
      navigateOnDragDrop: false,
      safeDialogs: true,
      plugins: false,
      spellcheck: false,
      backgroundThrottling: true,
      devTools: true,
    })
    const frames = {
      darwin: { titleBarStyle: 'hiddenInset', trafficLightPosition: { x: 19, y: 18 } },
      win32: { titleBarStyle: 'hidden', titleBarOverlay: { height: 32 } },
      linux: { autoHideMenuBar: true },
    }
    expect(options).toMatchObject({ show: false, minWidth: 960, minHeight: 620, ...frames[platform] })
  })

  test('goes nowhere, opens nothing and holds no other page; so does whatever else is made', async () => {
    const set = stage()
    const window = await set.start()
    const foreign = new (set.electron.objects.BrowserWindow as never as new (o: object) => typeof window)({})
    for (const { webContents } of [window, foreign]) {
      expect((webContents.openHandler as () => unknown)()).toEqual({ action: 'deny' })
      for (const event of ['will-navigate', 'will-frame-navigate', 'will-redirect', 'will-attach-webview']) {
        for (const url of ['https://service.example/', 'vitrine://app/other.html', '']) {
          expect([event, url, isStopped(webContents, event, url)]).toEqual([event, url, true])
        }
      }
    }
  })

  test('may load itself anew, whole and in its own frame', async () => {
    const set = stage()
    const { webContents } = await set.start()
    const own = 'vitrine://app/index.html'
    for (const event of ['will-navigate', 'will-frame-navigate']) {
      for (const url of [own, `${own}#batch/b1`]) expect(isStopped(webContents, event, url)).toBe(false)
      for (const url of [`${own}?x`, `${own}/`, 'vitrine://app/', 'VITRINE://app/index.html', `${own}%23`]) {
        expect([url, isStopped(webContents, event, url)]).toEqual([url, true])
      }
    }
    expect(isStopped(webContents, 'will-frame-navigate', own, false)).toBe(true)
    expect(isStopped(webContents, 'will-redirect', own)).toBe(true)
    webContents.url = `${own}#batch/b1`
    expect(isStopped(webContents, 'will-navigate', own)).toBe(false)
  })

  test('has the colours of the theme, also where the system draws on it', async () => {
    const set = stage({ platform: 'win32' })
    const window = await set.start()
    set.engine.preferences = preferencesRecord({ theme: 'light' })
    set.engine.ring()
    await until(() => set.electron.nativeTheme.themeSource === 'light')
    set.electron.nativeTheme.shouldUseDarkColors = false
    set.electron.nativeTheme.emit('updated')
    expect(window.overlays).toEqual([{ color: '#E9E9E9', symbolColor: '#454545', height: 32 }])
  })

  test('comes again where it was', async () => {
    const set = stage({ platform: 'darwin' })
    const window = await set.start()
    window.bounds = { x: 100, y: 80, width: 1300, height: 900 }
    window.maximized = true
    window.close()
    set.electron.app.emit('activate')
    const again = set.electron.windows[1]!
    expect(again.options).toMatchObject({ x: 100, y: 80, width: 1300, height: 900 })
    again.emit('ready-to-show')
    expect([again.maximized, again.shown]).toEqual([true, true])
  })

  test('whose page crashes is loaded again, and asks when that does not help', async () => {
    const set = stage()
    const window = await set.start()
    const crash = () => void window.webContents.emit('render-process-gone', {}, { reason: 'crashed' })
    for (let n = 0; n < 3; n += 1) crash()
    expect(window.webContents.reloads).toBe(3)
    expect(set.electron.asked).toEqual([])
    crash()
    await settle()
    expect(set.electron.asked[0]?.message).toBe('The window has stopped working several times.')
    expect(window.webContents.reloads).toBe(4)
    expect(set.engine.closed).toBe(0)
  })

  test('has text of 80 to 150 %', async () => {
    const set = stage()
    const window = await set.start()
    const press = (label: string) => {
      set.electron.press(label)
      return window.webContents.zoomFactor
    }
    expect([1, 2, 3, 4].map(() => press('Larger text'))).toEqual([1.1, 1.25, 1.5, 1.5])
    expect(press('Usual size')).toBe(1)
    expect([1, 2, 3].map(() => press('Smaller text'))).toEqual([0.9, 0.8, 0.8])
  })
})

describe('the page’s own protocol', () => {
  const policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' blob:; " +
    "media-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; frame-src 'none'; " +
    "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
    "require-trusted-types-for 'script'; trusted-types default"

  async function asking() {
    const set = stage()
    writeFileSync(join(set.folder, 'secret.txt'), 'secret')
    symlinkSync(join(set.folder, 'secret.txt'), join(set.program.pageFolder, 'link.html'))
    await set.start()
    const handler = set.electron.protocolHandlers.get('vitrine')!
    return (url: string, init?: RequestInit) => handler(new Request(url, init))
  }

  test('serves the page under the content policy, whatever is asked for', async () => {
    const ask = await asking()
    for (const [url, status, type] of [
      ['vitrine://app/', 200, 'text/html; charset=utf-8'],
      ['vitrine://app/index.html?x=1', 200, 'text/html; charset=utf-8'],
      ['vitrine://app/assets/index-1a2b.js', 200, 'text/javascript; charset=utf-8'],
      ['vitrine://app/gone.js', 404, 'text/plain'],
      ['vitrine://app/pictures/1/primary/file', 200, 'video/mp4'],
      ['vitrine://app/pictures/2/primary/file', 404, 'text/plain;charset=UTF-8'],
    ] as const) {
      const answer = await ask(url)
      expect([url, answer.status, answer.headers.get('content-type')]).toEqual([url, status, type])
      expect(answer.headers.get('content-security-policy')).toBe(policy)
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    }
    expect((await ask('vitrine://app/', { method: 'POST', body: 'x' })).status).toBe(405)
  })

  test('hands ranges on, so that a video can be moved about in', async () => {
    const ask = await asking()
    const answer = await ask('vitrine://app/pictures/1/primary/file', { headers: { range: 'bytes=0-3' } })
    expect(answer.status).toBe(206)
    expect(answer.headers.get('content-range')).toBe('bytes 0-3/10 for bytes=0-3')
  })

  const climbs = [
    '..',
    '%2e%2e',
    '.%2e',
    '..%2f..',
    '..%5c..',
    '%2e%2e%2f',
    '....//..',
    '..;',
    '%00',
    '%252e%252e',
  ]
  const targets = [
    'secret.txt',
    'etc/passwd',
    'C:/Windows/win.ini',
    '/server/share/x',
    'notes.txt',
    'link.html',
  ]
  const others = [
    'vitrine://app//etc/passwd',
    'vitrine://app/file:///etc/passwd',
    'vitrine://app/assets/',
    'vitrine://app/INDEX.HTML',
    'vitrine://app/index.html%00.js',
    'vitrine://app/index.html%20',
    'vitrine://app/index.html.',
    'vitrine://app:80/index.html',
    'vitrine://other/index.html',
    'file:///etc/passwd',
    'https://app/index.html',
  ]
  const all = [
    ...climbs.flatMap((climb) => targets.map((target) => `vitrine://app/assets/${climb}/${target}`)),
    ...targets.map((target) => `vitrine://app/${target}`),
    ...others,
  ]

  test(`serves none of ${all.length} ways out of the page`, async () => {
    const ask = await asking()
    for (const url of all) {
      const answer = await ask(url)
      expect([url, answer.status]).toEqual([url, 404])
      expect(await answer.text()).not.toContain('secret')
    }
  })

  test('nothing is fetched from elsewhere', async () => {
    const set = stage()
    await set.start()
    const ask = set.electron.session.handlers['before-request'] as never as (
      details: { url: string },
      answer: (given: { cancel: boolean }) => void,
    ) => void
    const cancelled = (url: string) => {
      let told = false
      ask({ url }, ({ cancel }) => void (told = cancel))
      return told
    }
    expect(cancelled('vitrine://app/index.html')).toBe(false)
    expect(cancelled('blob:vitrine://app/1')).toBe(false)
    for (const url of [
      'https://a.example/',
      'http://127.0.0.1:1/',
      'ws://127.0.0.1:1/',
      'file:///etc/passwd',
      'data:text/html,x',
      'blob:https://a.example/1',
      'devtools://devtools/bundled/x',
    ]) {
      expect([url, cancelled(url)]).toEqual([url, true])
    }
  })
})

describe('the page', () => {
  test('speaks with the engine and the shell over one line', async () => {
    const set = stage({ platform: 'darwin' })
    const window = await set.start()
    const { api } = await set.page(preload, window)
    expect(await api.shell.info({})).toEqual({ platform: 'mac', version: '1.2.3', titleBar: 'inset' })
    expect(await next(api.queue.watch({}))).toMatchObject({ state: 'running', inFlight: 0 })
    await expect(api.queue.pause({})).rejects.toMatchObject({ code: 'refused' })
  })

  test('installs the command line where the person can find it, and removes it again', async () => {
    const set = stage()
    const { api } = await set.page(preload, await set.start())
    const path = join(set.folder, 'person', '.local', 'bin', 'vitrine')
    expect(await api.shell.commandLine({ act: 'look' })).toMatchObject({ path, isInstalled: false })
    expect(await api.shell.commandLine({ act: 'install' })).toMatchObject({ path, isInstalled: true })
    expect(readFileSync(path, 'utf8')).toContain(`exec '/program/Vitrine' $screen --command-line -- "$@"`)
    expect(await api.shell.commandLine({ act: 'remove' })).toMatchObject({ isInstalled: false })
    writeFileSync(path, 'mine')
    await expect(api.shell.commandLine({ act: 'install' })).rejects.toMatchObject({ code: 'refused' })
  })

  test('may say what it will: nothing but the contract’s questions reaches the engine', async () => {
    const set = stage()
    const window = await set.start()
    const { api } = await set.page(preload, window)
    const asked: string[] = []
    const refuse = set.engine.refused
    set.engine.refused = (name) => {
      asked.push(name)
      refuse(name)
    }
    const names = Object.entries(windowContract).flatMap(([group, all]) =>
      Object.keys(all).map((name) => `${group}.${name}`),
    )
    const path = fc.oneof(
      fc.constantFrom(...names),
      fc.constantFrom('__proto__.toString', 'queue.constructor', ''),
      fc.string(),
    )
    const frame = fc.oneof(
      fc.jsonValue(),
      fc.record({
        type: fc.constantFrom('start', 'stop', 'item', 'hello'),
        id: fc.integer({ min: 1000, max: 1300 }),
        path,
        input: fc.jsonValue(),
      }),
    )
    const { ipcMain } = set.electron
    const { webContents } = window
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 20 }), (frames) => {
        for (const one of frames) ipcMain.deliver(webContents, webContents.mainFrame, 'vitrine:frame', one)
      }),
      { numRuns: tries(500) },
    )
    await settle(50)
    // What fits was asked and refused in words; what does not fit was not asked.
    expect(await api.shell.info({})).toMatchObject({ platform: 'linux' })
    expect(asked.filter((name) => !names.includes(name))).toEqual([])
    const said = webContents.sent.map(({ args }) => JSON.stringify(args[0]))
    expect(said.filter((text) => text.includes('"internal"'))).toEqual([])
    expect(set.electron.errors).toEqual([])
  })

  test('learns the id of what was dropped or picked, and the engine the paths', async () => {
    const set = stage()
    const window = await set.start()
    const files = new Map<unknown, string>([[{ name: 'shoot' }, '/shoots/may']])
    const { bridge, api } = await set.page(preload, window, files)
    const dropped = await bridge.takeDrop([...files.keys()])
    expect(set.engine.drops.find(dropped!)).toEqual([{ kind: 'path', path: '/shoots/may' }])
    expect(await api.shell.pickSources({})).toEqual({ drop: null })
    set.electron.picked = ['/shoots/june']
    const { drop } = await api.shell.pickSources({ what: 'files' })
    expect(set.engine.drops.find(drop!)).toEqual([{ kind: 'path', path: '/shoots/june' }])
    await api.shell.pickSources({ what: 'picture' })
    expect(set.electron.openDialogs.map(({ properties }) => properties)).toEqual([
      ['openDirectory', 'multiSelections'],
      ['openFile', 'multiSelections'],
      ['openFile'],
    ])
    expect(await api.shell.pickFolder({ title: 'Output folder', current: '/out' })).toEqual({
      path: '/shoots/june',
    })
    expect(set.electron.openDialogs[3]?.defaultPath).toBe('/out')
  })

  test('reveals files of a batch where they are, and nothing beside its folder', async () => {
    const set = stage()
    const out = join(set.folder, 'out')
    mkdirSync(join(out, 'rings'), { recursive: true })
    writeFileSync(join(out, 'rings', 'R1.jpg'), '')
    writeFileSync(join(set.folder, 'secret.txt'), '')
    symlinkSync(join(set.folder, 'secret.txt'), join(out, 'R2.jpg'))
    const output = { slug: 'primary', label: 'De-Banded', bytes: 0, isVideo: false, present: true }
    set.engine.batches = [batchRecord({ outDir: out })]
    const { api } = await set.page(preload, await set.start())
    const reveal = (path: string) => {
      set.engine.details = imageDetails({ outputs: [{ ...output, path }] })
      return api.shell.reveal({ batch: 'b1', image: 1, slug: 'primary' })
    }
    await reveal('rings/R1.jpg')
    expect(set.electron.shownInFolder).toEqual([join(out, 'rings', 'R1.jpg')])
    for (const path of ['../secret.txt', 'R2.jpg', join(set.folder, 'secret.txt'), '..']) {
      await expect(reveal(path)).rejects.toMatchObject({ code: expect.stringMatching(/refused|gone/) })
    }
    await expect(reveal('rings/gone.jpg')).rejects.toMatchObject({ code: 'gone' })
    await expect(api.shell.reveal({ batch: 'b9' })).rejects.toMatchObject({ code: 'gone' })
    expect(set.electron.shownInFolder).toHaveLength(1)
    await api.shell.reveal({ batch: 'b1' })
    expect(set.electron.opened).toEqual([out])
  })

  test('has https addresses opened, and no others', async () => {
    const set = stage()
    const { api } = await set.page(preload, await set.start())
    const open = (source: string) => {
      set.engine.details = imageDetails({ source })
      return api.shell.openSource({ image: 1 })
    }
    await open('https://pictures.example/R1.jpg')
    await api.shell.openService({})
    expect(set.electron.opened).toEqual(['https://pictures.example/R1.jpg', 'https://service.example/'])
    for (const source of [
      'http://pictures.example/R1.jpg',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'vbscript:x',
      'smb://server/share',
      'ms-msdt:/id',
      'https://user:pass@pictures.example/',
      ' https',
      '\\\\server\\share\\x.exe',
      'C:\\Windows\\System32\\calc.exe',
    ]) {
      await expect(open(source)).rejects.toMatchObject({ code: 'refused' })
    }
    set.engine.kind = 'practice'
    set.engine.ring()
    await expect(api.shell.openService({})).rejects.toMatchObject({ code: 'refused' })
    expect(set.electron.opened).toHaveLength(2)
    await api.shell.copy({ text: 'run 7' })
    expect(set.electron.copied).toEqual(['run 7'])
  })

  test('hears what the menus ask for, and what the system hands over', async () => {
    const set = stage()
    const preset = join(set.folder, 'Grey.vitrinepreset')
    writeFileSync(preset, '{}')
    const { api } = await set.page(preload, await set.start())
    const heard: unknown[] = []
    const ends = new AbortController()
    const listening = (async () => {
      for await (const command of api.shell.commands({}, { signal: ends.signal })) heard.push(command)
    })()
    set.electron.press('Start')
    const asked = { paths: [preset, set.folder], preset: 'Soft grey' }
    set.electron.app.emit('second-instance', {}, [], '/elsewhere', asked)
    set.electron.app.emit('second-instance', {}, ['--evil'], '/', 'nonsense')
    await until(() => heard.length === 3)
    ends.abort()
    await listening
    expect(heard).toMatchObject([
      { kind: 'command', id: 'start' },
      { kind: 'preset', text: '{}', shown: 'Grey.vitrinepreset' },
      { kind: 'drop', preset: 'Soft grey' },
    ])
  })
})

describe('one program', () => {
  test('takes the paths of its start, and of files that were opened before it was ready', async () => {
    const set = stage({ args: ['--flag', 'list.txt'] })
    writeFileSync(join(set.folder, 'list.txt'), '')
    const runs = set.start()
    const event = { preventDefault: () => undefined }
    for (const path of ['/shoots/may', '/shoots/june']) set.electron.app.emit('open-file', event, path)
    const { api } = await set.page(preload, await runs)
    const drops = []
    for await (const command of api.shell.commands({})) {
      if (command.kind === 'drop') drops.push(set.engine.drops.find(command.drop))
      if (drops.length === 2) break
    }
    expect(drops).toEqual([
      [{ kind: 'path', path: join(set.folder, 'list.txt') }],
      [
        { kind: 'path', path: '/shoots/may' },
        { kind: 'path', path: '/shoots/june' },
      ],
    ])
    expect(set.electron.app.lockData).toEqual({ paths: [join(set.folder, 'list.txt')] })
  })

  test('a second one hands its paths over and ends', async () => {
    const set = stage()
    set.electron.app.lock = false
    void set.start().catch(() => undefined)
    await settle()
    expect(set.electron.windows).toEqual([])
    expect(set.electron.app.exitCode).toBe(0)
  })
})

describe('outside the window', () => {
  const working = batchRecord({ total: 10, counts: counts({ delivered: 4, running: 6 }) })

  test('the icon shows progress, the machine stays awake, and the end is told with a way to the batch', async () => {
    const set = stage()
    set.engine.batches = [working]
    set.engine.queue = queueRecord({ inFlight: 6 })
    const window = await set.start()
    await until(() => window.progress.at(-1)?.fraction === 0.4)
    expect(set.electron.blockers.size).toBe(1)
    set.engine.batches = [{ ...working, state: 'finished', counts: counts({ delivered: 10 }), charged: 60 }]
    set.engine.queue = queueRecord()
    set.engine.ring()
    await until(() => set.electron.notifications.length === 1 && set.electron.blockers.size === 0)
    expect(window.progress.at(-1)).toEqual({ fraction: -1, mode: 'none' })
    expect(set.electron.notifications[0]).toMatchObject({
      title: 'Rings is finished',
      body: '10 of 10 done. 60 credits charged.',
    })
    const { api } = await set.page(preload, window)
    set.electron.notifications[0]!.click()
    expect(window.focused).toBe(true)
    expect(await next(api.shell.commands({}))).toEqual({ kind: 'show-batch', batch: 'b1' })
  })

  test('nothing is told to somebody who looks', async () => {
    const set = stage()
    set.engine.batches = [working]
    const window = await set.start()
    window.focused = true
    set.engine.batches = [{ ...working, state: 'finished' }]
    set.engine.ring()
    await until(() => window.progress.at(-1)?.fraction === -1)
    expect(set.electron.notifications).toEqual([])
  })
})

describe('the end', () => {
  const busy = (set: Stage) => {
    set.engine.queue = queueRecord({ inFlight: 9 })
  }

  test('is not asked about when nothing is under way', async () => {
    const set = stage()
    await set.start()
    set.electron.app.quit()
    await until(() => set.electron.app.exitCode === 0)
    expect(set.electron.asked).toEqual([])
    expect(set.engine.closed).toBe(1)
  })

  test('in mid-batch asks, and "Keep running" keeps everything', async () => {
    const set = stage()
    busy(set)
    const window = await set.start()
    set.electron.answer = 1
    window.close()
    await settle()
    expect(set.electron.asked[0]).toMatchObject({
      message: '9 runs are at the service.',
      detail: 'They finish there; Vitrine fetches them next time.',
      buttons: ['Quit', 'Keep running'],
    })
    expect([window.destroyed, set.engine.closed, set.electron.app.exitCode]).toEqual([false, 0, undefined])
    // It asks again the next time, and once at a time.
    set.electron.answer = new Promise<number>(() => undefined)
    set.electron.app.quit()
    set.electron.app.quit()
    await settle()
    expect(set.electron.asked).toHaveLength(2)
  })

  test('in mid-batch closes the engine when told to quit, and ends the page’s line', async () => {
    const set = stage()
    busy(set)
    const window = await set.start()
    const { api } = await set.page(preload, window)
    const open = next(api.shell.commands({}))
    const lost = expect(open).rejects.toMatchObject({ code: 'disconnected' })
    await settle()
    set.electron.app.quit()
    await lost
    await until(() => set.electron.app.exitCode === 0)
    expect(set.engine.closed).toBe(1)
    window.close()
    expect(window.destroyed).toBe(true)
  })

  test('is asked about before an update is installed, and who keeps running keeps this version', async () => {
    const done: string[] = []
    const events = new EventEmitter()
    const updater = Object.assign(events, {
      checkForUpdates: () => {
        events.emit('update-available', { version: '2.0.0', releaseNotes: '<b>New</b>' })
        return Promise.resolve()
      },
      downloadUpdate: () => {
        events.emit('update-downloaded', { version: '2.0.0', releaseNotes: '<b>New</b>' })
        return Promise.resolve()
      },
      quitAndInstall: () => void done.push('install'),
    }) as unknown as Updater
    const set = stage({ loadUpdater: () => Promise.resolve(updater) })
    writeFileSync(join(set.folder, 'app-update.yml'), 'provider: generic')
    const { api } = await set.page(preload, await set.start())
    const ready = { kind: 'ready', version: '2.0.0', notes: 'New' }
    for await (const now of api.shell.updates({})) if (now.kind === 'ready') break
    expect(await next(api.shell.updates({}))).toEqual(ready)
    busy(set)
    set.engine.ring()
    await settle()
    set.electron.answer = 1
    await api.shell.update({ act: 'install' })
    await settle()
    expect([set.electron.asked.length, set.engine.closed, done]).toEqual([1, 0, []])
    set.electron.answer = 0
    await api.shell.update({ act: 'install' })
    await until(() => done.length > 0)
    expect([set.engine.closed, done]).toEqual([1, ['install']])
  })

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'])('comes without a question on %s', async (signal) => {
    const set = stage()
    busy(set)
    await set.start()
    set.process.emit(signal)
    await until(() => set.electron.app.exitCode === 0)
    expect(set.electron.asked).toEqual([])
    expect(set.engine.closed).toBe(1)
  })

  test('comes when the system goes down, also over an open question', async () => {
    const set = stage()
    busy(set)
    await set.start()
    let answer: (given: number) => void = () => undefined
    set.electron.answer = new Promise<number>((resolve) => void (answer = resolve))
    set.electron.app.quit()
    await settle()
    set.electron.powerMonitor.emit('shutdown')
    answer(0)
    await until(() => set.electron.app.exitCode === 0)
    await settle()
    expect(set.engine.closed).toBe(1)
  })

  test('comes although the engine hangs: what is on the disk is enough', async () => {
    const set = stage()
    await set.start()
    set.engine.closing = new Promise<void>(() => undefined)
    set.electron.app.quit()
    await expect.poll(() => set.electron.app.exitCode, { timeout: 20_000 }).toBe(0)
  })

  test('on macOS a closed window ends nothing', async () => {
    const set = stage({ platform: 'darwin' })
    busy(set)
    const window = await set.start()
    window.close()
    set.electron.app.emit('window-all-closed')
    await settle()
    expect([window.destroyed, set.electron.app.quits, set.engine.closed]).toEqual([true, 0, 0])
  })
})

test('a key that was kept is in no file and no report', async () => {
  const canary = 'canary-key-3f9a1c77'
  const set = stage()
  await set.start()
  const { vault, onFault } = set.engine.needs!
  expect(await vault.keep('https://service.example/api/v1', canary)).toEqual({ kind: 'done' })
  onFault(new Error(`the header was ${canary}`))
  expect(await vault.read('https://service.example/api/v1')).toEqual({ kind: 'found', key: canary })
  const files = readdirSync(set.folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(set.folder, name))
    .filter((path) => statSync(path).isFile())
  expect(files.some((path) => path.endsWith('keys.json'))).toBe(true)
  expect(files.some((path) => path.endsWith('errors.log'))).toBe(true)
  for (const path of files) expect(readFileSync(path, 'utf8')).not.toContain(canary)
})
