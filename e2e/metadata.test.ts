import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { connect, openPreferences, paste, start, startButton, untilFinished } from './person.ts'
import { expectQuiet, openStudio } from './studio.ts'

const shots = process.env['METADATA_SHOTS']

test('what is chosen in Settings stands in the sheet of a batch, and in its files', async (t) => {
  const picture = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#b08d57' } })
    .withExif({ IFD0: { Copyright: 'Studio Gold' } })
    .jpeg()
    .toBuffer()
  const host = createServer((_, response) => response.end(picture)).listen(0, '127.0.0.1')
  await once(host, 'listening')
  t.onTestFinished(() => {
    host.closeAllConnections()
    host.close()
  })
  const studio = await openStudio(t, { practice: { imageWork: 'echo' } })
  const { page } = studio
  await connect(studio)
  await openPreferences(page, /^Output/)
  const output = page.getByLabel('Output folder')
  await output.fill(join(studio.home, 'Retouched'))
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: /Written into the files/ }).click()
  await page.getByRole('option', { name: 'what the source says, settings and run' }).click()
  if (shots) await page.screenshot({ path: join(shots, 'settings.png') })
  const { violations } = await new AxeBuilder({ page }).include('main').analyze()
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([])

  await paste(page, [`http://127.0.0.1:${(host.address() as AddressInfo).port}/ring.jpg`])
  const chosen = page
    .getByRole('dialog')
    .getByRole('button', { name: 'what the source says, settings and run' })
  await chosen.waitFor()
  await startButton(page).waitFor()
  if (shots) await page.screenshot({ path: join(shots, 'sheet.png') })
  await start(page)
  await untilFinished(page)
  const [folder] = readdirSync(join(studio.home, 'Retouched'))
  const [file] = readdirSync(join(studio.home, 'Retouched', folder!)).filter((name) =>
    name.startsWith('ring'),
  )
  const { exif, xmp } = await sharp(join(studio.home, 'Retouched', folder!, file!)).metadata()
  expect(exif?.toString('latin1')).toContain('Studio Gold')
  expect(xmp?.toString('utf8')).toContain('urn:vitrine:run:')
  expectQuiet(studio)
})
