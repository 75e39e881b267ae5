import { execFile } from 'node:child_process'
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { startPracticeService } from '../practice-service/start.ts'
import { openBrowser, openPage, root, serveWindow } from './window.ts'

/**
 * Figures of the compare view, in Chromium without a GPU at 1440 × 900: first paint of 50-megapixel files, frames while
 * panning and zooming, going on to what was fetched ahead, and memory over fifty pictures.
 *
 *     node bench/compare.ts
 */

const home = mkdtempSync(join(tmpdir(), 'vitrine-compare-'))
const out = join(home, 'out')
const count = 52
const run = promisify(execFile)

/** Runs in the page before anything of it: when a key was pressed, what a frame took, and when a picture is there. */
const watcher = `
  addEventListener('keydown', () => { window.pressedAt = performance.now() }, true)
  const plain = window.requestAnimationFrame.bind(window)
  window.work = []
  window.requestAnimationFrame = (callback) => plain((time) => {
    const start = performance.now()
    callback(time)
    window.work.push(performance.now() - start)
  })
  window.frames = []
  let last = 0
  const tick = (time) => { if (last) window.frames.push(time - last); last = time; plain(tick) }
  plain(tick)
  window.shown = (title) => new Promise((resolve) => {
    const look = () => {
      const there = document.querySelector('.compare h1')?.textContent === title
      if (there && document.querySelector('.zoom-figure:not(.f3)')?.textContent) resolve(performance.now() - window.pressedAt)
      else plain(look)
    }
    look()
  })
`

const titleOf = (index: number) => `p${String(index).padStart(2, '0')}.png`

async function makePictures() {
  const shoot = join(root, 'practice-service/shoot/pictures/Rings/Solitaire/R1183-front.jpg')
  const large = async (width: number, height: number, seed: number) => {
    const scene = await sharp(shoot).resize(width, height, { fit: 'cover' }).removeAlpha().raw().toBuffer()
    // Grain, as a camera has it: without it a file is small and quick to read.
    let state = seed
    for (let i = 0; i < scene.length; i += 1) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      scene[i] = Math.max(0, Math.min(255, scene[i]! + (state >>> 29) - 4))
    }
    return sharp(scene, { raw: { width, height, channels: 3 } })
  }
  const files: string[] = []
  for (const [index, [width, height, kind]] of (
    [
      [8660, 5774, 'jpeg'],
      [8660, 5774, 'png'],
      [4000, 3000, 'jpeg'],
    ] as const
  ).entries()) {
    for (const side of [0, 1]) {
      const file = join(home, `large-${index}-${side}`)
      const picture = await large(width, height, 7 + side)
      await (kind === 'png' ? picture.png({ compressionLevel: 6 }) : picture.jpeg({ quality: 92 })).toFile(
        file,
      )
      files.push(file)
    }
  }
  return files
}

async function prepare() {
  const service = await startPracticeService({ imageWork: 'echo', processing: 0.02, concurrency: 50 })
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    VITRINE_HOME: join(home, 'data'),
    VITRINE_API_KEY: service.keys[0],
    VITRINE_BASE_URL: service.url,
  }
  const list = join(home, 'list.txt')
  const lines = Array.from({ length: count }, (_, index) => `${service.origin}/${titleOf(index)}`)
  writeFileSync(list, lines.join('\n'))
  const program = join(root, 'cli/main.ts')
  const parameters = [
    'run',
    list,
    '--out',
    out,
    '--app',
    'precision',
    '--set',
    'debanding=true',
    '--yes',
    '--json',
  ]
  await run(process.execPath, [program, ...parameters], { env, maxBuffer: 64 * 1024 ** 2 })
  const files = await makePictures()
  for (let index = 0; index < count; index += 1) {
    const from = index < 2 ? 2 * index : 4
    copyFileSync(files[from]!, join(out, titleOf(index)))
    copyFileSync(files[from + 1]!, join(out, titleOf(index).replace('.png', '-original.png')))
  }
  const sizes = files.map((file) => `${(statSync(file).size / 1e6).toFixed(1)} MB`)
  console.log(
    `Files: 50-MP JPEG ${sizes[0]}, 50-MP PNG ${sizes[2]}, 12-MP JPEG ${sizes[4]}; two outputs each`,
  )
  return { service, served: await serveWindow(env) }
}

const evaluate = <T>(page: Page, expression: string) => page.evaluate<T>(expression)
const ms = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} ms`
const quantile = (values: readonly number[], part: number) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(part * values.length))] ?? NaN

async function shownAfter(page: Page, key: string, title: string): Promise<number> {
  await evaluate(page, 'window.pressedAt = performance.now()')
  await page.keyboard.press(key)
  return evaluate<number>(page, `window.shown(${JSON.stringify(title)})`)
}

async function firstPaints(page: Page) {
  for (const [index, kind] of ['JPEG', 'PNG'].entries()) {
    await page.getByRole('option', { name: new RegExp(`^p0${index}`) }).click()
    console.log(
      `First paint of a 50-MP ${kind} pair, nothing cached: ${ms(await shownAfter(page, 'c', titleOf(index)))}`,
    )
    await page.keyboard.press('Escape')
    await page.waitForTimeout(300)
    console.log(
      `The same again, from the cache on the disk: ${ms(await shownAfter(page, 'c', titleOf(index)))}`,
    )
    await evaluate(page, 'window.pressedAt = performance.now()')
    await page.keyboard.press('z')
    await page.locator('.zoom-figure:not(.f3)', { hasText: '100 %' }).waitFor({ timeout: 120_000 })
    console.log(
      `  100 % sharp after: ${ms(await evaluate<number>(page, 'performance.now() - window.pressedAt'))}`,
    )
    await page.keyboard.press('0')
    await page.keyboard.press('Escape')
  }
}

async function frames(page: Page) {
  await page.getByRole('option', { name: /^p00/ }).click()
  await shownAfter(page, 'c', titleOf(0))
  // What is fetched ahead would be measured along: it has its own figure.
  await page.waitForTimeout(15_000)
  for (const [what, key] of [
    ['fit', '0'],
    ['100 %', 'z'],
  ] as const) {
    await page.keyboard.press(key)
    await page.waitForTimeout(1500)
    await evaluate(page, 'window.frames.length = 0; window.work.length = 0')
    await page.mouse.move(400, 400)
    await page.mouse.down()
    for (let step = 0; step < 240; step += 1) {
      await page.mouse.move(400 + 250 * Math.sin(step / 20), 400 + 180 * Math.cos(step / 27))
    }
    await page.mouse.up()
    await report(page, `Panning at ${what}`)
  }
  await page.keyboard.press('0')
  await page.waitForTimeout(800)
  await evaluate(page, 'window.frames.length = 0; window.work.length = 0')
  for (let step = 0; step < 160; step += 1) await page.mouse.wheel(0, step % 80 < 40 ? -24 : 24)
  await report(page, 'Zooming with the wheel')
  await page.keyboard.press('Escape')
}

async function report(page: Page, what: string) {
  const [frames, work] = await evaluate<[number[], number[]]>(page, '[window.frames, window.work]')
  const of = (values: readonly number[]) => `${ms(quantile(values, 0.5))} / ${ms(quantile(values, 0.95))}`
  console.log(
    `${what}: frames p50 / p95 ${of(frames)} (${frames.length}), drawing on the page's thread ${of(work)}`,
  )
}

async function goingOn(page: Page) {
  await page.getByRole('option', { name: /^p02/ }).click()
  await shownAfter(page, 'c', titleOf(2))
  const times: number[] = []
  const memory: number[] = []
  for (let index = 3; index < count; index += 1) {
    // As a person looks at a picture: at least a second, and until the next one has come.
    await page.waitForTimeout(1000)
    for (let waits = 0; waits < 100 && (fetched.get(index + 1) ?? 0) < 2; waits += 1)
      await page.waitForTimeout(100)
    const wasFetched = (fetched.get(index + 1) ?? 0) >= 2
    await page.waitForTimeout(400)
    const time = await shownAfter(page, 'Space', titleOf(index))
    if (wasFetched) times.push(time)
    memory.push(pageMemory())
  }
  console.log(
    `Going on to a picture that was fetched ahead: p50 ${ms(quantile(times, 0.5))}, p95 ${ms(quantile(times, 0.95))}, most ${ms(Math.max(...times))} (${times.length} of ${count - 3} times, two 12-MP files each)`,
  )
  const mb = (bytes: number) => `${Math.round(bytes / 1024 ** 2)} MB`
  console.log(
    `Memory of the page's process: ${mb(memory[4]!)} after 5 pictures, ${mb(memory.at(-1)!)} after ${memory.length}, most ${mb(Math.max(...memory))} (bound of the bitmaps: 256 MB)`,
  )
}

/** First levels that the page was given, by the number of their image. */
const fetched = new Map<number, number>()

/** Resident memory of the largest process of Chromium that draws pages; Linux only, NaN elsewhere. */
function pageMemory(): number {
  const sizes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        if (!command.includes('--type=renderer') || !command.includes(marker)) return NaN
        return 1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
      } catch {
        return NaN
      }
    })
    .filter((size) => !Number.isNaN(size))
  return sizes.length > 0 ? Math.max(...sizes) : NaN
}

/** Among the arguments of every process of this browser and of no other. */
const marker = `--js-flags=--stack-size=${900 + (process.pid % 80)}`

const { service, served } = await prepare()
console.log(`Load of the machine when it began: ${loadavg()[0]!.toFixed(1)}`)
try {
  const browser = await openBrowser([marker])
  const page = await openPage(browser)
  await page.addInitScript(watcher)
  page.on('response', (response) => {
    const image = Number(/\/pictures\/(\d+)\/[^/]+\/quick/.exec(response.url())?.[1])
    fetched.set(image, (fetched.get(image) ?? 0) + 1)
  })
  await page.goto(served.address)
  await page.getByRole('link', { name: /out/ }).first().click()
  await page.waitForTimeout(6000)
  await firstPaints(page)
  await frames(page)
  await goingOn(page)
  await browser.close()
  const cached = readdirSync(join(home, 'data', 'pictures'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
  console.log(`Levels and tiles on the disk: ${(cached / 1024 ** 3).toFixed(2)} GB (bound: 2 GB)`)
} finally {
  await served.end()
  await service.close()
  rmSync(home, { recursive: true, force: true })
}
