import { expect, test } from 'vitest'
import { addresses, connect, images, paste, standing, start, untilFinished } from './person.ts'
import { eventually, expectQuiet, openStudio } from './studio.ts'

test('answers are lost while others use the account: a person decides, seeing the candidates', async (test) => {
  const studio = await openStudio(test, { settleSeconds: 1 })
  const { page, service } = studio
  await connect(studio)
  const sources = addresses(studio, 4)
  await paste(page, sources)
  // The first two answers never come; each time another person sends a picture of the same kind.
  service.control.addFault({
    on: 'submit',
    nth: [1, 2],
    fault: { kind: 'reset-after' },
    when: ({ body }) => {
      const { app_id: app, parameters } = JSON.parse(body) as {
        app_id: string
        parameters: Record<string, unknown>
      }
      service.control.submitAsStranger('studio', app, { ...parameters, image: `${sources[0]}?stranger` })
      return true
    },
  })
  await start(page)
  await page.getByRole('button', { name: 'Decide 2' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByText('Was this picture sent?').waitFor()
  await sheet.getByText('1 of 2').waitFor()
  const decide = sheet.getByRole('button', { name: 'Choose what to do' })
  const title = (await sheet.locator('.review-source dd').first().textContent())?.trim() ?? ''
  const run = service.books().runs.find(({ source }) => source?.endsWith(title))!
  const candidate = sheet.getByRole('radio', { name: new RegExp(run.runId) })
  await candidate.waitFor()
  if (await decide.count()) expect(await decide.isDisabled()).toBe(true)
  await candidate.check()
  await sheet.getByRole('button', { name: /^Use this run, no new charge/ }).click()

  // The second one is sent once more: the price stands on the button, and what may happen beside the choice.
  await eventually(async () =>
    expect(await sheet.locator('.review-source dd').first().textContent()).not.toContain(title),
  )
  const second = (await sheet.locator('.review-source dd').first().textContent())?.trim() ?? ''
  const again = sheet.getByRole('radio', { name: /send it again/i })
  expect(await again.locator('..').textContent()).toMatch(/you pay twice/)
  await again.check()
  await sheet.getByRole('button', { name: /^Send again/ }).click()
  await sheet.waitFor({ state: 'detached' })
  await untilFinished(page)
  expect(await images(page, /Done/).count()).toBe(4)
  // Only what was consented to was sent twice.
  const charges = studio.charges()
  for (const source of sources) expect(charges[source]).toBe(source.endsWith(second) ? 2 : 1)
  expectQuiet(studio)
})

test('a failed picture explains itself and is run again for the price that is shown', async (test) => {
  let isMended = false
  const studio = await openStudio(test, {
    practice: {
      outcome: ({ parameters }) =>
        !isMended && String(parameters['image']).includes('piece-2')
          ? { fail: 'Failed to download the image: the server answered 404' }
          : undefined,
    },
  })
  const { page, service } = studio
  await connect(studio)
  await paste(page, addresses(studio, 3))
  await start(page)
  await standing(page, /^Finished$/).waitFor()
  const failed = images(page, /Link not reachable/)
  await failed.click()
  await page.getByRole('tab', { name: 'Details' }).click()
  const happened = page.getByRole('region', { name: 'What happened' })
  await happened.getByText('The picture’s link is not reachable').waitFor()
  await happened.getByText('Failed to download the image: the server answered 404').waitFor()
  await happened.getByText('This attempt was not charged.').waitFor()

  isMended = true
  await happened.getByRole('button', { name: /^Retry, \d+ cr|^Retry \d+ cr/ }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByText(/^1 image is sent again for \d+ credits\.$/).waitFor()
  const before = service.books().runs.length
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  expect(service.books().runs).toHaveLength(before)
  await page.getByRole('button', { name: /^Retry 1 failed/ }).click()
  await sheet.getByRole('button', { name: /^Retry/ }).click()
  await untilFinished(page)
  await eventually(async () => expect(await images(page, /Done/).count()).toBe(3))
  expect(service.books().runs).toHaveLength(before + 1)
  expectQuiet(studio)
})
