import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DeliveryError } from './delivery-error.ts'
import { nodeFiles } from './node-files.ts'
import { sniff } from './sniff.ts'
import { verifyFile } from './verify.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-verify-'))
})
afterAll(() => rm(folder, { recursive: true }))

let n = 0
async function verify(bytes: Uint8Array) {
  n += 1
  const path = join(folder, String(n))
  await writeFile(path, bytes)
  return await verifyFile(nodeFiles, path, bytes.length)
}

async function refusal(bytes: Uint8Array): Promise<DeliveryError> {
  const error: unknown = await verify(bytes).then(
    (verified) => verified,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof DeliveryError)) throw new Error(`accepted: ${JSON.stringify(error)}`)
  return error
}

/** A picture whose bytes do not compress away, so that a cut anywhere hurts. */
function noise(width = 160, height = 120) {
  const raw = { width, height, channels: 3 as const }
  return sharp(Buffer.from(Array.from({ length: width * height * 3 }, (_, i) => (i * 7919) % 251)), { raw })
}

const formats = {
  jpg: () => noise().jpeg().toBuffer(),
  'jpg, progressive': () => noise().jpeg({ progressive: true }).toBuffer(),
  png: () => noise().png().toBuffer(),
  'png, interlaced': () => noise().png({ progressive: true }).toBuffer(),
  webp: () => noise().webp().toBuffer(),
  tif: () => noise().tiff({ compression: 'lzw' }).toBuffer(),
  gif: () => noise().gif().toBuffer(),
  avif: () => noise(64, 64).avif({ effort: 0 }).toBuffer(),
}

test.each(Object.entries(formats))('%s is known by its bytes and decoded', async (name, make) => {
  const verified = await verify(await make())
  expect(verified).toMatchObject({ extension: name.split(',')[0], width: expect.any(Number) as number })
})

test.each(Object.entries(formats))('%s that is cut short is refused', async (_, make) => {
  const bytes = await make()
  for (const end of [0.3, 0.6, 0.9].map((part) => Math.floor(bytes.length * part)).concat(bytes.length - 2)) {
    const error = await refusal(bytes.subarray(0, end))
    expect(['not-an-image', 'truncated']).toContain(error.kind)
  }
})

test.each([
  ['<!DOCTYPE html><title>Sign in</title>', 'web page'],
  ['<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>', 'XML'],
  ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'XML'],
  ['{"error":"expired"}', 'JSON'],
  ['MZ\u0090\u0000', 'unknown'],
  ['%PDF-1.7', 'unknown'],
  ['', 'empty'],
])('%j is no picture, and the sentence says what it is', async (text, word) => {
  const error = await refusal(Buffer.from(text, 'latin1'))
  expect(error).toMatchObject({ kind: 'not-an-image' })
  expect(error.message).toContain(word)
})

test('a picture of more pixels than anybody needs is refused before it is decoded', async () => {
  const png = await sharp({ create: { width: 13_000, height: 12_000, channels: 3, background: 'white' } })
    .png()
    .toBuffer()
  const error = await refusal(png)
  expect(error.message).toContain('156 megapixels')
})

test('a picture of fifty megapixels is taken', async () => {
  const jpg = await sharp({ create: { width: 8700, height: 5800, channels: 3, background: 'white' } })
    .jpeg()
    .toBuffer()
  expect(await verify(jpg)).toMatchObject({ extension: 'jpg', width: 8700, height: 5800 })
})

function box(type: string, body: Buffer, declared = body.length + 8): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(declared, 0)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, body])
}
const brand = (name: string) => box('ftyp', Buffer.from(`${name}\0\0\0\0${name}`))
const movie = (name: string) =>
  Buffer.concat([brand(name), box('moov', Buffer.alloc(20)), box('mdat', Buffer.alloc(500))])

test('videos are taken when their boxes are complete', async () => {
  expect(await verify(movie('isom'))).toEqual({ extension: 'mp4' })
  expect(await verify(movie('qt  '))).toEqual({ extension: 'mov' })
  const openEnd = Buffer.concat([
    brand('mp42'),
    box('moov', Buffer.alloc(9)),
    box('mdat', Buffer.alloc(99), 0),
  ])
  expect(await verify(openEnd)).toEqual({ extension: 'mp4' })
  for (const cutOff of [movie('isom').subarray(0, -1), movie('isom').subarray(0, 60), brand('isom')]) {
    expect((await refusal(cutOff)).kind).toBe('truncated')
  }
  expect((await refusal(box('ftyp', Buffer.from('isom0000'), 4))).kind).toBe('truncated')
})

test('webm is taken when its segment fits', async () => {
  const header = Buffer.from('1a45dfa38442868101', 'hex')
  const segment = (size: string, bytes: number) =>
    Buffer.concat([header, Buffer.from(`18538067${size}`, 'hex'), Buffer.alloc(bytes)])
  expect(await verify(segment('8a', 10))).toEqual({ extension: 'webm' })
  expect(await verify(segment('01ffffffffffffff', 10))).toEqual({ extension: 'webm' })
  expect((await refusal(segment('8b', 10))).kind).toBe('truncated')
  expect((await refusal(header)).kind).toBe('truncated')
})

test('the first bytes alone decide the extension', () => {
  expect(sniff(Buffer.from('RIFF0000AVI '))).toBeUndefined()
  expect(sniff(Buffer.from('\0\0\0\u0018ftypmif1\0\0\0\0mif1avif', 'latin1'))).toEqual({
    kind: 'image',
    extension: 'avif',
  })
  expect(sniff(Buffer.from('\0\0\0\u0018ftypheic\0\0\0\0mif1heic', 'latin1'))).toBeUndefined()
  expect(sniff(new Uint8Array())).toBeUndefined()
})
