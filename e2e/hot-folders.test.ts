/// <reference lib="dom" />
import { AxeBuilder } from '@axe-core/playwright'
import { expect, test } from 'vitest'
import { useStage } from './stage.ts'

const openAt = useStage()

async function openStage() {
  const page = await openAt('#/batch/lookbook')
  await page.getByRole('button', { name: 'Studio A · tethered' }).waitFor()
  return page
}

test('hot folders stand in the sidebar with what they did today, and open with all they were set up with', async () => {
  const page = await openStage()
  const studio = page.getByRole('button', { name: 'Studio A · tethered' })
  expect(await studio.textContent()).toBe('Studio A · tethered3 today')
  expect(await page.getByRole('button', { name: 'Dropbox / inbox' }).textContent()).toBe(
    'Dropbox / inboxPaused',
  )
  await studio.click()
  const sheet = page.getByRole('dialog')
  await sheet.getByText('Today: 3 images · 18 credits charged').waitFor()
  expect(await sheet.getByLabel('Folder to watch').inputValue()).toBe('/Users/mara/Shoots/Studio A')
  expect(await sheet.getByLabel('Budget a day').inputValue()).toBe('120')
  const { violations } = await new AxeBuilder({ page }).include('[role=dialog]').analyze()
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([])
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await page.context().close()
})

test('a folder to watch is asked for by name, and what is missing is said', async () => {
  const page = await openStage()
  await page.getByRole('button', { name: 'Watch a folder' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: 'Watch folder' }).click()
  await sheet.getByText('Type the folder to watch, or choose it.').waitFor()
  await sheet.getByText('Type a folder for the results, or choose it.').waitFor()
  await sheet.getByLabel('Budget a day').fill('1.5')
  await sheet.getByText('Type a whole number of credits, or nothing.').waitFor()
  await page.context().close()
})
