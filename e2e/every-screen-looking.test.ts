import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { shootPictures } from '../practice-service/shoot/pictures.ts'
import { startPracticeService, type PracticeService } from '../practice-service/start.ts'
import { openBrowser } from './browser.ts'
import { choose } from './person.ts'
import { Desk, type Started } from './program.ts'
import { recordedClip } from './recorded-clip.ts'
import { showing, type Show } from './showing.ts'
import { eventually, patience } from './studio.ts'

vi.setConfig({ testTimeout: 4 * patience, hookTimeout: 2 * patience })

/** Batches by name: their pieces, and how they are made. The first of `Autumn` is sent, the others can be edited. */
const batches = {
  Rings: { pieces: ['R1195-set', 'R1201-front', 'N2212-top'], settings: { debanding: true } },
  'Cut-outs': { pieces: ['E3322-pair'], settings: { bg_mode: 'transparent', debanding: true } },
  Framed: {
    pieces: ['B4028-open'],
    settings: {
      bg_mode: 'solid',
      bg_color: '#F4F1EC',
      bg_shadow: true,
      framing_enabled: true,
      debanding: false,
    },
  },
  Autumn: {
    pieces: ['R1189-hero', 'R1201-front', 'close'],
    settings: {
      bg_mode: 'solid',
      bg_color: '#E8E4DC',
      bg_shadow: true,
      shadow_intensity: 1.4,
      shadow_softness: 1.1,
      framing_enabled: true,
      framing_pad_top: 18,
      framing_pad_right: 18,
      framing_pad_bottom: 22,
      framing_pad_left: 18,
      debanding: false,
    },
  },
  Clips: { pieces: ['E3310-pair'], settings: { debanding: true } },
} as const
type BatchName = keyof typeof batches

let service: PracticeService
let sources: Server
let desk: Desk
let program: Started
let browser: Browser
let page: Page
const said: string[] = []

/** Deep enough that the temporary folder is not among what the window shows of a path. */
const outside = () => join(desk.folder, 'Pictures', 'Retouched')

const pieceOf = (name: string) => shootPictures().find((picture) => picture.name.includes(name))!

/** A piece so near that it reaches over three borders: nobody can tell where it ends. */
async function closeUp(): Promise<Buffer> {
  const near = { left: 500, top: 330, width: 1000, height: 640 }
  return await sharp(pieceOf('B4032-flat').file).extract(near).jpeg({ quality: 92 }).toBuffer()
}

async function make(name: BatchName) {
  const { pieces, settings } = batches[name]
  const { port } = sources.address() as AddressInfo
  const list = join(desk.folder, `${name}.txt`)
  writeFileSync(list, pieces.map((piece) => `http://127.0.0.1:${port}/${piece}.jpg`).join('\n'))
  const set = Object.entries(settings).flatMap(([key, value]) => ['--set', `${key}=${JSON.stringify(value)}`])
  const proof = name === 'Autumn' ? ['--test', '1'] : []
  const where = ['--out', join(outside(), name), '--app', 'precision']
  const ran = await desk.run('run', list, ...where, ...proof, '--yes', ...set)
  expect([name, ran.code]).toEqual([name, 0])
}

beforeAll(async () => {
  const close = await closeUp()
  sources = createServer((request, response) => {
    const name = /^\/([\w-]+)\.jpg$/.exec(request.url ?? '')?.[1]
    const picture = name === 'close' ? close : name && readFileSync(pieceOf(name).file)
    if (picture) response.writeHead(200, { 'content-type': 'image/jpeg' }).end(picture)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => sources.listen(0, '127.0.0.1', resolve))
  service = await startPracticeService({ imageWork: 'real', processing: 0.1 })
  desk = new Desk(service, 180)
  mkdirSync(outside(), { recursive: true })
  for (const name of Object.keys(batches) as BatchName[]) await make(name)
  program = await desk.start('serve', '--no-open')
  browser = await openBrowser()
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
  page.setDefaultTimeout(patience)
  page.on('pageerror', (error) => said.push(error.message))
  page.on('console', (message) => {
    // A video has no small picture, which a browser reports by itself.
    if (message.type() === 'error' && !message.location().url.includes('/thumb-')) said.push(message.text())
  })
  await page.goto(String(program.event['url']))
})
afterAll(async () => {
  await browser?.close()
  await program?.end()
  await service?.close()
  sources?.close()
  desk?.clear()
})

async function select(batch: BatchName, piece: string) {
  await page.getByRole('link', { name: new RegExp(`^${batch}`) }).click()
  await page.getByRole('option', { name: new RegExp(`^${piece}`) }).click()
}

async function sharpened() {
  await page.locator('.zoom-figure:not(.f3)', { hasText: '%' }).waitFor()
}

async function compare(batch: BatchName, piece: string) {
  await select(batch, piece)
  await page.keyboard.press('c')
  await page.locator('.compare h1', { hasText: piece }).waitFor()
  await sharpened()
}

async function leave(selector: string) {
  await page.keyboard.press('Escape')
  await page.locator(selector).waitFor({ state: 'detached' })
}

async function modes(show: Show) {
  await compare('Rings', 'R1195-set')
  await show('compare-side')
  await page.keyboard.press('s')
  await page.getByRole('slider', { name: /[Ss]plit/ }).waitFor()
  await sharpened()
  await show('compare-split')
  await page.keyboard.press('f')
  await page.getByRole('region', { name: 'Flicker' }).waitFor()
  await sharpened()
  await show('compare-flicker')
  await page.keyboard.press('d')
  await page.getByText(/\d+ of 255/).waitFor()
  await sharpened()
  await show('compare-difference')
  await page.keyboard.press('a')
  await page.keyboard.press('o')
  await sharpened()
  await show('compare-three')
  await page.keyboard.press('o')
  await page.mouse.move(330, 470)
  await page.keyboard.press('l')
  await sharpened()
  await show('compare-loupe', { isFixed: true })
  await page.keyboard.press('l')
  await leave('.compare')
  await compare('Cut-outs', 'E3322-pair')
  await show('compare-transparent')
  await leave('.compare')
  await compare('Framed', 'B4028-open')
  await page.getByText('Framed differently: the piece lies on the piece').waitFor()
  await sharpened()
  await show('compare-framed')
  await leave('.compare')
}

async function videos(show: Show) {
  const clip = await recordedClip(page, readFileSync(pieceOf('E3310-pair').file))
  for (const end of ['', '-original']) writeFileSync(join(outside(), 'Clips', `E3310-pair${end}.jpg`), clip)
  await select('Clips', 'E3310-pair')
  await page.keyboard.press('c')
  await page.locator('.pane-over.video video').nth(1).waitFor()
  const ready = '[...document.querySelectorAll("video")].every((one) => one.readyState >= 2)'
  await eventually(async () => expect(await page.evaluate(ready)).toBe(true))
  await show('compare-video')
  await leave('.compare')
}

/** Sheets of the inspector close with it where the window is narrow. */
const inspector = { isFixed: true }

async function previews(show: Show) {
  await select('Autumn', 'R1201-front')
  const preview = page.locator('.insp .prev.live')
  await preview.getByText('Approximate').waitFor()
  expect(await page.getByTitle('Nothing is sent: your account’s own setting applies').count()).toBe(4)
  await page.getByRole('button', { name: 'Larger preview' }).click()
  await page.locator('.large-live .prev-frame .edge').waitFor()
  await page.locator('.large-live canvas[data-drawn=finely]').waitFor()
  await show('preview-framing', inspector)
  await leave('[role=dialog]')
  await page.getByRole('button', { name: 'Variants' }).click()
  await page.getByRole('group', { name: /^Steps of/ }).waitFor()
  await show('preview-variants', inspector)
  await leave('[role=dialog]')
  await page.getByRole('button', { name: /^Try on this image/ }).click()
  await page.getByText(/^Result · \d+ credits$/).waitFor()
  await show('preview-tried', inspector)
  await leave('[role=dialog]')
  await choose(page.locator('.insp'), 'Background', 'Transparent')
  await page.getByRole('button', { name: 'Larger preview' }).click()
  await page.locator('.large-live canvas[data-drawn=finely]').waitFor()
  await show('preview-transparent', inspector)
  await leave('[role=dialog]')
  await select('Autumn', 'close')
  await preview.getByText('Frame is decided by the service').waitFor()
  await page.getByRole('button', { name: 'Larger preview' }).click()
  await page.locator('.large-live canvas[data-drawn=finely]').waitFor()
  await show('preview-unsure', inspector)
  await leave('[role=dialog]')
}

test('every way of looking, with real pictures: nothing in anybody’s way, no faint text, nothing cut off', async () => {
  await page.keyboard.press('ControlOrMeta+,')
  await choose(page, 'Theme', 'System')
  const { show, seen, wrong } = showing({ page, home: desk.folder })
  let broken: unknown
  const all = async () => {
    await modes(show)
    await videos(show)
    await previews(show)
  }
  await all().catch((error: unknown) => (broken = error))
  expect([...new Set(wrong)]).toEqual([])
  if (broken !== undefined) throw broken
  expect(seen).toHaveLength(14)
  expect(said).toEqual([])
})
