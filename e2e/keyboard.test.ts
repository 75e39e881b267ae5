import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { addresses, images, standing, untilFinished } from './person.ts'
import { eventually, expectQuiet, key, openStudio } from './studio.ts'

/** What has the focus, as it is read: its label, or its words. */
function focused(page: Page): Promise<string> {
  return page.evaluate(`(() => {
    const at = document.activeElement
    const label = at?.getAttribute('aria-label') ?? [...(at?.labels ?? [])].map((one) => one.textContent).join(' ')
    return at === document.body ? '' : label || at?.textContent || at?.tagName || ''
  })()`)
}

/** Presses Tab until something of that name has the focus. */
async function tabTo(page: Page, name: RegExp) {
  const passed: string[] = []
  for (let presses = 0; presses < 60; presses += 1) {
    const now = await focused(page)
    if (name.test(now)) return
    passed.push(now.slice(0, 40))
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not come to ${String(name)}, but to: ${passed.join(' | ')}`)
}

test('from the first run to a finished batch without a pointer', async (test) => {
  const studio = await openStudio(test)
  const { page, service } = studio
  await page.getByText('Where should the retouching happen?').waitFor()
  await tabTo(page, /^Practice service/)
  await page.keyboard.press('ArrowDown')
  await tabTo(page, /^Address/)
  await page.keyboard.type(service.url)
  await tabTo(page, /^API key/)
  await page.keyboard.type(key)
  await page.keyboard.press('Enter')
  await page.getByText(/500 credits/).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('Drop a shoot here').waitFor()

  await tabTo(page, /^Paste URLs/)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.insertText(addresses(studio, 4).join('\n'))
  await tabTo(page, /^Look through/)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: /^4 images found/ }).waitFor()
  // The button that spends has the focus once there is something to send, with the price beside it.
  await eventually(async () => expect(await focused(page)).toMatch(/^Start/))
  await page.keyboard.press('ControlOrMeta+Enter')
  await untilFinished(page)
  expect(service.books().runs).toHaveLength(4)

  // F6 goes round the regions and comes back.
  await page.keyboard.press('F6')
  const first = await region(page)
  const seen = [first]
  for (let n = 0; n < 12; n += 1) {
    await page.keyboard.press('F6')
    const now = await region(page)
    if (now === first) break
    seen.push(now)
  }
  expect(new Set(seen).size).toBe(seen.length)
  expect(seen).toEqual(
    expect.arrayContaining(['sidebar', 'header', 'filters', 'pictures', 'status', 'inspector']),
  )
  for (let n = 0; n < 12 && (await region(page)) !== 'pictures'; n += 1) await page.keyboard.press('F6')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Shift+ArrowRight')
  await page.getByText('2 selected').waitFor()
  // By its name: what a tile shows beside it changes when its picture arrives.
  const place = (await focused(page)).split(',')[0]

  // Sheets take the focus and give it back to where it was.
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor()
  const isInside = "document.querySelector('[role=dialog]').contains(document.activeElement)"
  expect(await page.evaluate(isInside)).toBe(true)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await eventually(async () => expect((await focused(page)).split(',')[0]).toBe(place))

  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox').waitFor()
  await page.keyboard.type('history')
  await page.keyboard.press('Enter')
  await page.getByText('4 runs').waitFor()
  expectQuiet(studio)
})

test('no key alone spends, and what spends says its price first', async (test) => {
  const studio = await openStudio(test)
  const { page, service } = studio
  await page.getByText('Where should the retouching happen?').waitFor()
  await page.getByRole('radio', { name: /Connect your account/ }).check()
  await page.getByLabel('Address').fill(service.url)
  await page.getByLabel('API key').fill(key)
  await page.keyboard.press('Enter')
  await page.getByText(/500 credits/).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('Drop a shoot here').waitFor()
  await page.getByRole('button', { name: /Paste URLs/ }).click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.insertText(addresses(studio, 2).join('\n'))
  await page.getByRole('button', { name: 'Look through' }).click()
  await page.getByRole('button', { name: 'Add without starting' }).click()
  await standing(page, /^Ready$/).waitFor()
  await images(page).first().click()
  for (const one of 'abcdefghijklmnopqrstuvwxyz1234567890+-') {
    if (['c', 'g', '?'].includes(one)) continue
    await page.keyboard.press(one)
    if (await page.getByRole('dialog').count()) await page.keyboard.press('Escape')
  }
  await standing(page, /^Ready$/).waitFor()
  expect(service.books().requests.submit.count).toBe(0)
})

function region(page: Page): Promise<string | null> {
  return page.evaluate(
    "document.activeElement?.closest('[data-region]')?.getAttribute('data-region') ?? null",
  )
}
