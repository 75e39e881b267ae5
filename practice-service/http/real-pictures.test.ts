import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import { afterEach, expect, test } from 'vitest'
import { shootPictures } from '../shoot/pictures.ts'
import { bench } from './testing/client.ts'

const picture = '/shoot/Rings/Solitaire/R1183-front.jpg'

// Image work takes as long as the machine lets it; nothing here depends on when it ends.
const patienceMs = 240_000

const hosts: Server[] = []
afterEach(() => {
  for (const host of hosts.splice(0)) {
    host.close()
    host.closeAllConnections()
  }
})

/** Serves a small copy of a picture of the shoot from another host, and returns its address. */
async function smallPicture(): Promise<string> {
  const { file } = shootPictures().find((each) => each.path === picture)!
  const data = await sharp(file).resize(500).jpeg().toBuffer()
  const host = createServer((_request, response) => response.end(data))
  hosts.push(host)
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(host.address() as AddressInfo).port}/R1183-front.jpg`
}

async function download(url: unknown) {
  const data = Buffer.from(await (await fetch(String(url))).arrayBuffer())
  return sharp(data).metadata()
}

test('pictures are really processed, each as it was asked for', { timeout: patienceMs }, async () => {
  const { service, accepted, record } = await bench({ imageWork: 'real', concurrency: 2 })
  const image = await smallPicture()
  const source = await download(image)
  const [plain, both, cut, studio] = await Promise.all([
    accepted({ parameters: { image } }),
    accepted({ app_id: 'precision', parameters: { image, debanding: true } }),
    accepted({ parameters: { image, bg_mode: 'transparent' } }),
    accepted({ app_id: 'studio-background', parameters: { image, style: 'linen' } }),
  ])
  await service.control.idle()

  const one = await record(plain)
  expect(one).toMatchObject({ status: 'SUCCESS', credits_charged: 2 })
  expect(one).not.toHaveProperty('extra_outputs')
  expect(await download(one['output_url'])).toMatchObject({
    format: 'jpeg',
    width: source.width,
    height: source.height,
  })

  const two = await record(both)
  expect(two).toMatchObject({ status: 'SUCCESS', credits_charged: 4, primary_label: 'De-Banded' })
  const [original] = two['extra_outputs'] as Record<string, string>[]
  expect(original).toMatchObject({ label: 'Original', slug: 'original' })
  for (const url of [two['output_url'], original?.['url']]) {
    expect(await download(url)).toMatchObject({ width: source.width, height: source.height })
  }

  expect(await download((await record(cut))['output_url'])).toMatchObject({ format: 'png', hasAlpha: true })
  expect(await record(studio)).toMatchObject({ status: 'SUCCESS', credits_charged: 2 })
})

test('a source that cannot be had fails with the reason, and its credits come back', async () => {
  const { service, accepted, record, get } = await bench({ imageWork: 'real' })
  const missing = await accepted({ parameters: { image: `${service.origin}/shoot/none.jpg` } })
  const aPage = await accepted({ parameters: { image: `${service.origin}/shoot/` } })
  const aName = await accepted({ parameters: { image: 'ring.jpg' } })
  await service.control.idle()
  expect(await record(missing)).toMatchObject({
    status: 'FAILED',
    error: `The image URL could not be downloaded: 404 Not Found (${service.origin}/shoot/none.jpg)`,
    credits_charged: 0,
  })
  expect((await record(aPage))['error']).toMatch(/web page/)
  expect((await record(aName))['error']).toMatch(/not a web address/)
  expect((await get('/balance')).body).toMatchObject({ total_credits: 500 })
})

test('a source that breaks off on the way fails in a sentence', async () => {
  const { service, accepted, record } = await bench({
    imageWork: 'real',
    faults: [{ on: 'shoot', fault: { kind: 'truncate-length' } }],
  })
  const runId = await accepted({ parameters: { image: `${service.origin}${picture}` } })
  await service.control.idle()
  expect(await record(runId)).toMatchObject({
    status: 'FAILED',
    error: expect.stringMatching(/the connection/),
  })
})

test('a service that closes does not wait for its pictures', async () => {
  const { service, accepted } = await bench({ imageWork: 'real', concurrency: 4 })
  for (let count = 0; count < 12; count += 1) {
    await accepted({ parameters: { image: `${service.origin}${picture}`, debanding: true } })
  }
  await service.close()
  expect(service.books().runs.filter((run) => run.status === 'SUCCESS').length).toBeLessThan(12)
})
