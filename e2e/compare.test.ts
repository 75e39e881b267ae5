import { createServer, type Server } from 'node:http'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { shootPictures } from '../practice-service/shoot/pictures.ts'
import { startPracticeService, type PracticeService } from '../practice-service/start.ts'
import { openBrowser } from './browser.ts'
import {
  asDisplayP3,
  bomb,
  coded,
  decoded,
  disc,
  displayP3,
  flat,
  sixteenBit,
  throughP3,
} from './coded-pictures.ts'
import { holdAnswers } from './late-answers.ts'
import { Desk, type Started } from './program.ts'
import { recordedClip } from './recorded-clip.ts'

/** Milliseconds; far more than is needed, since a browser on a busy machine is slow at everything. */
const patience = 180_000
vi.setConfig({ testTimeout: patience, hookTimeout: patience })

const names = ['grid', 'clear', 'wide', 'press', 'bomb', 'large', 'framed'] as const
type Name = (typeof names)[number]
const block = { x: 100, y: 80, width: 60, height: 40, add: 9 }

let service: PracticeService
let desk: Desk
let sources: Server
let program: Started
let browser: Browser
let page: Page
const said: string[] = []

/** The two outputs of each image, and the source that the compare view fetches. */
async function pictures(): Promise<Record<Name, readonly [Buffer, Buffer, Buffer]>> {
  const grid = await coded(600, 400).png().toBuffer()
  const clear = await flat(200, 40, 40).ensureAlpha(0.5).png().toBuffer()
  const large = await coded(4301, 2603).png({ compressionLevel: 1 }).toBuffer()
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 40 }
  const jpeg = await flat(0, 0, 0)
    .composite([
      {
        input: { create: { width: 300, height: 200, channels: 3, background: 'grey', noise } },
        blend: 'over',
      },
    ])
    .jpeg()
    .toBuffer()
  const press = await flat(220, 30, 40).toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer()
  const piece = await disc(700, 500, 300, 260).png().toBuffer()
  const frame = await disc(420, 420, 170, 230).png().toBuffer()
  return {
    grid: [grid, await coded(600, 400, block).png().toBuffer(), grid],
    clear: [clear, clear, clear],
    wide: [await displayP3(180, 90, 60), await sixteenBit(200, 100, 50), grid],
    press: [press, jpeg.subarray(0, jpeg.length / 2), grid],
    bomb: [bomb(), grid, grid],
    large: [large, large, grid],
    framed: [frame, frame, piece],
  }
}

beforeAll(async () => {
  const made = await pictures()
  sources = createServer((request, response) => {
    const name = /^\/(\w+)\.png$/.exec(request.url ?? '')?.[1] as Name | undefined
    const picture = name && made[name]?.[2]
    if (picture) response.writeHead(200, { 'content-type': 'image/png' }).end(picture)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => sources.listen(0, '127.0.0.1', resolve))
  const { port } = sources.address() as AddressInfo
  service = await startPracticeService({ imageWork: 'echo', processing: 0.05 })
  desk = new Desk(service, 180)
  const list = join(desk.folder, 'list.txt')
  writeFileSync(list, names.map((name) => `http://127.0.0.1:${port}/${name}.png`).join('\n'))
  const ran = await desk.run(
    'run',
    list,
    '--out',
    desk.out,
    '--app',
    'precision',
    '--set',
    'debanding=true',
    '--yes',
  )
  expect(ran.code).toBe(0)
  // What the service sent is replaced by pictures whose pixels are known.
  for (const name of names) {
    writeFileSync(join(desk.out, `${name}.png`), made[name][0])
    writeFileSync(join(desk.out, `${name}-original.png`), made[name][1])
  }
  program = await desk.start('serve', '--no-open')
  browser = await openBrowser()
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
  page.setDefaultTimeout(patience)
  page.on('console', (message) => {
    // A picture that cannot be shown has no small one either, which a browser reports by itself.
    if (message.type() === 'error' && !message.location().url.includes('/thumb-')) said.push(message.text())
  })
  page.on('pageerror', (error) => said.push(error.message))
  await page.goto(String(program.event['url']))
  await page.getByRole('link', { name: /out/ }).first().click()
})

afterAll(async () => {
  await browser?.close()
  await program?.end()
  await service?.close()
  sources?.close()
  desk?.clear()
})

beforeEach(() => {
  said.length = 0
})

/** Opens the compare view on an image, from the batch's pictures. */
async function compare(name: Name) {
  for (let tries = 0; (await page.locator('.compare').count()) > 0 && tries < 4; tries += 1) {
    await page.keyboard.press('Escape')
  }
  // From wherever the test before has left it.
  await page.locator('.compare').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: /out/ }).first().click()
  await page.getByRole('option', { name: new RegExp(`^${name}\\.png`) }).click()
  await page.keyboard.press('c')
  await page.locator('.compare h1', { hasText: name }).waitFor()
}

/** Waits until everything on the screen is as sharp as it gets. */
async function sharpened(zoom: RegExp = /%/) {
  await page.locator('.zoom-figure:not(.f3)', { hasText: zoom }).waitFor()
}

/** The canvas, as far as the page is asked about it. */
interface Drawn {
  readonly width: number
  readonly height: number
  getContext(kind: '2d'): {
    getImageData(x: number, y: number, width: number, height: number): { readonly data: Uint8ClampedArray }
  }
}

/** RGB of device pixels of the canvas. */
async function pixelsAt(...points: readonly (readonly [number, number])[]): Promise<number[][]> {
  return page.locator('canvas.stage').evaluate((canvas: unknown, wanted) => {
    const context = (canvas as Drawn).getContext('2d')
    return wanted.map(([x, y]) => [...context.getImageData(x, y, 1, 1).data].slice(0, 3))
  }, points)
}

/** Where the disc of the framed picture is in two panes: its upper, left and right edge. */
async function discsIn(panes: readonly number[], width: number) {
  return page.locator('canvas.stage').evaluate(
    (canvas: unknown, { panes, width }) => {
      const drawn = canvas as Drawn
      return panes.map((pane) => {
        const { data } = drawn.getContext('2d').getImageData(pane * (width + 1), 0, width, drawn.height)
        const found: number[] = []
        for (let i = 0; i < data.length; i += 4) {
          if (data[i]! > 120 && data[i]! < 160 && data[i + 2]! < 90) found.push(i / 4)
        }
        const columns = found.map((at) => at % width)
        const extent = columns.reduce(
          ({ left, right }, x) => ({ left: Math.min(left, x), right: Math.max(right, x) }),
          { left: width, right: 0 },
        )
        return { top: Math.floor((found[0] ?? 0) / width), ...extent }
      })
    },
    { panes, width },
  )
}

/** Waits until pixels are as they should be: a frame or a level may still be on its way. */
async function eventually(check: () => Promise<void>) {
  await vi.waitFor(check, { timeout: patience, interval: 100 })
}

/** Width of the canvas in device pixels; a pane of two is half of it, less the line. */
const paneOf = (panes: number) => Math.floor((1440 - (panes - 1)) / panes)

describe('side by side', () => {
  test('both panes show the same pixels at the same places, square by square at 200 %', async () => {
    await compare('grid')
    await sharpened(/100/)
    const [left, right] = [[360, 300] as const, [360 + paneOf(2) + 1, 300] as const]
    await eventually(async () => {
      const [a, b] = await pixelsAt(left, right)
      expect(decoded(a!)).toEqual({ x: 300 + 360 - Math.round(359.5), y: 200 + 300 - 352 })
      expect(decoded(b!)).toEqual(decoded(a!))
    })
    await page.keyboard.press('+')
    await sharpened(/200/)
    await page.mouse.move(400, 400)
    await page.mouse.down()
    await page.mouse.move(437, 371, { steps: 3 })
    await page.mouse.up()
    await eventually(async () => {
      const row = Array.from({ length: 9 }, (_, i) => [300 + i, 310] as const)
      const both = await pixelsAt(...row, ...row.map(([x, y]) => [x + paneOf(2) + 1, y] as const))
      const columns = both.map((pixel) => decoded(pixel).x)
      expect(columns.slice(9)).toEqual(columns.slice(0, 9))
      const first = columns[0]!
      const odd = columns[1] === first ? 0 : 1
      // Each pixel of the picture is two of the screen, and none is a mixture.
      expect(columns.slice(0, 9)).toEqual(row.map((_, i) => first + Math.floor((i + odd) / 2)))
    })
    expect(said).toEqual([])
  })

  test('the wheel keeps what lies under the pointer, to the pixel', async () => {
    await compare('grid')
    await page.keyboard.press('0')
    await sharpened()
    await page.mouse.move(250, 260)
    const before = decoded((await pixelsAt([250, 212]))[0]!)
    for (let notch = 0; notch < 6; notch += 1) await page.mouse.wheel(0, -120)
    await sharpened(/400/)
    await eventually(async () => {
      const after = decoded((await pixelsAt([250, 212]))[0]!)
      expect(Math.abs(after.x - before.x)).toBeLessThanOrEqual(1)
      expect(Math.abs(after.y - before.y)).toBeLessThanOrEqual(1)
    })
  })

  test('a framed picture lies item on item, and that is said', async () => {
    await compare('framed')
    await page.keyboard.press('o')
    await page.getByText('Framed differently').waitFor({ timeout: patience })
    const pane = paneOf(3)
    await page.keyboard.press('0')
    await eventually(async () => {
      const at = await discsIn([0, 2], pane)
      expect(Math.abs(at[0]!.left - at[1]!.left)).toBeLessThanOrEqual(2)
      expect(Math.abs(at[0]!.right - at[1]!.right)).toBeLessThanOrEqual(2)
      expect(Math.abs(at[0]!.top - at[1]!.top)).toBeLessThanOrEqual(2)
    })
    await page.keyboard.press('o')
  })
})

describe('the other modes', () => {
  test('the split shows the first picture left of the line and the second right of it', async () => {
    await compare('grid')
    await page.keyboard.press('s')
    await page.keyboard.press('0')
    await sharpened()
    // A point of the block that differs: at 100 % its column is known.
    const at = await blockPoint()
    const slider = page.getByRole('slider', { name: 'Split' })
    await slider.focus()
    const put = async (percent: number) => {
      await page.keyboard.press('Home')
      for (let i = 0; i < Math.floor(percent / 10); i += 1) await page.keyboard.press('Shift+ArrowRight')
      expect(await slider.getAttribute('aria-valuenow')).toBe(String(percent))
    }
    await put(90)
    await eventually(async () => expect((await pixelsAt(at))[0]![0]).toBe(110))
    await put(10)
    await eventually(async () => expect((await pixelsAt(at))[0]![0]).toBe(119))
  })

  test('the difference is black where nothing differs, and says how much does', async () => {
    await compare('grid')
    await page.keyboard.press('d')
    await page.getByText('9 of 255').waitFor({ timeout: patience })
    expect(await page.locator('.over-panel').innerText()).toMatch(/Pixels changed\s+1 %/)
    const [x, y] = await blockPoint()
    await eventually(async () => {
      // 9 of 255, 32 times.
      expect(await pixelsAt([x, y], [x + 200, y + 100])).toEqual([
        [255, 255, 255],
        [0, 0, 0],
      ])
    })
    await page.getByRole('slider', { name: 'Gain' }).focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await eventually(async () => expect((await pixelsAt([x, y]))[0]).toEqual([72, 72, 72]))
    await compare('large')
    await page.keyboard.press('d')
    await page.locator('.over-panel').getByText('none').first().waitFor({ timeout: patience })
    await eventually(async () => expect((await pixelsAt([720, 350]))[0]).toEqual([0, 0, 0]))
  })

  test('flicker changes between the two and always names the one that is shown', async () => {
    await compare('grid')
    await page.keyboard.press('f')
    await page.getByRole('button', { name: 'Stop changing' }).click()
    const at = await blockPoint()
    const seen = new Set<string>()
    for (let turn = 0; turn < 2; turn += 1) {
      const label = await page.locator('.plabel[data-flicker=true]').innerText()
      const red = label.includes('De-Banded') ? 110 : 119
      await eventually(async () => expect((await pixelsAt(at))[0]![0]).toBe(red))
      seen.add(label)
      await page.getByRole('button', { name: 'Show the other' }).click()
    }
    expect(seen.size).toBe(2)
    await page.keyboard.press('a')
  })

  test('the loupe shows pixel for pixel what lies under the pointer, in both panes', async () => {
    await compare('large')
    await page.keyboard.press('0')
    await sharpened(/16|17|15/)
    await page.keyboard.press('l')
    await page.mouse.move(330, 380)
    await page.locator('.loupe-badge').first().waitFor()
    await eventually(async () => {
      const beside = await pixelsAt([290, 332], [291, 332], [290, 333], [290 + paneOf(2) + 1, 332])
      const [a, b, c, other] = beside.map((pixel) => decoded(pixel))
      expect(b).toEqual({ x: a!.x + 1, y: a!.y })
      expect(c).toEqual({ x: a!.x, y: a!.y + 1 })
      expect(other).toEqual(a)
    })
    await page.keyboard.press('l')
  })
})

/** Where the middle of the block that differs is, once the picture is at 100 % in one pane. */
async function blockPoint(): Promise<readonly [number, number]> {
  await sharpened(/100/)
  const box = await page.locator('canvas.stage').boundingBox()
  // The picture of 600 × 400 lies in the middle of what the bars leave free.
  const top = Math.round((24 + box!.height - 68) / 2 - 200)
  return [720 - 300 + 110, top + 90]
}

describe('what files are', () => {
  const near = (actual: readonly number[], wanted: readonly number[], by: number) => {
    for (const [i, value] of wanted.entries()) expect(Math.abs(actual[i]! - value)).toBeLessThanOrEqual(by)
  }

  test('transparent pictures lie on a checkerboard, or on a colour', async () => {
    await compare('clear')
    await page.keyboard.press('0')
    await sharpened()
    const board = async () => pixelsAt([360, 343], [368, 343])
    await eventually(async () => {
      const shades = (await board()).map(([r]) => r!)
      // Half of red 200 over two greys of 58 and 50.
      expect([...shades].sort((a, b) => a - b)).toEqual([expect.closeTo(125, -1), expect.closeTo(129, -1)])
      expect(shades[0]).not.toBe(shades[1])
    })
    await page.keyboard.press('t')
    await eventually(async () => near((await board())[0]!, [228, 148, 148], 2))
    for (let turn = 0; turn < 3; turn += 1) await page.keyboard.press('t')
  })

  test('an embedded profile is honoured, 16 bits and CMYK are shown', async () => {
    await compare('wide')
    await sharpened()
    // Display P3 180, 90, 60 in sRGB.
    await eventually(async () => near((await pixelsAt([360, 343]))[0]!, [194, 86, 51], 3))
    near((await pixelsAt([360 + paneOf(2), 343]))[0]!, [200, 100, 50], 1)
    await compare('press')
    await eventually(async () => {
      const [r, g, b] = (await pixelsAt([360, 343]))[0]!
      expect(r).toBeGreaterThan(g! + 60)
      expect(r).toBeGreaterThan(b! + 60)
    })
  })

  test('a real picture in Display P3 has its own colours on a screen that shows them, and is converted on others', async () => {
    const piece = shootPictures().find(({ name }) => name.includes('R1195'))!
    const fit = { fit: 'cover', position: 'centre' } as const
    const plain = await sharp(piece.file).resize(600, 400, fit).png().toBuffer()
    writeFileSync(join(desk.out, 'wide.png'), await asDisplayP3(plain))
    writeFileSync(join(desk.out, 'wide-original.png'), plain)
    const numbers = await sharp(plain).raw().toBuffer()
    // On the item, whose gold and stones are vivid, and on the paper.
    const places = Array.from(
      { length: 60 },
      (_, i) => [20 + ((i * 97) % 560), 10 + ((i * 61) % 380)] as const,
    )
    const own = places.map(([x, y]) => [...numbers.subarray(3 * (600 * y + x), 3 * (600 * y + x) + 3)])
    const farthest = (drawn: number[][], wanted: readonly (readonly number[])[]) =>
      Math.max(...drawn.flatMap((rgb, i) => rgb.map((value, c) => Math.abs(value - wanted[i]![c]!))))
    const onScreen = (pane: 0 | 1) =>
      pixelsAt(...places.map(([x, y]) => [x + 60 + pane * (paneOf(2) + 1), y + 152] as const))
    const inSrgb = own.map((rgb) => throughP3(rgb, 'srgb'))
    expect(farthest(inSrgb, own)).toBeGreaterThan(10)
    await compare('wide')
    await sharpened(/100/)
    await eventually(async () => {
      expect(farthest(await onScreen(0), inSrgb)).toBeLessThanOrEqual(2)
      expect(farthest(await onScreen(1), own)).toBe(0)
    })
    const session = await page.context().newCDPSession(page)
    const screen = (value: string) =>
      session.send('Emulation.setEmulatedMedia', { features: [{ name: 'color-gamut', value }] })
    await screen('p3')
    const ownOnes = async () => {
      expect(farthest(await onScreen(0), own)).toBeLessThanOrEqual(1)
      const inP3 = own.map((rgb) => throughP3(rgb, 'p3'))
      expect(farthest(await onScreen(1), inP3)).toBeLessThanOrEqual(2)
    }
    await eventually(ownOnes)
    // The loupe at 100 % shows what lies under it, but for its own rim and cross.
    await page.mouse.move(360, 400)
    await page.keyboard.press('l')
    await eventually(async () => {
      const under = [
        [300, 200],
        [310, 190],
      ] as const
      const wanted = under.map(([x, y]) => [...numbers.subarray(3 * (600 * y + x), 3 * (600 * y + x) + 3)])
      expect(
        farthest(await pixelsAt(...under.map(([x, y]) => [x + 60, y + 152] as const)), wanted),
      ).toBeLessThanOrEqual(1)
    })
    await page.keyboard.press('l')
    // Two reds that sRGB cannot tell apart.
    writeFileSync(join(desk.out, 'wide.png'), await displayP3(255, 0, 0))
    writeFileSync(join(desk.out, 'wide-original.png'), await displayP3(240, 0, 0))
    await compare('wide')
    await page.keyboard.press('d')
    await page.getByText('15 of 255').waitFor()
    await eventually(async () => expect((await pixelsAt([720, 352]))[0]).toEqual([255, 255, 255]))
    await screen('srgb')
    await eventually(async () => expect((await pixelsAt([720, 352]))[0]).toEqual([255, 255, 255]))
    await page.keyboard.press('a')
    await eventually(async () => near((await pixelsAt([360, 352]))[0]!, [255, 0, 0], 1))
    await session.detach()
  })

  test('a broken file and an image bomb say so in their pane, and harm nothing else', async () => {
    await compare('press')
    await page.getByText('The file is damaged or ends early, so its picture cannot be shown.').waitFor()
    await compare('bomb')
    await page.getByText('This picture has 900 megapixels; up to 150 are shown.').waitFor()
    await eventually(async () => {
      const { x, y } = decoded((await pixelsAt([360 + paneOf(2) + 1, 343]))[0]!)
      expect([x, y]).toEqual([300, 200 + 343 - 352])
    })
  })
})

test('the surround changes at every press, and 100 % comes where the pointer is, in whichever pane', async () => {
  await compare('large')
  await page.keyboard.press('0')
  await sharpened()
  await page.mouse.move(1000, 300)
  await page.keyboard.press('s')
  await sharpened()
  const point = [1000, 252] as const
  const before = decoded((await pixelsAt(point))[0]!)
  await page.keyboard.press('z')
  await sharpened(/100/)
  await eventually(async () => {
    const after = decoded((await pixelsAt(point))[0]!)
    // The small picture shows a mean of six by six pixels.
    expect(Math.abs(after.x - before.x)).toBeLessThanOrEqual(6)
  })
  await page.keyboard.press('a')
  await page.keyboard.press('0')
  const corner = [4, 600] as const
  for (const shade of [118, 255, 0, 30]) {
    await page.keyboard.press('b')
    await eventually(async () => expect((await pixelsAt(corner))[0]).toEqual([shade, shade, shade]))
  }
})

describe('other things than outputs of a batch', () => {
  test('videos play in the same place, in time with each other', async () => {
    const clip = await recordedClip(page)
    for (const end of ['', '-original']) writeFileSync(join(desk.out, `wide${end}.png`), clip)
    await compare('wide')
    const videos = page.locator('.pane-over.video video')
    await videos.nth(1).waitFor()
    const times = () =>
      videos.evaluateAll((all) => (all as unknown as { currentTime: number }[]).map((one) => one.currentTime))
    await videos.first().evaluate(async (video: unknown) => (video as { play(): Promise<void> }).play())
    await eventually(async () => expect(Math.min(...(await times()))).toBeGreaterThan(0.05))
    await page.keyboard.press('s')
    await page.getByText('This takes two pictures').waitFor()
  })

  test('a run that was started elsewhere is compared from the history', async () => {
    const run = service.control.submitAsStranger('practice', 'precision', {
      image: 'https://elsewhere.example/a.png',
      debanding: true,
    })
    await service.control.idle()
    await page.keyboard.press('Escape')
    await page.locator('.compare').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'History' }).click()
    await page.getByText(run).first().click()
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.locator('.compare h1', { hasText: /./ }).waitFor()
    await sharpened(/100/)
    // Pictures of 8 × 8, each with colours of its own, in the middle of both panes; there is no strip below.
    await eventually(async () => {
      const [a, b] = await pixelsAt([358, 400], [358 + paneOf(2) + 1, 400])
      expect(a).not.toEqual([30, 30, 30])
      expect(b).not.toEqual([30, 30, 30])
      expect(a).not.toEqual(b)
    })
    expect(await page.getByRole('button', { name: /^Keep (De-Banded|Original)/ }).count()).toBe(0)
  })
})

describe('going through a batch', () => {
  test('a large picture is sharp to its last pixel, and zoom and place stay with the next', async () => {
    await compare('large')
    await page.keyboard.press('0')
    await sharpened()
    await page.mouse.move(500, 300)
    await page.keyboard.press('z')
    await sharpened(/100/)
    await eventually(async () => {
      const [a, b] = (await pixelsAt([200, 300], [201, 301])).map((pixel) => decoded(pixel))
      expect(b).toEqual({ x: a!.x + 1, y: a!.y + 1 })
    })
    await page.keyboard.press('Space')
    await page.locator('.compare h1', { hasText: 'framed' }).waitFor()
    await sharpened(/100/)
    await page.keyboard.press('Shift+Space')
    await page.locator('.compare h1', { hasText: 'large' }).waitFor()
    await sharpened(/100/)
  })

  test('a reload comes back to the picture that was looked at, and goes on from it', async () => {
    await compare('large')
    await page.keyboard.press('Space')
    await page.locator('.compare h1', { hasText: 'framed' }).waitFor()
    await page.reload()
    await page.locator('.compare h1', { hasText: 'framed' }).waitFor()
    await sharpened()
    await page.keyboard.press('Shift+Space')
    await page.locator('.compare h1', { hasText: 'large' }).waitFor()
    await page.goBack()
    await page.locator('.compare').waitFor({ state: 'detached' })
    await page.getByRole('option', { name: /^large\.png/ }).waitFor()
  })

  test('marks are kept, can be taken back, and stand in the manifest', async () => {
    await compare('grid')
    await sharpened()
    await page.keyboard.press('1')
    await page.getByText('Kept', { exact: true }).first().waitFor()
    await page.keyboard.press('ArrowRight')
    await page.locator('.compare h1', { hasText: 'clear' }).waitFor()
    await sharpened()
    await page.keyboard.press('x')
    await page.getByText('Rejected', { exact: true }).first().waitFor()
    await page.getByText('1 kept · 1 rejected').waitFor()
    await page.keyboard.press('Control+z')
    await page.getByText('1 kept · 0 rejected').waitFor()
    await eventually(async () => {
      const lines = desk.manifest() as readonly (ReturnType<Desk['manifest']>[number] & { mark?: string })[]
      expect(lines.filter(({ mark }) => mark === 'keep-1')).toHaveLength(1)
      await Promise.resolve()
    })
  })

  test('a mark pressed before anything is known of the picture stays with that picture', async () => {
    const late = await page.context().newPage()
    // What the engine says of pictures that are compared, and of marks, comes late.
    const answers = await holdAnswers(late, 'compare.subject', 'images.mark')
    await late.goto(new URL('/', page.url()).href)
    await late.getByRole('link', { name: /out/ }).first().click()
    await late.getByRole('option', { name: /^wide\.png/ }).click()
    await late.keyboard.press('c')
    await late.locator('.compare').waitFor()
    await eventually(async () =>
      Promise.resolve(expect(answers.held('compare.subject')).toBeGreaterThanOrEqual(1)),
    )
    await late.keyboard.press('x')
    await late.keyboard.press('Space')
    // The next one is asked for: what is on the screen is another picture by now.
    await eventually(async () =>
      Promise.resolve(expect(answers.held('compare.subject')).toBeGreaterThanOrEqual(2)),
    )
    answers.release('compare.subject', true)
    await late.locator('.compare h1', { hasText: 'press' }).waitFor()
    const marks = () =>
      desk.manifest() as readonly (ReturnType<Desk['manifest']>[number] & { mark?: string })[]
    await eventually(async () => {
      const marked = marks().filter(({ mark }) => mark === 'reject')
      expect(marked.map(({ source }) => source.replace(/.*\//, ''))).toEqual(['wide.png'])
      await Promise.resolve()
    })
    // Taken back before the page has heard that the mark was made.
    await eventually(async () => Promise.resolve(expect(answers.held('images.mark')).toBeGreaterThan(0)))
    await late.keyboard.press('Control+z')
    await late.evaluate('new Promise((done) => requestAnimationFrame(done))')
    answers.release('images.mark')
    await eventually(async () => {
      expect(marks().some(({ mark }) => mark === 'reject')).toBe(false)
      await Promise.resolve()
    })
    await late.close()
  })

  test('kept files are copied into a folder beside them, and that can be taken back', async () => {
    await compare('grid')
    await sharpened()
    await page.keyboard.press('1')
    await page.keyboard.press('Control+Shift+m')
    await page.getByRole('button', { name: 'Copy kept pictures' }).click()
    await page.getByText('Copied 1 file').waitFor()
    expect(readdirSync(join(desk.out, 'Kept'))).toEqual(['grid.png'])
    await page.keyboard.press('Control+z')
    await eventually(async () => {
      expect(existsSync(join(desk.out, 'Kept', 'grid.png'))).toBe(false)
      await Promise.resolve()
    })
    expect(existsSync(join(desk.out, 'grid.png'))).toBe(true)
  })
})

describe('for everybody', () => {
  test.each(['dark', 'light'] as const)(
    'axe finds nothing in the %s theme, in any mode',
    async (colorScheme) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await compare('grid')
      for (const key of ['a', 's', 'f', 'd']) {
        await page.keyboard.press(key)
        if (key === 'd') await page.getByText('9 of 255').waitFor({ timeout: patience })
        const { violations } = await new AxeBuilder({ page }).include('.compare').analyze()
        const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
        expect(found).toEqual([])
      }
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Shortcuts while comparing' }).waitFor()
      await page.keyboard.press('Escape')
      await page.keyboard.press('a')
    },
  )

  test('Escape leads back to the batch, with the focus where it was', async () => {
    await compare('grid')
    await page.keyboard.press('Escape')
    await page.locator('.compare').waitFor({ state: 'detached' })
    expect(await page.locator('[role=listbox] :focus, [role=listbox]:focus').count()).toBe(1)
  })
})
