import { join } from 'node:path'
import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  addresses,
  choose,
  connect,
  drop,
  images,
  paste,
  start,
  startButton,
  untilFinished,
} from './person.ts'
import { eventually, expectQuiet, linesOf, openStudio } from './studio.ts'

test('a preset is edited, saved, used, told from its edit, and is there after a restart', async (test) => {
  const studio = await openStudio(test)
  let { page } = studio
  const { service } = studio
  await connect(studio)
  await page.getByRole('link', { name: /^Presets/ }).click()
  await page.getByRole('button', { name: /^Cut-out/ }).click()
  const inspector = page.getByRole('complementary', { name: 'Settings of the preset' })
  await choose(inspector, 'Background', 'Solid')
  await inspector.getByText('edited').waitFor()
  // What comes with the program stays as it is: a change is saved under another name.
  expect(await inspector.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true)
  await inspector.getByRole('button', { name: 'Preset actions' }).click()
  await page.getByRole('menuitem', { name: /^Save as/ }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Shop window')
  await page.keyboard.press('Enter')
  await page.locator('.preset-open', { hasText: 'Shop window' }).waitFor()
  await inspector.getByText('Shop window').first().waitFor()
  await choose(inspector, 'De-banding', 'Off')
  await inspector.getByRole('button', { name: 'Save', exact: true }).click()
  await eventually(async () =>
    expect(await inspector.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true),
  )

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('button', { name: 'More about Shop window' })
      .click()
      .then(() => page.getByRole('menuitem', { name: 'Export' }).click()),
  ])
  const path = join(studio.home, file.suggestedFilename())
  await file.saveAs(path)
  expect(path).toMatch(/\.vitrinepreset$/)

  await studio.quit()
  page = await studio.start()
  await page.getByRole('link', { name: /^Presets/ }).click()
  await page.locator('.preset-open', { hasText: 'Shop window' }).click()
  await page.getByRole('button', { name: 'More about Shop window' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.locator('.preset-open', { hasText: 'Shop window' }).waitFor({ state: 'detached' })
  await drop(page, path)
  await page.locator('.preset-open', { hasText: 'Shop window' }).waitFor()
  // A file that is none says so, and changes nothing.
  const broken = join(studio.home, 'broken.vitrinepreset')
  writeFileSync(broken, '{"version": 99}')
  await drop(page, broken)
  await page
    .getByText(/broken\.vitrinepreset/)
    .first()
    .waitFor()
  expect(service.books().requests.submit.count).toBe(0)
})

test('the preset that is chosen is what is sent, and an edit of the batch stays the batch’s', async (test) => {
  const studio = await openStudio(test)
  const { page, service } = studio
  await connect(studio)
  await paste(page, addresses(studio, 3))
  const sheet = page.getByRole('dialog')
  await sheet
    .getByRole('button', { name: /Preset$/ })
    .or(sheet.getByLabel('Preset'))
    .first()
    .click()
  await page.getByRole('option', { name: /^Cut-out/ }).click()
  await sheet.getByRole('button', { name: 'Edit settings' }).click()
  await choose(sheet, 'Background', 'Solid')
  await sheet.getByText('edited').first().waitFor()
  await sheet.getByRole('button', { name: 'Done' }).click()
  await start(page)
  await untilFinished(page)
  for (const { parameters } of service.books().runs) expect(parameters['bg_mode']).toBe('solid')

  // The next batch begins with the preset as it is kept.
  await paste(page, addresses(studio, 2, 10))
  await sheet
    .getByRole('button', { name: /Preset$/ })
    .or(sheet.getByLabel('Preset'))
    .first()
    .click()
  await page.getByRole('option', { name: /^Cut-out/ }).click()
  await startButton(page).click()
  await untilFinished(page)
  expect(service.books().runs.at(-1)!.parameters['bg_mode']).toBe('transparent')
  expect(await images(page, /Done/).count()).toBe(2)
  expectQuiet(studio)
})

test('history shows the account’s own runs in pages and by state, and fetches results again', async (test) => {
  const studio = await openStudio(test, {
    practice: {
      processing: 0,
      concurrency: 16,
      outcome: ({ sequence }) => (sequence <= 3 ? { fail: 'No object found in the image' } : undefined),
    },
  })
  const { page, service } = studio
  for (let n = 0; n < 57; n += 1) {
    service.control.submitAsStranger('studio', 'rescue', { image: `${service.origin}/shoot/other-${n}.jpg` })
  }
  await service.control.idle()
  await connect(studio)
  await page.getByRole('link', { name: 'History' }).click()
  await page.getByText('57 runs').waitFor()
  const rows = page.getByRole('grid', { name: 'Runs' }).getByRole('row')
  await eventually(async () => expect(await rows.count()).toBe(51))
  await page.getByRole('button', { name: 'Older runs' }).click()
  await page.getByText('Page 2 of 2').waitFor()
  await eventually(async () => expect(await rows.count()).toBe(8))
  await choose(page, 'State', 'Failed')
  await eventually(async () => expect(await rows.count()).toBe(4))
  await rows.nth(1).getByRole('button').click()
  const details = page.getByRole('complementary', { name: 'Run' })
  await details.getByText('No object found in the image').waitFor()
  expect(await details.getByRole('button', { name: 'Download' }).isDisabled()).toBe(true)

  await choose(page, 'State', 'Done')
  await eventually(async () => expect(await rows.count()).toBe(51))
  for (const row of [1, 2]) await rows.nth(row).getByRole('checkbox').check({ force: true })
  await page.getByRole('button', { name: 'Download 2 runs' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel('Folder').fill(join(studio.home, 'Again'))
  await sheet.getByRole('button', { name: 'Download' }).click()
  await sheet.getByRole('button', { name: 'Close' }).last().waitFor()
  await eventually(() => expect(studio.files('Again').length).toBeGreaterThanOrEqual(2))
  expect(service.books().runs).toHaveLength(57)
  expectQuiet(studio)
})

test('preferences are kept: theme, output folder, names', async (test) => {
  const studio = await openStudio(test)
  let { page } = studio
  await connect(studio)
  const theme = () =>
    page.evaluate(() => {
      const { document } = globalThis as unknown as {
        document: { documentElement: { dataset: Record<string, string | undefined> } }
      }
      return document.documentElement.dataset['theme']
    })
  const background = () =>
    page.evaluate(
      "getComputedStyle(document.querySelector('main')).backgroundColor + getComputedStyle(document.body).backgroundColor",
    )
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  const dark = await background()
  await choose(page, 'Theme', 'Light')
  await eventually(async () => expect(await background()).not.toBe(dark))
  const light = await theme()
  await page.getByRole('link', { name: /^Output/ }).click()
  await page.getByLabel('Output folder').fill(join(studio.home, 'Retouched'))
  await page.keyboard.press('Tab')
  await page.getByLabel('File names').fill('{name}-done{suffix}.{ext}')
  await page.keyboard.press('Tab')
  const kept = () => linesOf(join(studio.home, 'data', 'preferences.json')).join('')
  // A folder is looked at before it is kept, so that the names may come first.
  await eventually(() => expect(kept()).toContain('-done'))
  await eventually(() => expect(kept()).toContain('Retouched'))

  await studio.quit()
  page = await studio.start()
  await page.getByText('Drop a shoot here').waitFor()
  await eventually(async () => expect(await theme()).toBe(light))
  await page.keyboard.press('ControlOrMeta+,')
  await page.getByRole('link', { name: /^Output/ }).click()
  const value = async (label: string) => await page.getByLabel(label).inputValue()
  await eventually(async () => expect(await value('Output folder')).toBe(join(studio.home, 'Retouched')))
  await eventually(async () => expect(await value('File names')).toBe('{name}-done{suffix}.{ext}'))
})
