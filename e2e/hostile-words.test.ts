import { expect, test } from 'vitest'
import { connect, images, paste, start, standing } from './person.ts'
import { eventually, expectQuiet, openStudio } from './studio.ts'

const markup = '<img src=x onerror="globalThis.struck = 1"><script>globalThis.struck = 1</script>'
const turned = '\u202Egpj.elif\u202C \u2066isolated'
const long = 'W'.repeat(10_000)

/** What of the page reaches over the window's edge, outside of what scrolls sideways by itself. */
const overflow = `[...document.querySelectorAll('body *')]
  .filter((one) => one.getBoundingClientRect().width > 0 && one.getBoundingClientRect().right > innerWidth + 1)
  .filter((one) => { for (let at = one.parentElement; at; at = at.parentElement) if (getComputedStyle(at).overflowX !== 'visible') return false; return true })
  .map((one) => one.outerHTML.slice(0, 120))`

test('script, turned and endless words from the service change nothing but themselves', async (test) => {
  const studio = await openStudio(test, {
    practice: {
      apps: [
        {
          id: 'precision',
          title: `${markup}${turned}`,
          description: long,
          basePrice: 2,
          retoucher: true,
          parameters: [],
        },
        {
          id: `odd ${markup}`,
          title: long,
          description: markup,
          basePrice: 2,
          retoucher: false,
          parameters: [
            {
              name: markup.slice(0, 40),
              type: 'string',
              required: true,
              title: `${turned}${long}`,
              description: long,
            },
          ],
        },
      ],
      outcome: ({ sequence }) => (sequence === 1 ? { fail: `${markup} ${turned} ${long}` } : undefined),
    },
  })
  const { page, service } = studio
  service.control.addFault({
    on: ['run', 'list'],
    fault: {
      kind: 'change',
      change: (body) => renamed(body),
    },
  })
  await connect(studio)
  const name = encodeURIComponent(`${turned}${markup}`)
  await paste(
    page,
    [1, 2, 3].map((n) => `${service.origin}/shoot/${name}-${n}.jpg`),
  )
  const calm = async () => {
    expect(await page.evaluate('globalThis.struck')).toBeUndefined()
    expect(await page.locator('img[src="x"]').count()).toBe(0)
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    expect(await page.evaluate(overflow)).toEqual([])
  }
  await calm()
  await start(page)
  await standing(page, /^Finished$/).waitFor()
  await images(page, /Failed|could not|error|reachable|Service/i)
    .first()
    .click()
  await page.getByRole('tab', { name: 'Details' }).click()
  await page.getByRole('region', { name: 'What happened' }).locator('pre').waitFor()
  await calm()
  const tiles = await images(page).evaluateAll((all) =>
    all.map(
      (one) =>
        (one as unknown as { getBoundingClientRect(): { height: number } }).getBoundingClientRect().height,
    ),
  )
  expect(new Set(tiles.map((height) => Math.round(height))).size).toBe(1)

  await page.getByRole('link', { name: 'History' }).click()
  const rows = page.getByRole('grid', { name: 'Runs' }).getByRole('row')
  await eventually(async () => expect(await rows.count()).toBe(4))
  await rows.nth(1).getByRole('button').click()
  await page.getByRole('complementary', { name: 'Run' }).waitFor()
  await calm()
  // The generated form of an app that nobody knows.
  await page.getByRole('link', { name: /^Presets/ }).click()
  await page.getByRole('button', { name: /^More/ }).first().waitFor()
  await calm()
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox').waitFor()
  await calm()
  // Files are called by names that are safe.
  for (const path of studio.files('Pictures')) expect(path).not.toMatch(/[\u202A-\u202E\u2066-\u2069<>"]/)
  expectQuiet(studio)
})

/** Gives every output a label, and every run an app title, that is trouble. */
function renamed(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body), (name, value: unknown) => {
    if (name === 'label') return `${markup}${turned}${long}`
    return name === 'app_title' ? `${markup}${long}` : value
  })
}
