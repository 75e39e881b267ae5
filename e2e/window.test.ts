import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { startPracticeService, type PracticeService } from '../practice-service/start.ts'
import { openBrowser } from './browser.ts'
import { ServedProgram } from './served-program.ts'

/** Milliseconds; far more than is needed, since a browser on a busy machine is slow at everything. */
const patience = 300_000
vi.setConfig({ testTimeout: patience, hookTimeout: patience })

let browser: Browser
let service: PracticeService
let program: ServedProgram
let page: Page
const said: string[] = []

beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())
beforeEach(async () => {
  service = await startPracticeService({
    imageWork: 'echo',
    processing: 0.2,
    concurrency: 8,
    accounts: [{ key: 'the-right-key', name: 'studio', subscriptionCredits: 500, otherCredits: 0 }],
  })
  program = new ServedProgram()
  await open(await program.start())
})
afterEach(async () => {
  await page.context().close()
  await program.clear()
  await service.close()
})

async function open(address: string) {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(patience)
  page = await context.newPage()
  said.length = 0
  page.on('pageerror', (error) => said.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 40[49]/.test(message.text())) said.push(message.text())
  })
  await page.goto(address)
}

/** Every file below a folder, relative to it. */
function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
}

async function connect(key: string) {
  await page.getByRole('radio', { name: /Connect your account/ }).check()
  await page.getByLabel('Address').fill(service.url)
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: /^Check/ }).click()
}

/** Drops a file or folder of this computer on the page, as the system would. */
async function drop(path: string) {
  const session = await page.context().newCDPSession(page)
  const data = { items: [], files: [path], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: 720, y: 300, data })
  }
}

test('first run to finished batch on the practice service: one click, the samples, Start', async () => {
  await page.getByRole('button', { name: /Start practising/ }).click()
  await page.getByRole('button', { name: 'Try the sample shoot' }).click()
  await page.getByRole('heading', { name: /24 images found/ }).waitFor()
  // Three pieces are enough to see a batch finish.
  await page.getByText('Everything').click()
  await page.getByText('Rings / Signet').or(page.getByText('Bracelets / Curb')).first().click()
  await page.getByText(/^[12] images? × |^[12] × /).waitFor()
  await page.getByRole('button', { name: /^Start/ }).click()
  await page.getByText('Finished', { exact: true }).waitFor()
  await page.getByRole('option', { name: /Done/ }).first().waitFor()
  const written = filesOf(join(program.home, 'Pictures'))
  expect(written.filter((path) => path.endsWith('.jpg')).length).toBeGreaterThan(1)
  expect(written.some((path) => path.endsWith('manifest.jsonl'))).toBe(true)
  expect(said).toEqual([])
})

test('a wrong key is told where it was typed, the right one is kept and never shown again', async () => {
  await connect('a-wrong-key')
  await page.getByText(/rejected this key \(401\)/).waitFor()
  await page.getByLabel('API key').fill('the-right-key')
  await page.getByRole('button', { name: /^Check/ }).click()
  await page.getByText('500 credits').waitFor()
  await page.getByRole('button', { name: /Continue/ }).click()
  await page.getByText('Drop a shoot here').waitFor()
  expect(await page.content()).not.toContain('the-right-key')
  expect(said).toEqual([])
})

test('a folder that is dropped shows what was found, bad lines by number, and becomes a batch that stays', async () => {
  await connect('the-right-key')
  await page.getByRole('button', { name: /Continue/ }).click()
  await page.getByText('Drop a shoot here').waitFor()
  const shoot = join(program.home, 'Autumn')
  mkdirSync(join(shoot, 'Rings'), { recursive: true })
  const good = ['a', 'b', 'c', 'd'].map((name) => `${service.origin}/shoot/${name}.jpg`)
  writeFileSync(join(shoot, 'Rings', 'list.txt'), [good[0], 'R1187, , 2 pcs', good[1], good[0]].join('\n'))
  writeFileSync(join(shoot, 'more.csv'), `name,image_url\nthird,${good[2]}\nfourth,${good[3]}\n`)
  writeFileSync(join(shoot, '.DS_Store'), 'litter')

  await drop(shoot)
  await page.getByRole('heading', { name: /4 images found/ }).waitFor()
  await page.getByText('1 duplicate skipped').waitFor()
  await page.getByText('1 line could not be read').waitFor()
  await page.getByText('R1187, , 2 pcs').waitFor()
  expect(service.books().runs).toHaveLength(0)

  await page.getByText('3 first, then wait for my go').click()
  await page.getByRole('button', { name: /^Start/ }).click()
  await page.getByText('Looks right?').waitFor()
  expect(service.books().runs).toHaveLength(3)
  await page.getByRole('button', { name: /Send the other 1/ }).click()
  await page.getByText('Finished', { exact: true }).waitFor()
  expect(service.books().runs).toHaveLength(4)

  await page.context().close()
  await program.end()
  await open(await program.start())
  await page.getByRole('link', { name: /Autumn/ }).click()
  await page.getByText('Finished', { exact: true }).waitFor()
  await page.getByRole('option', { name: /Done/ }).nth(3).waitFor()
  expect(await page.getByRole('option').count()).toBe(4)
  expect(service.books().runs).toHaveLength(4)
  expect(said).toEqual([])
})

test('paused by keyboard, resumed by keyboard, and nothing is sent twice', async () => {
  await connect('the-right-key')
  await page.getByRole('button', { name: /Continue/ }).click()
  await page.getByRole('button', { name: /Paste URLs/ }).click()
  const addresses = Array.from({ length: 12 }, (_, n) => `${service.origin}/shoot/piece-${n}.jpg`)
  await page.getByLabel('Addresses').fill(addresses.join('\n'))
  await page.getByRole('button', { name: 'Look through' }).click()
  await page.getByRole('button', { name: /^Start/ }).waitFor()
  service.control.hold()
  await page.keyboard.press('Control+Enter')
  await page.getByText('Running', { exact: true }).waitFor()
  await page.keyboard.press('Control+.')
  await page
    .getByText(/Pausing|Paused/)
    .first()
    .waitFor()
  service.control.release()
  await page.getByText('Paused', { exact: true }).waitFor()
  await page.keyboard.press('Control+.')
  await page.getByText('Finished', { exact: true }).waitFor()
  expect(service.books().runs).toHaveLength(12)
  expect(said).toEqual([])
})
