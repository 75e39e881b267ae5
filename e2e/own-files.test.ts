import { once } from 'node:events'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import S3rver from 's3rver'
import sharp from 'sharp'
import { expect, test, type TestContext } from 'vitest'
import { connect, drop, images, paste, start, startButton, untilFinished } from './person.ts'
import { eventually, expectQuiet, openStudio, type Studio } from './studio.ts'

/** A storage on this computer, with a bucket; returns its address and what is in the bucket. */
async function openBucket({ onTestFinished }: TestContext, { home }: Studio) {
  const directory = join(home, 'storage')
  const s3 = new S3rver({ directory, silent: true, configureBuckets: [{ name: 'shoots', configs: [] }] })
  await s3.configureBuckets()
  const server = createServer(s3.callback()).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects: () =>
      readdirSync(join(directory, 'shoots'), { recursive: true })
        .map(String)
        .filter((name) => name.endsWith('_object')),
  }
}

/** A folder with two pictures and a RAW file. */
async function writeShoot(studio: Studio): Promise<string> {
  const shoot = join(studio.home, 'Shoot')
  mkdirSync(join(shoot, 'rings'), { recursive: true })
  for (const [name, red] of [
    ['rings/gold.png', 190],
    ['rings/rose.png', 210],
  ] as const) {
    const create = { width: 200, height: 150, channels: 3, background: { r: red, g: 150, b: 90 } } as const
    writeFileSync(join(shoot, name), await sharp({ create }).png().toBuffer())
  }
  writeFileSync(join(shoot, 'rings', 'gold.NEF'), 'raw')
  return shoot
}

test('a storage is set up, a folder of own pictures is dropped, uploaded, retouched, and the storage is empty again', async (test) => {
  const studio = await openStudio(test, { practice: { imageWork: 'real', processing: 0.2 } })
  const { page, service } = studio
  const bucket = await openBucket(test, studio)
  await connect(studio)
  const shoot = await writeShoot(studio)
  // Who drops pictures first is led to where own files are set up.
  await drop(page, shoot)
  await page.getByRole('button', { name: 'Set up own files' }).click()
  await page.getByText('Nothing is uploaded.').waitFor()
  await page.getByRole('listitem', { name: 'Storage' }).getByRole('button', { name: 'Set up' }).click()
  const sheet = page.getByRole('dialog')
  const take = sheet.getByRole('button', { name: 'Check and set up' })
  await sheet.getByLabel('Endpoint').fill(bucket.endpoint)
  await sheet.getByLabel('Bucket', { exact: true }).fill('none-such')
  expect(await take.isDisabled()).toBe(true)
  await sheet.getByLabel('Access key').fill('S3RVER')
  await sheet.getByLabel('Secret key').fill('a-canary-that-nobody-sees')
  await take.click()
  await sheet.getByText('has no bucket "none-such"; check its name.').waitFor()
  await sheet.getByLabel('Bucket', { exact: true }).fill('shoots')
  const { violations } = await new AxeBuilder({ page }).include('[role=dialog]').analyze()
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([])
  await take.click()
  await sheet.waitFor({ state: 'detached' })
  const card = page.getByRole('listitem', { name: 'Storage' })
  await card.getByText('Its keys are known, and not shown again.').waitFor()
  await card.getByRole('button', { name: 'Check', exact: true }).click()
  await card.getByText(/^The storage works: an object was written/).waitFor()
  expect(await page.content()).not.toContain('canary')

  await drop(page, shoot)
  await page.getByRole('heading', { name: '2 images found in 1 folder' }).waitFor()
  await page.getByText('2 pictures of this computer').waitFor()
  await page.getByText(/are uploaded to your storage/).waitFor()
  await page.getByText(/gold\.NEF is a RAW file/).waitFor()
  await startButton(page).click()
  await untilFinished(page)
  expect(service.books().runs.map(({ status }) => status)).toEqual(['SUCCESS', 'SUCCESS'])
  await eventually(async () => expect(bucket.objects()).toEqual([]))
  expectQuiet(studio)
})

/** From the page of own files. */
async function setUpStorage({ page }: Studio, endpoint: string) {
  await page.getByRole('listitem', { name: 'Storage' }).getByRole('button', { name: 'Set up' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel('Endpoint').fill(endpoint)
  await sheet.getByLabel('Bucket', { exact: true }).fill('shoots')
  await sheet.getByLabel('Access key').fill('S3RVER')
  await sheet.getByLabel('Secret key').fill('a-canary-that-nobody-sees')
  await sheet.getByRole('button', { name: 'Check and set up' }).click()
  await sheet.waitFor({ state: 'detached' })
}

test('a link that nobody can reach: a picture of this computer is picked in its place, and comes under its name', async (test) => {
  const studio = await openStudio(test, { practice: { imageWork: 'real', processing: 0.2 } })
  const { page, service, home } = studio
  const bucket = await openBucket(test, studio)
  await connect(studio)
  const shoot = await writeShoot(studio)
  await paste(page, [`${service.origin}/elsewhere/gone.jpg`])
  await start(page)
  await untilFinished(page)
  const failed = images(page, /Link not reachable/)
  await failed.click()
  await page.getByRole('tab', { name: 'Details' }).click()
  const happened = page.getByRole('region', { name: 'What happened' })
  const pick = happened.getByRole('button', { name: 'Pick file' })
  // Whoever has not set up own files is led there.
  await pick.click()
  await page.getByText(/then pick the file again\.$/).waitFor()
  await setUpStorage(studio, bucket.endpoint)
  await page.goBack()
  await failed.click()

  const sheet = page.getByRole('dialog')
  const ask = () => pick.click()
  await studio.chooseFile(join(shoot, 'rings', 'gold.NEF'), ask)
  await sheet.getByText(/^gold\.NEF is a RAW file/).waitFor()
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  // Also from the menu of the picture.
  await failed.click({ button: 'right' })
  const item = page.getByRole('menuitem', { name: 'Pick file…' })
  await studio.chooseFile(join(shoot, 'rings', 'gold.png'), () => item.click())
  await sheet.getByText('“gold.png” takes the place of its picture.').waitFor()
  await sheet.getByText(/^1 image is sent again\./).waitFor()
  const { violations } = await new AxeBuilder({ page }).include('[role=dialog]').analyze()
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([])
  const before = service.books().runs.length
  await sheet.getByRole('button', { name: /^Retry/ }).click()
  await untilFinished(page)
  await eventually(async () => expect(await images(page, /Done/).count()).toBe(1))
  expect(service.books().runs).toHaveLength(before + 1)
  const facts = page.getByRole('region', { name: 'Facts' })
  await facts.getByText(/elsewhere\/gone\.jpg$/).waitFor()
  await facts.getByText(/gold\.png$/).waitFor()
  const files = readdirSync(home, { recursive: true }).map(String)
  expect(files.filter((name) => /(^|[\\/])gone\.(png|jpg)$/.test(name))).toHaveLength(1)
  await eventually(async () => expect(bucket.objects()).toEqual([]))
  expectQuiet(studio)
})
