import { expect, test } from 'vitest'
import {
  addresses,
  connect,
  giveKeyAgain,
  images,
  openPreferences,
  paste,
  standing,
  start,
  untilFinished,
} from './person.ts'
import { eventually, key, openStudio } from './studio.ts'

test('paused, killed, started again, resumed: every picture once', async (test) => {
  const studio = await openStudio(test, { practice: { concurrency: 2 } })
  const { service } = studio
  let { page } = studio
  await connect(studio)
  // A pause must find pictures that were not sent.
  await openPreferences(page, 'Queue')
  await page.getByLabel('In flight').fill('2')
  await page.keyboard.press('Tab')
  const sources = addresses(studio, 8)
  await paste(page, sources)
  service.control.hold()
  await start(page)
  await eventually(() => expect(service.books().runs.length).toBeGreaterThan(1))
  await page.keyboard.press('ControlOrMeta+.')
  await standing(page, /^(Pausing|Paused)$/).waitFor()
  const sent = service.books().runs.length
  expect(sent).toBeLessThan(8)
  service.control.release()
  await standing(page, /^Paused$/).waitFor()
  expect(service.books().runs).toHaveLength(sent)
  // On again, and in the middle of it the power goes.
  service.control.hold()
  await page.keyboard.press('ControlOrMeta+.')
  await standing(page, /^Running$/).waitFor()
  await studio.kill().then(async ({ context }) => await context.close().catch(() => undefined))
  service.control.release()

  page = await studio.start()
  await giveKeyAgain(studio)
  await page.getByRole('link', { name: /^Batch of/ }).click()
  await standing(page, /^(Running|Finished|Paused|Interrupted)$/).waitFor()
  if (await standing(page, /^(Interrupted|Paused)$/).count()) await page.keyboard.press('ControlOrMeta+.')
  await untilFinished(page)
  expect(await images(page, /Done/).count()).toBe(8)
  expect(studio.charges()).toEqual(Object.fromEntries(sources.map((url) => [url, 1])))
})

test('out of credits: everything waits, and goes on by itself when there are some', async (test) => {
  const accounts = [{ key, name: 'studio', subscriptionCredits: 30, otherCredits: 0 }]
  const studio = await openStudio(test, { practice: { accounts } })
  const { page, service } = studio
  await connect(studio)
  const sources = addresses(studio, 6)
  await paste(page, sources)
  await start(page)
  await standing(page, /^Out of credits$/).waitFor()
  await page.getByText(/^Out of credits\. \d images? (is|are) waiting/).waitFor()
  await page.getByText(/Nothing is lost\./).waitFor()
  expect(await images(page, /Failed/).count()).toBe(0)
  const charged = service.books().runs.length
  expect(charged).toBeLessThan(6)

  service.control.topUp('studio', 200)
  // The queue looks again by itself; a person who knows may ask at once.
  await page.getByRole('button', { name: 'Check balance' }).click()
  await untilFinished(page)
  expect(await images(page, /Done/).count()).toBe(6)
  expect(studio.charges()).toEqual(Object.fromEntries(sources.map((url) => [url, 1])))
})

test('a key that is rejected in the middle is replaced where that is said', async (test) => {
  const studio = await openStudio(test, { practice: { concurrency: 2 } })
  const { page, service } = studio
  await connect(studio)
  const sources = addresses(studio, 6)
  await paste(page, sources)
  service.control.addFault({
    on: ['submit', 'list', 'run', 'balance'],
    fault: { kind: 'status', status: 401 },
  })
  await start(page)
  await standing(page, /^Key rejected$/).waitFor()
  await page.getByText('The service rejected the key.', { exact: true }).waitFor()
  expect(await images(page, /Failed/).count()).toBe(0)

  service.control.clearFaults()
  await page.getByRole('button', { name: 'Replace key' }).first().click()
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel('API key').fill('not-this-one')
  await page.keyboard.press('Enter')
  await sheet.getByText(/rejected this key \(401\)/).waitFor()
  await sheet.getByLabel('API key').fill(key)
  await page.keyboard.press('Enter')
  await sheet.waitFor({ state: 'detached' })
  await untilFinished(page)
  expect(studio.charges()).toEqual(Object.fromEntries(sources.map((url) => [url, 1])))
})
