import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openBrowser, servePage, type PageServer } from './browser.ts'

/** Milliseconds; far more than is needed, since a browser on a busy machine is slow at everything. */
const patience = 180_000
vi.setConfig({ testTimeout: patience, hookTimeout: patience })

let browser: Browser
let server: PageServer
let page: Page
let said: string[] = []

beforeAll(async () => {
  server = await servePage('sheet')
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})
beforeEach(async () => {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 1330 },
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(patience)
  page = await context.newPage()
  said = []
  page.on('console', (message) => said.push(message.text()))
  page.on('pageerror', (error) => said.push(error.message))
})
afterEach(() => page.context().close())

/** The whole sheet takes seconds to draw: what looks at one part asks for that alone. */
async function open(theme = 'dark', only?: 'controls' | 'overlays' | 'inspectors') {
  const asked = new URLSearchParams({ theme, ...(only && { only }) })
  const answer = await page.goto(`${server.url}/dev/sheet.html?${asked.toString()}`)
  // A missing build is no fault of the sheet.
  expect(answer?.ok(), 'dist/sheet is not there: run npm run sheet').toBe(true)
  await page.getByRole('heading', { name: 'Vitrine components' }).waitFor()
}

const batch = () => page.getByLabel('Settings of a batch')
const images = () => page.getByLabel('Settings of four images')

async function recipeOf(inspector: Locator) {
  const text = await inspector.locator('output').getAttribute('data-recipe')
  return JSON.parse(text ?? '') as { appId: string; settings: Record<string, unknown>; parameters: object }
}

describe('for everybody', () => {
  test.each(['dark', 'light'])(
    'axe finds nothing in the %s theme, and the console stays empty',
    async (theme) => {
      await open(theme)
      const { violations } = await new AxeBuilder({ page }).analyze()
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual(
        [],
      )
      expect(said).toEqual([])
    },
  )

  test.each(['dark', 'light'])('menus and sheets pass as well in the %s theme', async (theme) => {
    await open(theme)
    await page.getByRole('button', { name: 'Image actions' }).click()
    await page.getByRole('menu').waitFor()
    const menu = await new AxeBuilder({ page }).include('.pop').analyze()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Open a sheet' }).click()
    await page.getByRole('dialog').waitFor()
    const sheet = await new AxeBuilder({ page }).include('.sheet').analyze()
    const violations = [...menu.violations, ...sheet.violations]
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
    expect(said).toEqual([])
  })

  test('no control is smaller than 24 by 24', async () => {
    await open()
    const small: string[] = []
    for (const control of await page.locator('button:not(.undo), [role=radio], a[href]').all()) {
      const box = await control.boundingBox()
      // Where a drawing is smaller by a little, what can be pressed reaches beyond it.
      if (box !== null && box.width > 1 && (box.width < 22 || box.height < 22)) {
        small.push(await control.innerHTML())
      }
    }
    expect(small).toEqual([])
  })
})

describe('sliders by keyboard', () => {
  const slider = () => batch().getByRole('slider', { name: 'Softness' })

  test('arrows step, Shift ten, Alt a tenth, ends at Home and End', async () => {
    await open('dark', 'inspectors')
    await slider().focus()
    const steps: [string, number][] = [
      ['ArrowRight', 1.65],
      ['Shift+ArrowUp', 2.15],
      ['Alt+ArrowLeft', 2.145],
      ['ArrowLeft', 2.1],
      ['End', 3],
      ['Home', 0.2],
    ]
    for (const [keys, value] of steps) {
      await page.keyboard.press(keys)
      expect((await recipeOf(batch())).settings['shadow_softness'], keys).toBe(value)
    }
  })

  test('⌫ leaves it to the account, an arrow sets it again', async () => {
    await open('dark', 'inspectors')
    await slider().focus()
    await page.keyboard.press('Backspace')
    expect((await recipeOf(batch())).settings).not.toHaveProperty('shadow_softness')
    expect(await slider().getAttribute('aria-valuetext')).toBe('Account default')
    await page.keyboard.press('ArrowRight')
    expect((await recipeOf(batch())).settings['shadow_softness']).toBe(1.05)
    expect(await slider().getAttribute('aria-valuetext')).toBe('1.05')
  })

  test('a double click on its name and the button do the same', async () => {
    await open('dark', 'inspectors')
    await batch().getByText('Softness', { exact: true }).dblclick()
    expect((await recipeOf(batch())).settings).not.toHaveProperty('shadow_softness')
    await batch().getByRole('button', { name: 'Intensity: back to your account’s setting' }).click()
    expect((await recipeOf(batch())).settings).not.toHaveProperty('shadow_intensity')
  })

  test('a typed value that is too large is moved into the range, with a word', async () => {
    await open('dark', 'inspectors')
    const field = batch().getByLabel('Softness, number')
    await field.fill('7,5')
    await field.press('Enter')
    expect((await recipeOf(batch())).settings['shadow_softness']).toBe(3)
    expect(await batch().getByText('Set to 3, the most that is allowed.').count()).toBe(1)
    await field.fill('soft')
    await field.press('Enter')
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    await field.press('Escape')
    expect(await field.inputValue()).toBe('3.00')
    await field.fill('')
    await field.press('Enter')
    expect((await recipeOf(batch())).settings).not.toHaveProperty('shadow_softness')
  })

  test('a drag sets it, in steps', async () => {
    await open('dark', 'inspectors')
    const distance = batch().getByRole('slider', { name: 'Distance' })
    await distance.scrollIntoViewIfNeeded()
    const box = await distance.boundingBox()
    if (box === null) throw new Error('The slider is not shown.')
    await page.mouse.move(box.x + 6, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 5 })
    await page.mouse.up()
    expect((await recipeOf(batch())).settings['shadow_distance']).toBe(0.1)
  })
})

describe('the settings inspector', () => {
  test('a switch has three states, and ⌫ leads back to the account', async () => {
    await open('dark', 'inspectors')
    const group = batch().getByRole('radiogroup', { name: 'De-banding' })
    await group.getByRole('radio', { name: 'Off' }).press('Space')
    expect((await recipeOf(batch())).settings['debanding']).toBe(false)
    await page.keyboard.press('ArrowRight')
    expect((await recipeOf(batch())).settings['debanding']).toBe(true)
    await page.keyboard.press('Backspace')
    expect((await recipeOf(batch())).settings).not.toHaveProperty('debanding')
    expect(await batch().getByText('80 left × 5 to 6 = 400 to 480 credits').count()).toBe(1)
  })

  test('linked pads move together; unlinked ones keep their values', async () => {
    await open('dark', 'inspectors')
    const pad = (side: string) => batch().getByLabel(`${side} padding`)
    await pad('Top').fill('20')
    await pad('Top').press('Enter')
    await batch().getByRole('button', { name: 'Link the four sides' }).click()
    await pad('Left').fill('5')
    await pad('Left').press('Enter')
    await pad('Bottom').fill('')
    await pad('Bottom').press('Enter')
    const { settings } = await recipeOf(batch())
    expect([
      settings['framing_pad_top'],
      settings['framing_pad_right'],
      settings['framing_pad_left'],
    ]).toEqual([20, 20, 5])
    expect(settings).not.toHaveProperty('framing_pad_bottom')
  })

  test('what would be ignored is dimmed, says why, and keeps its value', async () => {
    await open('dark', 'inspectors')
    await batch()
      .getByRole('radiogroup', { name: 'Background' })
      .getByRole('radio', { name: 'Transparent' })
      .press('Space')
    expect(await batch().getByText('Only with a solid background').count()).toBeGreaterThan(0)
    expect(await batch().getByRole('slider', { name: 'Softness' }).isDisabled()).toBe(true)
    expect((await recipeOf(batch())).settings['shadow_softness']).toBe(1.6)
  })

  test('mixed values say so, stay until touched, and a touch sets them for all', async () => {
    await open('dark', 'inspectors')
    const size = images().getByRole('slider', { name: 'Size' })
    expect(await size.getAttribute('aria-valuetext')).toBe('Mixed, 0.80 to 1.60')
    const background = images().getByRole('radiogroup', { name: 'Background, mixed: solid, transparent' })
    expect(await background.getByRole('radio', { checked: true }).count()).toBe(0)
    await background.getByRole('radio', { name: 'Solid' }).press('Space')
    expect(await images().getByRole('radiogroup', { name: 'Background', exact: true }).count()).toBe(1)
    expect(await size.getAttribute('aria-valuetext')).toBe('Mixed, 0.80 to 1.60')
  })

  test('the colour: typed, by swatch, or none', async () => {
    await open('dark', 'inspectors')
    const code = batch().getByLabel('Background colour, code')
    await code.fill('ececec')
    await code.press('Enter')
    expect((await recipeOf(batch())).settings['bg_color']).toBe('#ECECEC')
    await batch().getByRole('button', { name: 'Near black' }).click()
    expect((await recipeOf(batch())).settings['bg_color']).toBe('#1E1E1E')
    await batch().getByRole('button', { name: 'Background colour: open the picker' }).click()
    await page.getByRole('slider', { name: 'Hue' }).waitFor()
    await page.keyboard.press('Escape')
    await code.fill('')
    await code.press('Enter')
    expect((await recipeOf(batch())).settings).not.toHaveProperty('bg_color')
    expect(said).toEqual([])
  })

  test('presets: another one, and the name of a new one', async () => {
    await open('dark', 'inspectors')
    await batch()
      .getByRole('button', { name: /Catalogue white/ })
      .click()
    await page.getByRole('option', { name: 'Cut-out' }).click()
    expect(await batch().locator('output').getAttribute('data-said')).toBe('Cut-out')
    await batch().getByRole('button', { name: 'Preset actions' }).click()
    await page.getByRole('menuitem', { name: 'Save as' }).click()
    const name = page.getByRole('dialog').getByLabel('Name')
    await name.press('Enter')
    expect(await page.getByText('There is a preset of this name. Choose another.').count()).toBe(1)
    await name.fill('Catalogue grey')
    await name.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await batch().locator('output').getAttribute('data-said')).toBe('Catalogue grey')
  })

  test('an app that is no retoucher has fields of its own, and JSON for the rest', async () => {
    await open('dark', 'inspectors')
    const other = page.getByLabel('Settings of another app')
    await other.getByLabel('Factor', { exact: true }).fill('9')
    await other.getByLabel('Factor', { exact: true }).press('Enter')
    const json = other.getByLabel('Other parameters (JSON)')
    await json.fill('{seed')
    await json.blur()
    expect(await other.getByText('This is not JSON. It looks like { "name": "value" }.').count()).toBe(1)
    await json.fill('{"seed": 4}')
    await json.blur()
    expect((await recipeOf(other)).parameters).toEqual({ factor: 4, mode: 'fine', seed: 4 })
    await other.getByRole('radio', { name: 'Default' }).first().press('Space')
    expect((await recipeOf(other)).parameters).toEqual({ factor: 4, seed: 4 })
  })
})

describe('the live preview', () => {
  /** Red, green and blue of a point of the preview, in CSS pixels. */
  const colourAt = (x: number, y: number) =>
    batch()
      .locator('.prev canvas')
      .evaluate(
        (element, [left = 0, top = 0]) => {
          const canvas = element as unknown as {
            width: number
            getContext(kind: '2d'): {
              getImageData(x: number, y: number, w: 1, h: 1): { data: Uint8ClampedArray }
            }
          }
          const ratio = canvas.width / 320
          const point = canvas.getContext('2d').getImageData(left * ratio, top * ratio, 1, 1)
          return Array.from(point.data).slice(0, 3)
        },
        [x, y],
      )

  test('the frame is drawn on the chosen background, and a corner drags the pads', async () => {
    await open('dark', 'inspectors')
    await batch().getByText('Approximate').waitFor()
    const edge = await batch().locator('.prev-frame .edge').boundingBox()
    const stage = await batch().locator('.prev canvas').boundingBox()
    if (edge === null || stage === null) throw new Error('The preview is not shown.')
    const inFrame = [edge.x - stage.x + 4, edge.y - stage.y + edge.height / 2] as const
    expect(await colourAt(...inFrame)).toEqual([255, 255, 255])
    await batch().getByRole('button', { name: 'Near black' }).click()
    await expect.poll(() => colourAt(...inFrame)).toEqual([30, 30, 30])

    // The press on the colour may have scrolled the page.
    const now = await batch().locator('.prev-frame .edge').boundingBox()
    if (now === null) throw new Error('The frame is not shown.')
    const [x, y] = [now.x + now.width, now.y + now.height]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 12, y + 12, { steps: 4 })
    await page.mouse.up()
    const { settings } = await recipeOf(batch())
    expect(settings['framing_pad_top']).toBeGreaterThan(18)
    expect(settings['framing_pad_left']).toBe(settings['framing_pad_top'])
  })

  test('a darker shadow darkens the ground under the item', async () => {
    await open('dark', 'inspectors')
    await batch().getByText('Approximate').waitFor()
    const item = await batch().locator('.prev-frame .item').boundingBox()
    const stage = await batch().locator('.prev canvas').boundingBox()
    if (item === null || stage === null) throw new Error('The preview is not shown.')
    const under = [item.x - stage.x + item.width / 2, item.y - stage.y + item.height + 1] as const
    const light = async () => (await colourAt(...under))[0] ?? 0
    await expect.poll(light).toBeLessThan(254)
    const before = await light()
    await batch().getByRole('slider', { name: 'Intensity' }).press('End')
    await expect.poll(light).toBeLessThan(before)
    await batch()
      .getByRole('radiogroup', { name: 'Contact shadow' })
      .getByRole('radio', { name: 'Off' })
      .press('Space')
    // The soft edge of the item itself may touch the point.
    await expect.poll(light).toBeGreaterThan(250)
  })
})

describe('what floats', () => {
  test('a sheet takes the focus, closes with Escape and gives the focus back', async () => {
    await open('dark', 'overlays')
    const opener = page.getByRole('button', { name: 'Open a sheet' })
    await opener.focus()
    await page.keyboard.press('Enter')
    const keep = page.getByRole('button', { name: 'Keep running' })
    await keep.waitFor()
    expect(await keep.evaluate((element) => element.matches(':focus'))).toBe(true)
    await page.keyboard.press('Escape')
    await keep.waitFor({ state: 'detached' })
    await page.locator('button:focus', { hasText: 'Open a sheet' }).waitFor()
  })

  test('a toast is a status, one at a time, and undoes', async () => {
    await open('dark', 'overlays')
    await page.getByRole('button', { name: 'Show a toast' }).click()
    const status = page.locator('.toasts[role=status]')
    await status.getByRole('button', { name: 'Undo' }).click()
    await status.getByText('Moved back').waitFor()
    expect(await status.locator('.toast').count()).toBe(1)
  })

  test('a menu opens under the pointer and by the keyboard, and acts once', async () => {
    await open('dark', 'overlays')
    await page
      .getByLabel('Menus', { exact: true })
      .getByRole('button', { name: 'Active 4' })
      .click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Copy run id' }).click()
    await page.locator('.toast').getByText('Copy run id').waitFor()
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Image actions' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Compare' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
  })

  test('a tooltip tells an icon’s name and key as soon as it has the focus', async () => {
    await open('dark', 'controls')
    await page.getByRole('button', { name: 'Inspector', exact: true }).focus()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Tab')
    await page.getByRole('tooltip').getByText('⌘I').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('tooltip').waitFor({ state: 'detached' })
  })
})
