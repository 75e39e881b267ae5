import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { shootPictures } from '../practice-service/shoot/pictures.ts'
import { flat } from './coded-pictures.ts'
import { holdAnswers } from './late-answers.ts'
import { connect, drop, images, standing, start, startButton } from './person.ts'
import { eventually, expectQuiet, linesOf, openStudio, type Studio } from './studio.ts'

const presets = ['Catalogue white', 'Cut-out', 'Soft grey']

/** The canvas, as far as the page is asked about it. */
interface Drawn {
  readonly width: number
  readonly height: number
  getContext: (kind: '2d') => {
    getImageData: (x: number, y: number, w: number, h: number) => { data: Uint8ClampedArray }
  }
}

/** RGB at half the height of the canvas, at these parts of its width. */
async function coloursAt(page: Page, ...parts: readonly number[]): Promise<number[][]> {
  return page.locator('canvas.stage').evaluate((canvas: unknown, wanted) => {
    const { width, height, getContext } = canvas as Drawn
    const context = getContext.call(canvas, '2d')
    const y = Math.round(height / 2)
    return wanted.map((part) =>
      Array.from(context.getImageData(Math.round(part * width), y, 1, 1).data.subarray(0, 3)),
    )
  }, parts)
}

/** RGB in the middle of each of so many panes. */
async function middles(page: Page, panes: number): Promise<number[][]> {
  return coloursAt(page, ...Array.from({ length: panes }, (_, n) => (n + 0.5) / panes))
}

/** What stands for the output of a piece and a preset: a colour of its own. */
const colourOf = (piece: number, preset: number) => [60 + 60 * piece, 40 + 70 * preset, 20]

/** Puts pictures whose colours are known in place of what the service sent. */
async function colour(studio: Studio) {
  for (const file of studio.files('Pictures')) {
    const piece = shootPictures().findIndex(({ name }) =>
      file.includes(
        `${name
          .split('/')
          .at(-1)!
          .replace(/\.\w+$/, '')}-`,
      ),
    )
    const preset = presets.findIndex((name) => file.includes(`-${name}.`))
    if (piece < 0 || preset < 0) continue
    const [r, g, b] = colourOf(piece, preset)
    writeFileSync(join(studio.home, 'Pictures', file), await flat(r!, g!, b!).png().toBuffer())
  }
}

async function dropShoot(studio: Studio, count: number) {
  const list = join(studio.folder('Lists'), 'Shoot.txt')
  const sources = shootPictures()
    .slice(0, count)
    .map(({ path }) => `${studio.service.origin}${path}`)
  writeFileSync(list, sources.join('\n'))
  await drop(studio.page, list)
  await startButton(studio.page).waitFor()
}

async function pickPresets(page: Page) {
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: 'Add a preset' }).click()
  for (const name of presets.slice(1)) await page.getByRole('menuitemcheckbox', { name }).click()
  await page.keyboard.press('Escape')
}

test('several presets are picked, priced, made once each, and compared by picture', async (t) => {
  const studio = await openStudio(t)
  const { page, service } = studio
  await connect(studio)
  await dropShoot(studio, 2)
  const sheet = page.getByRole('dialog')
  await pickPresets(page)
  await sheet.getByText(/^2 × 3 presets × /).waitFor()
  for (const ending of ['-Catalogue white.', '-Cut-out.', '-Soft grey.']) {
    await sheet.getByText(ending, { exact: false }).first().waitFor()
  }
  // One that is left out is neither priced nor named; then it is taken again.
  await sheet.getByRole('button', { name: 'Leave out Soft grey' }).click()
  await sheet.getByText(/^2 × 2 presets × /).waitFor()
  await pickOnly(page, 'Soft grey')
  await sheet.getByText(/^2 × 3 presets × /).waitFor()
  expect(service.books().runs).toHaveLength(0)
  await start(page)
  await standing(page, /^Finished$/).waitFor()

  const made = service
    .books()
    .runs.map(({ source, appId, parameters }) =>
      [source, appId, parameters['bg_mode'], parameters['bg_color']].join(' '),
    )
  expect(made).toHaveLength(6)
  expect(new Set(made).size).toBe(6)
  await colour(studio)

  await page.getByRole('radiogroup', { name: 'Arrangement' }).locator('label').last().click()
  await page.getByRole('columnheader', { name: 'Preset' }).waitFor()
  for (const name of presets) expect(await page.getByRole('gridcell', { name }).count()).toBe(2)
  await page.getByRole('radiogroup', { name: 'Arrangement' }).locator('label').first().click()

  await images(page).nth(1).click()
  await page.keyboard.press('c')
  await page.locator('.compare h1').waitFor()
  await page.keyboard.press('v')
  const shows = async (piece: number) =>
    await eventually(async () =>
      expect(await middles(page, 3)).toEqual(presets.map((_, preset) => colourOf(piece, preset))),
    )
  await shows(0)
  const panes = page.locator('.pane-over', { has: page.locator('.preset-label') })
  const labels = page.locator('.preset-label')
  expect(await labels.allTextContents()).toEqual(presets)
  const chosen = () => page.locator('.preset-label[aria-pressed=true]').textContent()
  expect(await chosen()).toBe('Cut-out')

  // On to the next picture, not to the next preset; the same preset stays chosen.
  await page.keyboard.press('ArrowRight')
  await shows(1)
  expect(await chosen()).toBe('Cut-out')
  await page.keyboard.press('ArrowRight')
  await page.getByText('This is the last image').waitFor()
  await page.keyboard.press('ArrowDown')
  expect(await chosen()).toBe('Soft grey')
  await page.keyboard.press('x')
  await panes.nth(2).getByText('Rejected').waitFor()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('1')
  await panes.nth(1).getByText('Kept').waitFor()
  await page.keyboard.press('ArrowLeft')
  await shows(0)

  // Two that are laid on each other: the chosen one and the next.
  await page.keyboard.press('s')
  await eventually(async () => {
    expect(await coloursAt(page, 0.47, 0.53)).toEqual([colourOf(0, 1), colourOf(0, 2)])
  })
  await page.keyboard.press('a')
  // Back to the outputs of one preset.
  await page.keyboard.press('v')
  await page.locator('.preset-label').first().waitFor({ state: 'detached' })
  await eventually(async () => expect((await middles(page, 2))[0]).toEqual(colourOf(0, 1)))
  await page.keyboard.press('Escape')
  await earlyV(page)
  const manifest = studio.files('Pictures').find((path) => path.endsWith('manifest.jsonl'))!
  await eventually(() => {
    const marked = linesOf(join(studio.home, 'Pictures', manifest)).map((line) => {
      const { preset, mark } = JSON.parse(line) as { preset: string; mark?: string }
      return [preset, mark]
    })
    expect(marked).toEqual([
      ...presets.map((preset) => [preset, undefined]),
      ...presets.map((preset, index) => [preset, [undefined, 'keep-1', 'reject'][index]]),
    ])
  })
  expectQuiet(studio)
})

async function pickOnly(page: Page, name: string) {
  await page.getByRole('dialog').getByRole('button', { name: 'Add a preset' }).click()
  await page.getByRole('menuitemcheckbox', { name }).click()
  await page.keyboard.press('Escape')
}

/** V pressed before the engine has said anything of the picture is not lost, and not misunderstood. */
async function earlyV(of: Page) {
  const late = await of.context().newPage()
  const answers = await holdAnswers(late, 'compare.subject')
  await late.goto(of.url())
  await images(late).nth(1).click()
  await late.keyboard.press('c')
  await late.locator('.compare').waitFor()
  await eventually(() => expect(answers.held('compare.subject')).toBeGreaterThanOrEqual(1))
  await late.keyboard.press('v')
  answers.release('compare.subject', true)
  await late.locator('.preset-label').nth(2).waitFor()
  expect(await late.getByText('This was made with one preset').count()).toBe(0)
  await late.close()
}
