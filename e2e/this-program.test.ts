/// <reference lib="dom" />
import { AxeBuilder } from '@axe-core/playwright'
import { expect, test } from 'vitest'
import { useStage } from './stage.ts'

const openAt = useStage()

async function openStage(query: string, hash: string) {
  const page = await openAt(`${query}${hash}`)
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
  return page
}

test('an update is told with its notes as plain text, and is fetched and installed when asked for', async () => {
  const page = await openStage('&desktop', '#/preferences/program')
  await page.getByText('Vitrine 1.3.0 is there. It is fetched when nothing is running.').waitFor()
  const notes = page.getByRole('region', { name: 'What is new' })
  expect(await notes.locator('p').innerText()).toBe(
    'Faster previews\nA contact sheet as PDF\n<script>alert(1)</script> "quoted" & more',
  )
  expect(await notes.locator('script').count()).toBe(0)
  const { violations } = await new AxeBuilder({ page }).include('main').analyze()
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([])
  const shots = process.env['VITRINE_SHOTS']
  if (shots) await page.screenshot({ path: `${shots}/program.png` })
  await page.getByRole('radio', { name: 'Beta' }).check({ force: true })
  await page.getByRole('button', { name: 'Fetch now' }).click()
  await page.getByText('Vitrine 1.3.0 is installed when the program ends.').waitFor()
  expect(await page.getByRole('button', { name: 'Quit and install' }).isEnabled()).toBe(true)
  await page.context().close()
})

test('the command line is installed and removed, and the way to it is said', async () => {
  const page = await openStage('&desktop', '#/preferences/program')
  await page.getByText('Not installed.').waitFor()
  await page.getByRole('button', { name: 'Install', exact: true }).click()
  await page.getByText('is not on your PATH: add the line').waitFor()
  if (process.env['VITRINE_SHOTS'])
    await page.screenshot({ path: `${process.env['VITRINE_SHOTS']}/tool.png` })
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByText('Not installed.').waitFor()
  await page.context().close()
})

test('a browser has neither, in the settings and among the commands', async () => {
  const page = await openStage('', '#/preferences/general')
  expect(await page.getByRole('link', { name: 'This program' }).count()).toBe(0)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('command line')
  expect(await page.getByRole('option', { name: 'Install command line tool' }).count()).toBe(0)
  await page.context().close()
  const own = await openStage('&desktop', '#/preferences/general')
  await own.getByRole('link', { name: 'This program' }).waitFor()
  await own.context().close()
})
