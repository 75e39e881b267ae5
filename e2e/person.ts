import type { Locator, Page } from 'playwright-core'
import { key, type Studio } from './studio.ts'

/** What a person does at the window, by the roles and names that are read to everybody. */

/** Connects the studio's account at the first run. */
export async function connect({ page, service }: Studio) {
  await page.getByRole('radio', { name: /Connect your account/ }).check()
  await page.getByLabel('Address').fill(service.url)
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Check key' }).click()
  await goOn(page)
}

/** From the accepted key into the program. */
export async function goOn(page: Page) {
  await page.getByRole('button', { name: /^Continue/ }).click()
  await page.getByText('Drop a shoot here').waitFor()
}

/** Opens a page of the preferences, waiting for the window to be there. */
export async function openPreferences(page: Page, name: string | RegExp) {
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await page.getByRole('main').getByRole('link', { name }).click()
}

/** After a restart: where the system has no key store, the key was for that one run only, and the program says so. */
export async function giveKeyAgain({ page }: Studio) {
  await openPreferences(page, 'Connections')
  const replace = page.getByRole('button', { name: 'Replace key' })
  await replace.waitFor()
  if ((await page.getByText('Its key is not known any more.').count()) === 0) return
  await replace.click()
  const sheet = page.getByRole('dialog')
  // What becomes of the key is said before it is given.
  await sheet.getByText(/for this run of the program only|Kept in the system keychain/).waitFor()
  await sheet.getByLabel('API key').fill(key)
  await page.keyboard.press('Enter')
  await sheet.waitFor({ state: 'detached' })
}

/** Drops files and folders of this computer on the window, as the system would. */
export async function drop(page: Page, ...paths: readonly string[]) {
  await dispatchDrop(page, { items: [], files: [...paths], dragOperationsMask: 1 })
}

/** Drops text that was marked in another program. */
export async function dropText(page: Page, text: string) {
  const items = [{ mimeType: 'text/plain', data: text }]
  await dispatchDrop(page, { items, dragOperationsMask: 1 })
}

interface DragData {
  readonly items: { readonly mimeType: string; readonly data: string }[]
  readonly files?: string[]
  readonly dragOperationsMask: number
}

async function dispatchDrop(page: Page, data: DragData) {
  const session = await page.context().newCDPSession(page)
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: 720, y: 300, data })
  }
  await session.detach()
}

/** Addresses of made-up pictures at the studio's service. */
export function addresses({ service }: Studio, count: number, first = 1): readonly string[] {
  return Array.from({ length: count }, (_, n) => `${service.origin}/shoot/piece-${n + first}.jpg`)
}

/** Gives addresses to the program through the sheet for that; the review sheet is open then. */
export async function paste(page: Page, lines: readonly string[]) {
  await page.keyboard.press('ControlOrMeta+n')
  await page.getByRole('button', { name: /Paste URLs/ }).click()
  await page.getByLabel('Addresses').fill(lines.join('\n'))
  await page.getByRole('button', { name: 'Look through' }).click()
  await startButton(page).waitFor()
}

/** The button of the review sheet that spends. */
export function startButton(page: Page): Locator {
  return page.getByRole('dialog').getByRole('button', { name: /^Start/ })
}

/** Begins what the review sheet shows. */
export async function start(page: Page) {
  await startButton(page).click()
  await page.getByRole('region', { name: 'Queue' }).waitFor()
}

/** The run bar's own words for how the batch stands. */
export function standing(page: Page, words: string | RegExp): Locator {
  return page.locator('.run-state b').filter({ hasText: words })
}

export async function untilFinished(page: Page) {
  await standing(page, /^Finished$/).waitFor()
}

/** Images in the list, by what is read of them. */
export function images(page: Page, name?: RegExp): Locator {
  return page.getByRole('listbox', { name: 'Images' }).getByRole('option', name ? { name } : {})
}

/** Chooses one of a few options that stand beside each other. */
export async function choose(within: Page | Locator, group: string, option: string) {
  const options = within.getByRole('radiogroup', { name: group })
  await options
    .locator('label')
    .filter({ hasText: new RegExp(`^${option}$`) })
    .click()
}
