import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { _electron, type ElectronApplication, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { electronProgram, isDesktopBuilt, packageFolder } from './electron-program.ts'

const program = electronProgram()

// The report says which it was.
const where =
  program === undefined ? 'Electron is not here: a stand-in takes its place in electron/' : 'Electron is here'
test(`${where}, and the desktop program is built for it`, () => {
  expect(program === undefined || isDesktopBuilt()).toBe(true)
})

if (program !== undefined) describe('the desktop program on the real Electron', () => onElectron(program))

function onElectron(executablePath: string) {
  let home = ''
  let app: ElectronApplication
  let page: Page

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'vitrine-window-'))
    const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env
    app = await _electron.launch({
      executablePath,
      args: [packageFolder],
      chromiumSandbox: true,
      env: { ...(env as Record<string, string>), VITRINE_HOME: home },
    })
    page = await app.firstWindow()
    await page.getByRole('button').first().waitFor()
  }, 120_000)

  afterAll(async () => {
    await app?.close()
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  })

  test('shows the page from its own protocol, locked down', async () => {
    expect(page.url()).toMatch(/^vitrine:\/\/app\//)
    const kept = await app.evaluate(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows()
      // Not in Electron's own types, but in Electron.
      const contents = window!.webContents as unknown as { getLastWebPreferences(): Record<string, unknown> }
      const { sandbox, contextIsolation, nodeIntegration, webSecurity, webviewTag } =
        contents.getLastWebPreferences()
      return { sandbox, contextIsolation, nodeIntegration, webSecurity, webviewTag }
    })
    expect(kept).toEqual({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
    })
    const seen = await page.evaluate(() => {
      const world = globalThis as unknown as Record<string, object | undefined>
      return [Object.keys(world['vitrine'] ?? {}), typeof world['require'], typeof world['process']]
    })
    expect(seen).toEqual([['port', 'takeDrop'], 'undefined', 'undefined'])
  })

  test('goes nowhere and opens nothing', async () => {
    await page.evaluate("void (location.href = 'https://a.example/')")
    expect(await page.evaluate("window.open('https://a.example/') === null")).toBe(true)
    expect(page.url()).toMatch(/^vitrine:\/\/app\//)
    expect(app.windows()).toHaveLength(1)
  })

  test('asks nobody for permissions', async () => {
    const state = await page.evaluate(
      "navigator.permissions.query({ name: 'geolocation' }).then((one) => one.state)",
    )
    expect(state).toBe('denied')
  })

  test('runs on the Node, and with the database and pictures, that it was built for', async () => {
    const versions = await app.evaluate(() => process.versions)
    expect(Number(versions.node.split('.')[0])).toBeGreaterThanOrEqual(24)
    expect(existsSync(join(home, 'queue.db'))).toBe(true)
  })
}
