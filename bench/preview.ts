import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { shootPictures } from '../practice-service/shoot/pictures.ts'
import { startPracticeService } from '../practice-service/start.ts'
import { openBrowser, openPage, root, serveWindow } from './window.ts'

/**
 * Figures of the live preview, in Chromium without a GPU at 1440 × 900: from the movement of a slider to the frame that
 * was drawn of it, and from the press on a picture to its first preview.
 *
 *     node bench/preview.ts
 */

const home = mkdtempSync(join(tmpdir(), 'vitrine-preview-'))
const run = promisify(execFile)
const pieces = shootPictures().filter((_, index) => index % 2 === 0)
const settings = {
  bg_mode: 'solid',
  bg_color: '#FFFFFF',
  bg_shadow: true,
  shadow_intensity: 1.2,
  framing_enabled: true,
  framing_pad_top: 15,
  framing_pad_right: 15,
  framing_pad_bottom: 15,
  framing_pad_left: 15,
  debanding: false,
}

/**
 * Runs in the page before anything of it. For each slider event: how long until the frame that drew it was finished, how
 * much of that was drawing, and how many frames began in between.
 */
const watcher = `
  window.moves = []
  let open = []
  let drew = false
  const plain = window.requestAnimationFrame.bind(window)
  let pending = 0
  // Heard after the page has: a movement that is less than a step of the setting asks for no frame.
  addEventListener('input', (event) => {
    if (event.target.type === 'range' && pending > 0) open.push({ at: event.timeStamp, frames: 0 })
  })
  const draw = CanvasRenderingContext2D.prototype.drawImage
  CanvasRenderingContext2D.prototype.drawImage = function (...all) {
    if (this.canvas.closest?.('.insp .prev')) drew = true
    return draw.apply(this, all)
  }
  window.requestAnimationFrame = (callback) => (pending += 1) && plain((time) => {
    pending -= 1
    drew = false
    const start = performance.now()
    callback(time)
    if (!drew) return
    const end = performance.now()
    for (const one of open) window.moves.push({ latency: end - one.at, drawing: end - start, frames: Math.max(1, one.frames) })
    open = []
  })
  const tick = () => { for (const one of open) one.frames += 1; plain(tick) }
  plain(tick)
`

const ms = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} ms`
const quantile = (values: readonly number[], part: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(part * values.length))] ??
  Number.NaN
const spread = (values: readonly number[]) =>
  `p50 ${ms(quantile(values, 0.5))}, p95 ${ms(quantile(values, 0.95))} (${values.length})`

/** A batch whose first picture was sent, so that the others are held and can be edited; and the program on it. */
async function prepare() {
  const service = await startPracticeService({ imageWork: 'echo', processing: 0.05 })
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    VITRINE_HOME: join(home, 'data'),
    VITRINE_API_KEY: service.keys[0],
    VITRINE_BASE_URL: service.url,
  }
  const list = join(home, 'list.txt')
  writeFileSync(list, pieces.map(({ path }) => service.origin + path).join('\n'))
  const program = join(root, 'cli/main.ts')
  const set = Object.entries(settings).flatMap(([key, value]) => ['--set', `${key}=${JSON.stringify(value)}`])
  const where = ['--out', join(home, 'Bench'), '--app', 'precision', '--test', '1', '--yes', '--json']
  await run(process.execPath, [program, 'run', list, ...where, ...set], { env })
  return { service, served: await serveWindow(env) }
}

/** From the press on a picture until its preview is drawn, for pictures that nobody has looked at. */
async function firstPreviews(page: Page) {
  const taken: number[] = []
  for (let index = 1; index < pieces.length; index += 1) {
    const start = performance.now()
    await page.locator(`[data-index="${index}"]`).click()
    const title = pieces[index]!.name.split('/').at(-1)!
    await page.locator('footer.status').getByText(title).first().waitFor()
    await page.locator('.insp .prev.live[data-stamp] canvas[data-drawn]').waitFor()
    taken.push(performance.now() - start)
  }
  console.log(`First preview after the press, fetched and estimated: ${spread(taken)}`)
  const again: number[] = []
  for (let index = 1; index < pieces.length; index += 1) {
    const start = performance.now()
    await page.locator(`[data-index="${index}"]`).click()
    await page.locator('footer.status').getByText(pieces[index]!.name.split('/').at(-1)!).first().waitFor()
    await page.locator('.insp .prev.live[data-stamp] canvas[data-drawn]').waitFor()
    again.push(performance.now() - start)
  }
  console.log(`The same again, from the cache on the disk: ${spread(again)}`)
}

interface Move {
  readonly latency: number
  readonly drawing: number
  readonly frames: number
}

async function slide(page: Page, name: string) {
  const box = (await page.getByRole('slider', { name, exact: true }).boundingBox())!
  const y = box.y + box.height / 2
  await page.mouse.move(box.x + 10, y)
  await page.mouse.down()
  await page.evaluate('window.moves.length = 0')
  for (let step = 0; step < 200; step += 1) {
    await page.mouse.move(box.x + 10 + (box.width - 20) * (0.5 - 0.5 * Math.cos(step / 12)), y)
  }
  await page.mouse.up()
  await page.waitForTimeout(500)
  const moves = await page.evaluate<Move[]>('window.moves')
  const within = moves.filter(({ frames }) => frames <= 1).length
  console.log(
    `${name}: slider to drawn frame ${spread(moves.map(({ latency }) => latency))}; drawing ${spread(moves.map(({ drawing }) => drawing))}; in the next frame ${((100 * within) / moves.length).toFixed(0)} %`,
  )
}

const { service, served } = await prepare()
const browser = await openBrowser()
try {
  const page = await openPage(browser)
  await page.addInitScript(watcher)
  await page.goto(served.address)
  await page.getByText('Bench').first().click()
  console.log(`Load of the machine when it began: ${loadavg()[0]!.toFixed(1)}`)
  await firstPreviews(page)
  for (const name of ['Intensity', 'Softness', 'Size', 'Distance']) await slide(page, name)
  console.log(`Load of the machine at the end: ${loadavg()[0]!.toFixed(1)}`)
} finally {
  await browser.close()
  await served.end()
  await service.close()
  rmSync(home, { recursive: true, force: true })
}
