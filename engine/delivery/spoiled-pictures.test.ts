import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { randomInt } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { DeliveryError } from './delivery-error.ts'
import { nodeFiles } from './node-files.ts'
import { verifyFile } from './verify.ts'

/** How many spoiled pictures of each form; `npm run proof` takes more, and `-- --long` tens of thousands in all. */
const each = { whole: 300, long: 6500 }[process.env['PROOF'] ?? ''] ?? 30
const seed = Number(process.env['PROOF_SEED'] ?? randomInt(2 ** 31))
/** Far more than a picture of the forms below needs, and less than a machine has. */
const mostMemory = 1024 * 2 ** 20

const picture = sharp(Buffer.from(Array.from({ length: 96 * 64 * 3 }, (_, i) => (i * 7919) % 251)), {
  raw: { width: 96, height: 64, channels: 3 },
})
const forms = {
  jpg: () => picture.clone().jpeg().toBuffer(),
  'jpg, progressive': () => picture.clone().jpeg({ progressive: true }).toBuffer(),
  png: () => picture.clone().png().toBuffer(),
  'png, interlaced': () => picture.clone().png({ progressive: true }).toBuffer(),
  webp: () => picture.clone().webp().toBuffer(),
  tif: () => picture.clone().tiff({ compression: 'lzw' }).toBuffer(),
  gif: () => picture.clone().gif().toBuffer(),
  avif: () => picture.clone().avif({ effort: 0 }).toBuffer(),
}

/** What becomes of a file, by parts of its length: bytes changed, sizes made huge, a piece left out or doubled. */
const place = fc.oneof(
  { weight: 2, arbitrary: fc.noBias(fc.nat(999)).map((n) => n / 1000) },
  // Where headers are.
  { weight: 3, arbitrary: fc.noBias(fc.nat(999)).map((n) => n / 20_000) },
)
const word = fc.constantFrom(
  '00000000',
  'ffffffff',
  '7fffffff',
  '80000000',
  '0000ffff',
  '00010000',
  'ffffff7f',
)
const spoiling = fc.oneof(
  fc.record({ kind: fc.constant('byte' as const), at: place, value: fc.nat(255) }),
  fc.record({ kind: fc.constant('word' as const), at: place, value: word }),
  fc.record({ kind: fc.constantFrom('cut', 'double', 'drop'), at: place, length: fc.nat(400) }),
)
type Spoiling = typeof spoiling extends fc.Arbitrary<infer T> ? T : never

function spoil(bytes: Buffer, how: Spoiling): Buffer {
  const at = Math.floor(how.at * bytes.length)
  const copy = Buffer.from(bytes)
  switch (how.kind) {
    case 'byte':
      if (copy.length > 0) copy[at] = how.value
      return copy
    case 'word':
      Buffer.from(how.value, 'hex').copy(copy, at)
      return copy
    case 'cut':
      return copy.subarray(0, at)
    case 'double':
      return Buffer.concat([copy.subarray(0, at + how.length), copy.subarray(at)])
    case 'drop':
      return Buffer.concat([copy.subarray(0, at), copy.subarray(at + how.length)])
  }
}

test('pictures that are spoiled anywhere are taken or refused in words, in bounded time and memory', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-spoiled-'))
  context.onTestFinished(() => rm(folder, { recursive: true }))
  const tally = { tried: 0, taken: 0, refused: 0 }
  let memory = 0
  const before = process.memoryUsage().rss
  for (const [form, make] of Object.entries(forms)) {
    const whole = await make()
    const path = join(folder, form.replaceAll(/\W/gu, '-'))
    await fc.assert(
      fc.asyncProperty(fc.array(spoiling, { minLength: 1, maxLength: 3 }), async (spoilings) => {
        const bytes = spoilings.reduce(spoil, whole)
        await writeFile(path, bytes)
        tally.tried += 1
        try {
          const { width, height } = await verifyFile(nodeFiles, path, bytes.length)
          if (width !== undefined) expect(width * height!).toBeGreaterThan(0)
          tally.taken += 1
        } catch (error) {
          if (!(error instanceof DeliveryError)) throw error
          expect(error.message).toMatch(/^[A-Z].*\.$/u)
          tally.refused += 1
        }
        memory = Math.max(memory, process.memoryUsage().rss - before)
      }),
      { numRuns: each, seed },
    )
  }
  const most = `${Math.round(memory / 2 ** 20)} MB more memory`
  process.stdout.write(`proof: spoiled pictures, seed ${seed}: ${JSON.stringify(tally)}, at most ${most}\n`)
  expect(tally.taken).toBeGreaterThan(0)
  expect(tally.refused).toBeGreaterThan(tally.tried / 4)
  expect(memory).toBeLessThan(mostMemory)
})
