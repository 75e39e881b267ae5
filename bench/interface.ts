import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { dataFolder } from '../engine/data-folder.ts'
import { addRehearsalBatch } from '../engine/queue/testing/rehearsal.ts'
import { Store } from '../engine/store/store.ts'
import { startPracticeService } from '../practice-service/start.ts'
import { fixed, handOver, median, quantile, type Row } from './table.ts'
import { openBrowser, openPage, root, serveWindow } from './window.ts'

// The rows that need a screen: the window in the browser shell, in a browser without a GPU, 1440 × 900.
const many = 100_000
const few = 1000
const starts = 5
const watchMs = 10_000
const folder = await mkdtemp(join(tmpdir(), 'vitrine-interface-'))
const service = await startPracticeService({ imageWork: 'echo', processing: 0.05 })

function say(text: string) {
  process.stderr.write(`  ${text}\n`)
}

/** A data folder with one batch of so many images, none of which was sent; without any batch for 0. */
async function prepare(images: number) {
  const home = join(folder, `data-${images}`)
  await mkdir(home)
  const { queue } = dataFolder(home)
  if (images > 0) {
    const store = new Store(queue)
    const connection = store.connections.add(service.url, 'bench')
    const batch = addRehearsalBatch(store, connection.id, images, null)
    store.batches.setState(batch.seq, 'paused')
    store.close()
  }
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    VITRINE_HOME: home,
    VITRINE_API_KEY: service.keys[0],
    VITRINE_BASE_URL: service.url,
  }
  return { queue, env }
}

/** The window with its first pictures, or with the place to drop some on. */
function isUsable(page: Page, images: number): Promise<void> {
  const sign =
    images > 0 ? page.locator('[role=option][data-index="0"]') : page.getByText('Drop a shoot here')
  return sign.waitFor()
}

async function started(browser: Browser, images: number, env: NodeJS.ProcessEnv) {
  const from = performance.now()
  const { address, end } = await serveWindow(env)
  const page = await openPage(browser)
  await page.goto(address)
  await isUsable(page, images)
  const taken = performance.now() - from
  await page.close()
  await end()
  return taken
}

async function startRow(browser: Browser): Promise<Row> {
  const large = await prepare(many)
  const empty = await prepare(0)
  const times = { large: [] as number[], empty: [] as number[] }
  for (let n = 0; n <= starts; n += 1) {
    const [a, b] = [await started(browser, many, large.env), await started(browser, 0, empty.env)]
    // The first of each fills caches.
    if (n === 0) continue
    times.large.push(a)
    times.empty.push(b)
  }
  const ratio = median(times.large) / median(times.empty)
  say('start')
  const seconds = (values: readonly number[]) => fixed(median(values) / 1000)
  return {
    what: 'start to a usable window with 100,000 images / with an empty data folder',
    goal: '1.2',
    here: `${fixed(ratio)} (${seconds(times.large)} s / ${seconds(times.empty)} s)`,
    rivals: '',
    floor: '',
    met: ratio <= 1.2,
  }
}

interface Watched {
  /** 95 % of the frames took no longer, ms. */
  readonly frame: number
  /** Script, style and layout for each image that changed, ms. */
  readonly work: number
}

/** Watches the window while fifty images a second change, of those in view. */
async function watch(browser: Browser, images: number): Promise<Watched> {
  const { env, queue } = await prepare(images)
  const { address, end } = await serveWindow(env)
  const page = await openPage(browser)
  await page.goto(address)
  await isUsable(page, images)
  const changes = fileURLToPath(new URL('interface-changes.ts', import.meta.url))
  const changer = spawn(process.execPath, [changes, queue], { stdio: 'ignore' })
  try {
    await page.locator('[role=option]', { hasText: 'Held' }).first().waitFor()
    const session = await page.context().newCDPSession(page)
    await session.send('Performance.enable')
    const busy = async () => {
      const { metrics } = await session.send('Performance.getMetrics')
      const of = (name: string) => metrics.find((one) => one.name === name)?.value ?? 0
      return 1000 * (of('ScriptDuration') + of('LayoutDuration') + of('RecalcStyleDuration'))
    }
    const before = await busy()
    const frames = await page.evaluate<number[]>(`new Promise((done) => {
      const frames = []
      const from = performance.now()
      let last = from
      const next = (now) => {
        frames.push(now - last)
        last = now
        if (now - from < ${watchMs}) requestAnimationFrame(next)
        else done(frames.slice(1))
      }
      requestAnimationFrame(next)
    })`)
    const work = ((await busy()) - before) / ((watchMs / 1000) * 50)
    return { frame: quantile(frames, 0.95), work }
  } finally {
    changer.kill()
    await once(changer, 'exit')
    await page.close()
    await end()
  }
}

async function changeRow(browser: Browser): Promise<Row> {
  const small = await watch(browser, few)
  const large = await watch(browser, many + 1)
  say('changes')
  const ratio = large.work / small.work
  return {
    what: 'interface with 100,000 rows while 50 images a second change: frame time p95; work per change',
    goal: '16.7 ms; independent of the number of rows',
    here: `${fixed(large.frame, 1)} ms; ${fixed(large.work, 1)} ms of script and layout, ${fixed(ratio)} of that with 1,000 rows (${fixed(small.frame, 1)} ms a frame there)`,
    rivals: '',
    floor: '16.7 ms: a screen of 60 Hz',
    met: large.frame <= 17 && ratio <= 1.25,
  }
}

/** What is read before the page shows anything. */
async function weightRow(): Promise<Row> {
  const dist = join(root, 'dist', 'renderer')
  const html = await readFile(join(dist, 'index.html'), 'utf8')
  const [, entry = ''] = /<script[^>]* src="\.\/(assets\/[^"]+\.js)"/.exec(html) ?? []
  // The entry names what it reads next, once the language is known: the window with all that it needs.
  const names = `${html} ${await readFile(join(dist, entry), 'utf8')}`.matchAll(
    /"\.\/(?:assets\/)?([^"/]+\.(?:js|css))"/g,
  )
  const all = [Buffer.from(html)]
  for (const file of new Set([...names].map(([, name = '']) => name))) {
    all.push(await readFile(join(dist, 'assets', file)))
  }
  const size = (compress: (bytes: Buffer) => Buffer) =>
    all.reduce((sum, bytes) => sum + compress(bytes).length, 0)
  const [gzip, brotli] = [size(gzipSync), size(brotliCompressSync)]
  return {
    what: 'the page, compressed, before the compare view is opened',
    goal: '250 kB',
    here: `${fixed(brotli / 1000, 0)} kB (Brotli), ${fixed(gzip / 1000, 0)} kB (gzip)`,
    rivals: '',
    floor: '',
    met: brotli <= 250_000,
  }
}

const browser = await openBrowser()
try {
  handOver([await changeRow(browser), await startRow(browser), await weightRow()])
} finally {
  await browser.close()
  await service.close()
  await rm(folder, { recursive: true, force: true })
}
