import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { writeShootLists } from '../practice-service/start.ts'
import { expect, test } from 'vitest'
import { packageFolder } from './electron-program.ts'
import { connect, drop, startButton } from './person.ts'
import { expectQuiet, key, openStudio, type Studio } from './studio.ts'

/** The German of what the window says itself, or the engine: as translators write it. */
function catalog(half: 'window' | 'engine'): Readonly<Record<string, string>> {
  const folder = join(packageFolder, 'shared/language/german', half)
  const files = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
  return Object.assign({}, ...files.map((text) => JSON.parse(text) as object)) as Record<string, string>
}
const germanWindow = catalog('window')
const germanEngine = catalog('engine')

/** What the window says in German for a text of its own; the values of the English stand in it. */
function de(english: string, ...values: readonly string[]): string {
  const german = germanWindow[english]
  if (!german) throw new Error(`There is no German for “${english}”.`)
  return german.replaceAll(/\{(\d+)\}/g, (_, n: string) => values[Number(n)] ?? '')
}

/** Texts and names in the window that are English although their German is known. */
async function leftovers(page: Page): Promise<readonly string[]> {
  const said = (await page.evaluate(`(() => {
    const found = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) found.push(node.data.trim())
    for (const one of document.querySelectorAll('[aria-label],[title],[placeholder]')) {
      for (const name of ['aria-label', 'title', 'placeholder']) found.push(one.getAttribute(name) ?? '')
    }
    return found
  })()`)) as string[]
  const all: Readonly<Record<string, string>> = { ...germanEngine, ...germanWindow }
  return [...new Set(said)].filter((text) => all[text] !== undefined && all[text] !== text)
}

async function connectInGerman({ page, service }: Studio) {
  await page.getByRole('radio', { name: de('Connect your account') }).check()
  await page.getByLabel(de('Address')).fill(service.url)
  await page.getByLabel(de('API key')).fill('not-the-key')
  await page.getByRole('button', { name: de('Check key') }).click()
  // A sentence of the engine, with a value in it.
  const rejected = germanEngine['The service rejected this key ({0}). Copy it again, or create a new one.']!
  await page.getByText(rejected.replace('{0}', '401')).waitFor()
  await page.getByLabel(de('API key')).fill(key)
  await page.getByRole('button', { name: de('Check key') }).click()
  await page.getByRole('button', { name: de('Continue') }).click()
  await page.getByText(de('Drop a shoot here')).waitFor()
}

test('on a German machine the window is German, from the first run to the last result', async (test) => {
  const studio = await openStudio(test, { locale: 'de-DE' })
  const { page, service } = studio
  const wrong: string[] = []
  const look = async (where: string) => {
    wrong.push(...(await leftovers(page)).map((text) => `${where}: ${text}`))
  }
  await page.getByText(de('Where should the retouching happen?')).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('de')
  await look('first run')
  await connectInGerman(studio)
  await look('start')

  const shoot = studio.folder('Winter')
  await writeShootLists(shoot, service.origin)
  await drop(page, shoot)
  const start = page.getByRole('dialog').getByRole('button', { name: new RegExp(`^${de('Start')}`) })
  await start.waitFor()
  await look('review sheet')
  await start.click()
  await page
    .locator('.run-state b')
    .filter({ hasText: de('Finished') })
    .waitFor()
  await page.getByRole('option').first().click()
  await page.getByRole('tab', { name: de('Details') }).click()
  await look('finished')
  await page.keyboard.press('c')
  await page.locator('.zoom-figure', { hasText: '%' }).first().waitFor()
  await look('compare')
  await page.keyboard.press('Escape')

  await page.getByRole('link', { name: de('History') }).click()
  await page.getByText(de('{0} runs').replace('{0}', '24')).waitFor()
  await look('history')
  await page.getByRole('link', { name: de('Presets') }).click()
  await look('presets')
  await page.keyboard.press('ControlOrMeta+,')
  const pages = page.getByRole('main').getByRole('navigation').getByRole('link')
  await pages.first().waitFor()
  for (const link of await pages.all()) {
    const name = await link.innerText()
    await link.click()
    await look(name)
  }
  expect(wrong).toEqual([])

  // Chosen, English is spoken at once, and by the next window too.
  await pages.first().click()
  await page
    .getByRole('radiogroup', { name: de('Language') })
    .locator('label')
    .filter({ hasText: 'English' })
    .click()
  await page.getByRole('radiogroup', { name: 'Language' }).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('en')
  await page.reload()
  await page.getByRole('radiogroup', { name: 'Language' }).waitFor()
  expectQuiet(studio)
})

test('on a machine of another language the window is English, and every part of it opens', async (test) => {
  const studio = await openStudio(test, { locale: 'fr-FR' })
  await connect(studio)
  const shoot = studio.folder('Printemps')
  await writeShootLists(shoot, studio.service.origin)
  await drop(studio.page, shoot)
  // The components' own words for French are not in the page: theirs are the English ones.
  await startButton(studio.page).waitFor()
  expectQuiet(studio)
})
