import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import sharp from 'sharp'
import { getBrowser } from './browser.ts'
import { serveProgram } from './guide-program.ts'

const patience = 60_000
/** Milliseconds until large pictures are drawn, on a slow machine. */
const drawnMs = 8000
const view = { width: 1440, height: 900 }

export interface Photographs {
  /** A home folder in which nothing is yet. */
  readonly home: string
  /** Where the pictures go. */
  readonly folder: string
  /** A contact sheet that the program wrote. */
  readonly contactSheet: string
}

/** Photographs the window on its way through a first batch; the practice service really works on the pictures. */
export async function photographWindows({ home, folder, contactSheet }: Photographs) {
  const program = await serveProgram(['serve', '--no-open', '--json'], home)
  const browser = await chromium.launch({ executablePath: getBrowser(), args: ['--no-first-run'] })
  try {
    const context = await browser.newContext({ viewport: view, colorScheme: 'dark', reducedMotion: 'reduce' })
    context.setDefaultTimeout(patience)
    const show = async (page: Page, name: string) => {
      // Small pictures of rows come a moment after their rows.
      await page.waitForLoadState('networkidle', { timeout: 5000 }).catch(() => undefined)
      await sharp(await page.screenshot())
        .resize(1200)
        .jpeg({ quality: 80, mozjpeg: true })
        .toFile(join(folder, `window-${name}.jpg`))
      process.stdout.write(`window-${name}.jpg\n`)
    }
    const sheet = await context.newPage()
    await sheet.goto(pathToFileURL(contactSheet).href)
    await show(sheet, 'contact-sheet')
    await walk(context, program.said['url']!, show)
  } finally {
    await browser.close()
    await program.end()
  }
}

type Show = (page: Page, name: string) => Promise<void>

async function walk(context: BrowserContext, url: string, show: Show) {
  const page = await context.newPage()
  await page.goto(url)
  await page.getByRole('button', { name: /Start practising/ }).click()
  await page.getByRole('button', { name: 'Try the sample shoot' }).click()
  await page.getByRole('heading', { name: /24 images found/ }).waitFor()
  await page.getByText(/free$/).first().waitFor()
  // A reader of the guide has another home than this picture was made in.
  await page
    .getByLabel('Output folder')
    .evaluate((field: { value: string }) => void (field.value = '/home/mara/Pictures/Vitrine/Sample shoot'))
  await show(page, 'review')
  await page.getByRole('checkbox', { name: /Everything/ }).uncheck({ force: true })
  await page.getByRole('checkbox', { name: /Bracelets \/ Curb/ }).check({ force: true })
  const start = page.getByRole('dialog').getByRole('button', { name: /^(?:Start|Add and start)/ })
  await start.click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page
    .getByText(/^Finished/)
    .first()
    .waitFor()
  await page.locator('[data-index="0"]').click()
  await show(page, 'batch')
  await page.keyboard.press('c')
  await page.getByText('0 of 2 reviewed').waitFor()
  // Pictures are decoded beside the page, which has no sign for "drawn".
  await page.waitForTimeout(drawnMs)
  await show(page, 'compare')
  await page.keyboard.press('Escape')
  await severalPresets(page, show)
  await hotFolder(page)
  await show(page, 'hot-folder')
  await page.keyboard.press('Escape')
  await ownFiles(page)
  await show(page, 'own-files')
}

/** The sheet with further presets, and what they made of one picture. */
async function severalPresets(page: Page, show: Show) {
  await page.keyboard.press('ControlOrMeta+n')
  await page.getByRole('button', { name: 'Try the sample shoot' }).click()
  await page.getByRole('heading', { name: /24 images found/ }).waitFor()
  await page.getByRole('checkbox', { name: /Everything/ }).uncheck({ force: true })
  await page.getByRole('checkbox', { name: /Bracelets \/ Cuff/ }).check({ force: true })
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: 'Add a preset' }).click()
  for (const name of ['Cut-out', 'Soft grey']) await page.getByRole('menuitemcheckbox', { name }).click()
  await page.keyboard.press('Escape')
  await sheet.getByText(/3 presets/).waitFor()
  await sheet.getByRole('button', { name: 'Leave out Soft grey' }).scrollIntoViewIfNeeded()
  await show(page, 'presets')
  await sheet.getByRole('button', { name: /^(?:Start|Add and start)/ }).click()
  await sheet.waitFor({ state: 'detached' })
  await page
    .getByText(/^Finished/)
    .first()
    .waitFor()
  await page.locator('[data-index="0"]').click()
  await page.keyboard.press('c')
  await page.locator('.compare h1', { hasText: 'B4028' }).waitFor()
  await page.keyboard.press('v')
  await page.waitForTimeout(drawnMs)
  await page.keyboard.press('1')
  await page.locator('.plabel', { hasText: 'Kept' }).waitFor()
  await show(page, 'variants')
  await page.keyboard.press('Escape')
}

/** What a person types; the sheet is not sent off. */
async function hotFolder(page: Page) {
  await page.getByRole('button', { name: 'Watch a folder' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel('Folder to watch').fill('/home/mara/Shoots/Inbox')
  await sheet.getByLabel('Name', { exact: true }).fill('Studio A · tethered')
  await sheet.getByLabel('Output folder').fill('/home/mara/Shoots/Retouched')
  await sheet.getByLabel('Budget a day').fill('120')
}

/** As above, with keys that are nobody's. */
async function ownFiles(page: Page) {
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await page.getByRole('main').getByRole('link', { name: 'Own files' }).click()
  await page.getByRole('listitem', { name: 'Storage' }).getByRole('button', { name: 'Set up' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel('Endpoint').fill('https://s3.eu-central-1.amazonaws.com')
  await sheet.getByLabel('Bucket', { exact: true }).fill('mara-shoots')
  await sheet.getByLabel('Region').fill('eu-central-1')
  await sheet.getByLabel('Prefix').fill('retouch/')
}
