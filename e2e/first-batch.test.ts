import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { goOn, images, openPreferences, startButton, untilFinished } from './person.ts'
import { eventually, expectQuiet, key, linesOf, openStudio, type Studio } from './studio.ts'
import { shell } from './shells.ts'

// The report says in which shell the scenarios were driven.
test(`the scenarios of the window are driven in ${shell === 'browser' ? 'the browser shell: Electron is not here' : 'Electron'}`, () => {
  expect(['Electron', 'browser']).toContain(shell)
})

/** Where the button with this word has stood, from the moment on when it first bore it. */
async function watchPlaces(page: Page, word: string) {
  await page.evaluate((wanted) => {
    interface Element {
      readonly textContent: string
      getBoundingClientRect: () => { top: number }
    }
    const view = globalThis as unknown as {
      document: { body: Element; querySelectorAll: (selector: string) => Iterable<Element> }
      MutationObserver: new (told: () => void) => { observe: (node: Element, how: object) => void }
      places: number[]
    }
    view.places = []
    const look = () => {
      for (const button of view.document.querySelectorAll('button')) {
        if (button.textContent.startsWith(wanted)) view.places.push(button.getBoundingClientRect().top)
      }
    }
    const how = { subtree: true, childList: true, attributes: true, characterData: true }
    new view.MutationObserver(look).observe(view.document.body, how)
  }, word)
  return async () => await page.evaluate(() => (globalThis as unknown as { places: number[] }).places)
}

/** What the practice service, which the program has started by itself, wrote down as accepted. */
function acceptedRuns({ home }: Studio): readonly string[] {
  const journal = linesOf(join(home, 'data', 'practice', 'journal.jsonl'))
  return journal.filter((line) => (JSON.parse(line) as { readonly event: string }).event === 'accepted')
}

test('first run, one click, the sample shoot, Start, and the pictures are there', async (test) => {
  const studio = await openStudio(test)
  const { page } = studio
  await page.getByRole('button', { name: /Start practising/ }).click()
  await page.getByRole('button', { name: 'Try the sample shoot' }).click()
  await page.getByRole('heading', { name: /24 images found/ }).waitFor()

  // One folder of two pieces is enough to see a batch finish.
  await page.getByRole('checkbox', { name: /Everything/ }).uncheck({ force: true })
  await page.getByRole('checkbox', { name: /Bracelets \/ Curb/ }).check({ force: true })
  await page.getByText(/^2 (images )?× /).waitFor()
  expect(studio.files()).not.toContainEqual(expect.stringMatching(/\.jpg$/))
  await startButton(page).click()
  await untilFinished(page)

  expect(await images(page, /Done/).count()).toBe(2)
  const written = studio.files('Pictures')
  const pictures = written.filter((path) => /\.(jpg|png)$/.test(path))
  // Both outputs of each piece, in the folder that the piece lay in.
  expect(pictures.map((path) => path.replace(/^.*?(?=Bracelets)/, ''))).toEqual([
    'Bracelets/Curb/B4020-original.jpg',
    'Bracelets/Curb/B4020.jpg',
    'Bracelets/Curb/B4032-original.jpg',
    'Bracelets/Curb/B4032.jpg',
  ])
  const manifest = written.find((path) => path.endsWith('manifest.jsonl'))!
  expect(linesOf(join(studio.home, 'Pictures', manifest))).toHaveLength(2)
  expect(written.some((path) => path.includes('partial'))).toBe(false)

  const accepted = acceptedRuns(studio)
  expect(accepted).toHaveLength(2)
  for (const piece of ['B4020', 'B4032']) {
    expect(accepted.filter((line) => line.includes(piece))).toHaveLength(1)
  }
  // A sale is booked once, and the window says what is left.
  await page.getByText('486 play credits').waitFor()
  expectQuiet(studio)
})

test('a wrong key is told where it was typed; the right one is kept, and is nowhere in the page', async (test) => {
  const studio = await openStudio(test)
  const { page, service } = studio
  await page.getByRole('radio', { name: /Connect your account/ }).check()
  await page.getByLabel('Address').fill(service.url)
  await page.getByLabel('API key').fill('a-wrong-key')
  await page.getByRole('button', { name: 'Check key' }).click()
  const sentence = 'The service rejected this key (401). Copy it again, or create a new one.'
  await page.getByText(sentence).waitFor()
  const field = page.getByLabel('API key')
  expect(await field.getAttribute('aria-invalid')).toBe('true')
  const described = await field.getAttribute('aria-describedby')
  const told = await Promise.all(
    (described ?? '').split(' ').map((id) => page.locator(`[id="${id}"]`).textContent()),
  )
  expect(told.join(' ')).toContain(sentence)
  // The field hides what is typed, and a browser's own store of passwords is told to leave it alone.
  expect(await field.getAttribute('type')).toBe('password')

  await field.fill(key)
  await page.getByRole('button', { name: 'Check key' }).click()
  await page.getByText(/500 credits/).waitFor()
  await goOn(page)
  await openPreferences(page, 'Connections')
  await page.getByRole('button', { name: 'Replace key' }).waitFor()

  const kept = await page.evaluate(() => {
    const { localStorage, sessionStorage, document } = globalThis as unknown as {
      localStorage: object
      sessionStorage: object
      document: { cookie: string; documentElement: { outerHTML: string } }
    }
    return JSON.stringify([localStorage, sessionStorage, document.cookie, document.documentElement.outerHTML])
  })
  expect(kept).not.toContain(key)
  // Not on the disk in clear, either.
  await eventually(() => {
    for (const path of studio.files('data')) {
      expect(linesOf(join(studio.home, 'data', path)).join('\n')).not.toContain(key)
    }
  })
  expectQuiet(studio)
})

// A button that moves while it is pressed is not pressed.
test('where an accepted key is kept is said with the answer, so that “Continue” stands still', async (test) => {
  const { page, service } = await openStudio(test)
  await page.getByLabel('Address').fill(service.url)
  await page.getByLabel('API key').fill(key)
  const placesOf = await watchPlaces(page, 'Continue')
  await page.getByRole('button', { name: 'Check key' }).click()
  await page.getByText(/for this run of the program only|Kept in the system keychain/).waitFor()
  const places = await placesOf()
  expect(places.length).toBeGreaterThan(0)
  expect(new Set(places).size).toBe(1)
  await goOn(page)
})
