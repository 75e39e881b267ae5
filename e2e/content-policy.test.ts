import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from './browser.ts'

const program = fileURLToPath(new URL('../cli/main.ts', import.meta.url))

/** The page as `vitrine serve` gives it to a real browser, and a host beside it that must never hear of it. */
let folder = ''
let served: ChildProcess
let browser: Browser
let page: Page
let other: Server
const heard: string[] = []
const complaints: string[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-policy-'))
  other = createServer((request, response) => {
    heard.push(request.url ?? '')
    response.writeHead(200, { 'access-control-allow-origin': '*' }).end('1')
  })
  other.on('upgrade', (request) => heard.push(request.url ?? ''))
  other.listen(0, '127.0.0.1')
  await once(other, 'listening')
  served = spawn(process.execPath, [program, 'serve', '--no-open', '--json'], {
    env: { PATH: process.env['PATH'], HOME: folder, VITRINE_HOME: join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let url = ''
  for await (const line of createInterface({ input: served.stdout! })) {
    url = (JSON.parse(line) as { url?: string }).url ?? ''
    if (url !== '') break
  }
  browser = await openBrowser()
  page = await browser.newPage()
  page.setDefaultTimeout(180_000)
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(url)
  await page.getByRole('button').first().waitFor()
}, 120_000)

afterAll(async () => {
  await browser?.close()
  const ended = once(served, 'exit')
  served.kill('SIGTERM')
  await ended
  other.close()
  rmSync(folder, { recursive: true, force: true })
})

test('the page itself works under its policy without a complaint', async () => {
  await page.getByRole('button', { name: 'Start practising' }).click()
  await page.getByText('Drop a shoot here').waitFor()
  await page.getByText('Presets').first().click()
  await page.getByRole('heading', { name: 'Presets' }).first().waitFor()
  expect(complaints).toEqual([])
})

/** What script that has got into the page would try; `elsewhere` is the address of the other host. */
const attempts: Readonly<Record<string, string>> = {
  'a script in the page': `const s = document.createElement('script'); s.append('window.got = 1'); document.body.append(s); return window.got`,
  'text that becomes code': `return (0, eval)('1')`,
  'a function from text': `return new Function('return 1')()`,
  'markup with a handler in it': `document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="window.got = 1">'); return 1`,
  'markup in the place of the page': `document.createElement('div').innerHTML = '<b>x</b>'; return 1`,
  'a script from elsewhere': `const s = document.createElement('script'); s.src = elsewhere + '/script'; document.body.append(s); return new Promise((done) => { s.onload = () => done(1); s.onerror = () => done() })`,
  'a worker from elsewhere': `return new Worker(elsewhere + '/worker')`,
  'a worker from a blob': `return new Worker(URL.createObjectURL(new Blob(['1'])))`,
  'a picture from elsewhere': `const i = new Image(); i.src = elsewhere + '/picture?key'; return new Promise((done) => { i.onload = () => done(1); i.onerror = () => done() })`,
  'a request to elsewhere': `await fetch(elsewhere + '/fetch'); return 1`,
  'a beacon to elsewhere': `navigator.sendBeacon(elsewhere + '/beacon', 'key'); await new Promise((done) => setTimeout(done, 200))`,
  'a socket to elsewhere': `const w = new WebSocket(elsewhere.replace('http', 'ws') + '/socket'); return new Promise((done) => { w.onopen = () => done(1); w.onerror = () => done() })`,
  'a style in the page': `const s = document.createElement('style'); s.append('body { --got: 1 }'); document.head.append(s); return getComputedStyle(document.body).getPropertyValue('--got') || undefined`,
  'a base for addresses': `const b = document.createElement('base'); b.href = elsewhere; document.head.append(b); return document.baseURI.startsWith(elsewhere) ? 1 : undefined`,
  'a frame from elsewhere': `const f = document.createElement('iframe'); f.src = elsewhere + '/frame'; document.body.append(f); await new Promise((done) => setTimeout(done, 300))`,
  'a form to elsewhere': `const f = document.createElement('form'); f.action = elsewhere + '/form'; document.body.append(f); f.submit(); await new Promise((done) => setTimeout(done, 300))`,
}

test.each(Object.entries(attempts))('%s does nothing', async (_, code) => {
  const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  // The test's own code is not the page's: the policy does not hold for it, but for all that it sets off.
  const session = await page.context().newCDPSession(page)
  const { result } = await session.send('Runtime.evaluate', {
    expression: `(async (elsewhere) => { ${code} })(${JSON.stringify(elsewhere)}).then((got) => got === undefined ? 'nothing' : 'got it', () => 'nothing')`,
    awaitPromise: true,
    allowUnsafeEvalBlockedByCSP: false,
  })
  expect(result.value).toBe('nothing')
  expect(heard).toEqual([])
})
