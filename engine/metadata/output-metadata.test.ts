import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { MetadataChoice } from '../../shared/metadata.ts'
import { systemClock } from '../clock.ts'
import { createDelivery } from '../delivery/create-delivery.ts'
import { nodeFiles } from '../delivery/node-files.ts'
import { createDownloads } from '../service/undici-downloads.ts'
import type { Batch, Image } from '../store/rows.ts'
import { createExifTool } from './exiftool-task.ts'
import { openMetadataTool, type MetadataTool } from './exiftool.ts'
import { createOutputMetadata, type ImageFacts } from './output-metadata.ts'

const reader = createExifTool()
const tool = openMetadataTool()
const pages = new Map<string, Buffer>()
const asked: string[] = []
const server = createServer((request, response) => {
  asked.push(request.url!)
  const body = pages.get(request.url!)
  response.writeHead(body ? 200 : 404, { 'content-length': body?.length ?? 0 }).end(body)
})
let host = ''
let folder = ''
let outDir = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await Promise.all([reader.end(), tool.close()])
  await new Promise((resolve) => server.close(resolve))
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-metadata-'))
  outDir = join(folder, 'out')
  await mkdir(outDir)
  asked.length = 0
  pages.clear()
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
})

/** Pixels that are no plane colour, so that a change of any would show. */
function pixels(width: number, height: number) {
  const hash = (n: number) => createHash('sha256').update(`${n}`).digest().subarray(0, 30)
  const noise = Buffer.concat(Array.from({ length: (width * height * 3) / 30 }, (_, n) => hash(n)))
  return sharp(noise, { raw: { width, height, channels: 3 } })
}

async function write(path: string, args: readonly string[]) {
  const { runWrite } = await import('./exiftool-task.ts')
  await runWrite(reader, ['-overwrite_original', '-charset', 'iptc=utf8', ...args, path])
}

/** A camera's picture with everything that a photographer cares about, and what belongs to its own pixels. */
async function cameraPicture(orientation = 1): Promise<Buffer> {
  const path = join(folder, 'camera.jpg')
  await pixels(60, 40).withIccProfile('p3').jpeg().toFile(path)
  const thumbnail = join(folder, 'thumbnail.jpg')
  await pixels(30, 20).jpeg().toFile(thumbnail)
  await write(path, [
    '-EXIF:Make=Phase One',
    '-EXIF:Model=IQ4',
    '-EXIF:LensModel=Makro 120',
    '-EXIF:DateTimeOriginal=2026:03:04 05:06:07',
    '-EXIF:ExposureTime=1/125',
    '-EXIF:FNumber=11',
    '-EXIF:ISO=50',
    '-EXIF:Artist=Jürgen Größe',
    '-EXIF:Copyright=© Jürgen',
    '-GPS:GPSLatitude=48.1',
    '-GPS:GPSLatitudeRef=N',
    `-IFD0:Orientation#=${orientation}`,
    `-XMP-tiff:Orientation#=${orientation}`,
    '-EXIF:ExifImageWidth=60',
    '-EXIF:ColorSpace=1',
    `-EXIF:ThumbnailImage<=${thumbnail}`,
    '-IPTC:CodedCharacterSet=UTF8',
    '-IPTC:Headline=指輪 “Ring”',
    '-IPTC:Keywords=gold',
    '-IPTC:Keywords=ring',
    '-IPTC:Caption-Abstract=Only in IPTC',
    '-XMP-dc:Rights=© in XMP',
    '-XMP-dc:Subject=xmp one',
    '-XMP-photoshop:City=Pforzheim',
    '-XMP-xmpMM:InstanceID=xmp.iid:of-the-source',
    '-XMP-crs:Exposure2012=+1.5',
    '-XMP-xmpMM:History={Action=created,SoftwareAgent=Camera}',
  ])
  return await readFile(path)
}

async function readTags(path: string): Promise<Record<string, unknown>> {
  return (await reader.readRaw(path, { readArgs: ['-G1', '-struct', '-all:all'] })) as Record<string, unknown>
}

const facts: ImageFacts = {
  runId: 'run-1',
  appId: 'rescue',
  preset: 'Catalogue white',
  settings: { bg_mode: 'solid' },
  accepted: Date.parse('2026-05-06T07:08:09Z'),
}

function imageOf(source: string): Image {
  return { id: 1, source, title: 'ring' } as Image
}

let workplaces = 0
function workplace(using: MetadataTool = tool) {
  const downloads = createDownloads({ baseUrl: `${host}/api/v1` })
  const delivery = createDelivery({ downloads, clock: systemClock })
  const said: string[] = []
  const scratch = join(folder, `scratch-${(workplaces += 1)}`)
  const metadata = createOutputMetadata({
    tool: { ...using, close: async () => {} },
    delivery,
    downloads,
    files: nodeFiles,
    clock: systemClock,
    scratch,
    tell: (message) => said.push(message),
  })
  onTestFinished(async () => {
    await metadata.close()
    await downloads.close()
    // Nothing of the work stays.
    expect(existsSync(scratch) ? await readdir(scratch) : []).toEqual([])
  })
  const batchOf = (choice: MetadataChoice) =>
    ({ seq: 1, id: 'abcde', outDir, metadata: choice, onConflict: 'rename' }) as Batch
  async function carry(choice: MetadataChoice, output: Buffer, source = `${host}/source`) {
    pages.set('/output', output)
    const fetched = await delivery.fetchToPart({ url: `${host}/output`, outDir, folder: '', isVideo: false })
    const work = metadata.begin(batchOf(choice), imageOf(source), facts)
    const signal = new AbortController().signal
    const whole = (await work?.carry(fetched, { output: 'De-Banded', folder: '', signal })) ?? fetched
    await work?.end()
    return { whole, fetched, bytes: await readFile(whole.part) }
  }
  return { metadata, delivery, carry, said, batchOf, scratch }
}

const formats = ['jpeg', 'png', 'webp', 'tiff'] as const

test.each(formats)('%s carries what the source says of itself; pixels and profile stay', async (format) => {
  pages.set('/source', await cameraPicture())
  const output = await pixels(60, 40).withIccProfile('p3').toFormat(format).toBuffer()
  const { carry, said } = workplace()
  const { whole, bytes } = await carry('source', output)
  expect(said).toEqual([])
  const tags = await readTags(whole.part)
  expect(tags).toMatchObject({
    'IFD0:Make': 'Phase One',
    'IFD0:Model': 'IQ4',
    'ExifIFD:LensModel': 'Makro 120',
    'ExifIFD:DateTimeOriginal': '2026:03:04 05:06:07',
    'ExifIFD:ExposureTime': '1/125',
    'ExifIFD:FNumber': 11,
    'ExifIFD:ISO': 50,
    'IFD0:Artist': 'Jürgen Größe',
    'IFD0:Copyright': '© Jürgen',
    'GPS:GPSLatitudeRef': 'North',
    'XMP-dc:Rights': '© in XMP',
    'XMP-dc:Subject': ['xmp one'],
    'XMP-photoshop:City': 'Pforzheim',
    // WebP holds no IPTC: there it is told in XMP.
    ...(format === 'webp'
      ? { 'XMP-photoshop:Headline': '指輪 “Ring”', 'XMP-dc:Description': 'Only in IPTC' }
      : {
          'IPTC:Headline': '指輪 “Ring”',
          'IPTC:Keywords': ['gold', 'ring'],
          'IPTC:CodedCharacterSet': 'UTF8',
        }),
  })
  const keys = Object.keys(tags)
  for (const wrong of [
    'XMP-tiff:Orientation',
    'XMP-crs:Exposure2012',
    'XMP-xmpMM:InstanceID',
    'ExifIFD:ExifImageWidth',
  ])
    expect(keys).not.toContain(wrong)
  expect(keys.filter((key) => key.startsWith('IFD1:'))).toEqual([])
  const raw = async (picture: Buffer) => await sharp(picture).raw().toBuffer()
  expect((await raw(bytes)).equals(await raw(output))).toBe(true)
  const profile = async (picture: Buffer) => (await sharp(picture).metadata()).icc
  expect(await profile(output)).toBeDefined()
  expect(await profile(bytes)).toEqual(await profile(output))
  // What will be recorded is what is there, and nothing else lies in the folder.
  expect(whole.sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
  expect(whole.bytes).toBe(bytes.length)
  expect(await readdir(outDir)).toHaveLength(1)
})

test('the same picture gives the same bytes again, so that a second delivery finds its file', async () => {
  pages.set('/source', await cameraPicture())
  const output = await pixels(60, 40).png().toBuffer()
  const { carry } = workplace()
  const [one, two] = [await carry('source+run', output), await carry('source+run', output)]
  expect(two.whole.sha256).toBe(one.whole.sha256)
})

test.each([
  ['none', false],
  ['sidecar', false],
  ['run', true],
] as const)('with "%s" the source is not asked for, and bytes change: %s', async (choice, changes) => {
  const output = await pixels(60, 40).jpeg().toBuffer()
  const { bytes } = await workplace().carry(choice, output)
  expect(bytes.equals(output)).toBe(!changes)
  expect(asked).toEqual(['/output'])
})

test('all files of an image share one fetch of its source', async () => {
  pages.set('/source', await cameraPicture())
  pages.set('/output', await pixels(60, 40).png().toBuffer())
  const { metadata, delivery, batchOf } = workplace()
  const work = metadata.begin(batchOf('source'), imageOf(`${host}/source`), facts)!
  const { signal } = new AbortController()
  for (const output of ['De-Banded', 'Original']) {
    const fetched = await delivery.fetchToPart({ url: `${host}/output`, outDir, folder: '', isVideo: false })
    const whole = await work.carry(fetched, { output, folder: '', signal })
    expect(await readTags(whole.part)).toMatchObject({ 'IFD0:Make': 'Phase One' })
  }
  await work.end()
  expect(asked.filter((path) => path === '/source')).toHaveLength(1)
})

test('settings and run are added to the history that is there, hostile text and all', async () => {
  pages.set('/source', await cameraPicture())
  const output = await pixels(60, 40).jpeg().toBuffer()
  const hostile =
    'a\n-@\n/etc/passwd\r\n-execute\n<x>&lt;&#10;"\' {a=b,[c]|} %f $Make \u0000 \u2028 \ud83d 指輪'
  const { metadata, delivery, batchOf } = workplace()
  pages.set('/output', output)
  const told = { ...facts, runId: hostile, preset: hostile, settings: { [hostile]: hostile } }
  const work = metadata.begin(batchOf('source+run'), imageOf(`${host}/source`), told)!
  const fetched = await delivery.fetchToPart({ url: `${host}/output`, outDir, folder: '', isVideo: false })
  const { signal } = new AbortController()
  const whole = await work.carry(fetched, { output: hostile, folder: '', signal })
  await work.end()
  const history = (await readTags(whole.part))['XMP-xmpMM:History'] as Record<string, string>[]
  expect(history.map(({ SoftwareAgent }) => SoftwareAgent)).toEqual(['Camera', 'Vitrine'])
  const {
    run,
    app,
    preset,
    output: label,
    settings,
  } = JSON.parse(history[1]!['Parameters']!) as typeof told & {
    run: string
    app: string
    output: string
  }
  expect({ run, app, preset, label, settings }).toEqual({
    run: hostile,
    app: 'rescue',
    preset: hostile,
    label: hostile,
    settings: { [hostile]: hostile },
  })
  expect(history[1]).toMatchObject({ Action: 'produced', When: '2026:05:06 07:08:09.000Z' })
})

test.each([
  ['turned by the service', [40, 60], undefined],
  ['left as stored', [60, 40], 6],
] as const)('a source on its side, its output %s', async (_, [width, height], orientation) => {
  pages.set('/source', await cameraPicture(6))
  const { bytes } = await workplace().carry('source', await pixels(width, height).jpeg().toBuffer())
  expect((await sharp(bytes).metadata()).orientation).toBe(orientation)
})

test('an orientation of its own stays', async () => {
  pages.set('/source', await cameraPicture(6))
  const output = await pixels(60, 40).withMetadata({ orientation: 8 }).jpeg().toBuffer()
  const { bytes } = await workplace().carry('source', output)
  expect((await sharp(bytes).metadata()).orientation).toBe(8)
})

test('a source that is gone, no picture, or damaged costs the metadata and nothing else', async () => {
  const output = await pixels(60, 40).jpeg().toBuffer()
  const { carry, said } = workplace()
  const gone = await carry('source', output, `${host}/gone`)
  expect(gone.bytes.equals(output)).toBe(true)
  expect(said).toEqual([
    "ring: its source could not be read for its metadata: The picture's address answers with status 404. It is delivered without.",
  ])
  pages.set('/page', Buffer.from('<!doctype html><title>Sign in</title>'))
  expect((await carry('source', output, `${host}/page`)).bytes.equals(output)).toBe(true)
  expect(said.at(-1)).toContain('does not bring a picture')
  pages.set('/broken', (await cameraPicture()).subarray(0, 700))
  expect((await sharp((await carry('source', output, `${host}/broken`)).bytes).metadata()).width).toBe(60)
  // A run's facts are written all the same.
  const run = await carry('source+run', output, `${host}/gone`)
  expect(await readTags(run.whole.part)).toHaveProperty('XMP-xmpMM:History')
  // Of one batch a few pictures are named, then the rest at once.
  await carry('source', output, `${host}/gone`)
  await carry('source', output, `${host}/gone`)
  expect(said).toHaveLength(4)
  expect(said.at(-1)).toContain('More pictures of batch abcde')
})

test('without Perl the choice says so, and pictures are delivered as they came', async () => {
  const without = openMetadataTool({ platform: 'linux', path: '', perl: join(folder, 'no-perl') })
  expect(await without.trouble()).toMatch(
    /^Metadata cannot be written on this computer: it needs Perl.*meanwhile\.$/,
  )
  const output = await pixels(60, 40).jpeg().toBuffer()
  const { carry, said } = workplace(without)
  expect((await carry('source+run', output)).bytes.equals(output)).toBe(true)
  expect(said).toEqual([expect.stringMatching(/^ring: it is delivered without its metadata\..*install Perl/)])
  expect(asked).toEqual(['/output'])
})

test('exiftool killed while it writes leaves the picture as it came', async () => {
  pages.set('/source', await cameraPicture())
  const output = await pixels(60, 40).jpeg().toBuffer()
  const own = createExifTool()
  onTestFinished(() => own.end())
  const killing: MetadataTool = {
    trouble: async () => undefined,
    async write(order) {
      const { runWrite } = await import('./exiftool-task.ts')
      const { writeArguments } = await import('./copy-rules.ts')
      // Half a picture stands where the tool was at work.
      await writeFile(order.picture, output.subarray(0, 900))
      await own.version()
      const writing = runWrite(own, writeArguments(order))
      process.kill(own.pids[0]!, 'SIGKILL')
      return await writing
    },
    close: async () => {},
  }
  const { carry, said } = workplace(killing)
  expect((await carry('source', output)).bytes.equals(output)).toBe(true)
  expect(said).toEqual(['ring: its metadata could not be written; it is delivered without.'])
  expect(await readdir(outDir)).toHaveLength(1)
})

test('a tool that spoils pixels or profile is not believed', async () => {
  pages.set('/source', await cameraPicture())
  const output = await pixels(60, 40).withIccProfile('p3').jpeg().toBuffer()
  const spoilt = [output.subarray(0, output.length - 200), await pixels(60, 40).jpeg().toBuffer()]
  for (const wrong of spoilt) {
    const spoiling: MetadataTool = {
      trouble: async () => undefined,
      write: async ({ picture }) => {
        await writeFile(picture, wrong)
        return 'changed'
      },
      close: async () => {},
    }
    const { carry, said } = workplace(spoiling)
    expect((await carry('source', output)).bytes.equals(output)).toBe(true)
    expect(said).toHaveLength(1)
  }
})

test('a sidecar stands beside its picture; a file of that name that is another stays', async () => {
  const { metadata, batchOf, said } = workplace()
  const about = { ...facts, output: 'Result', relative: 'ring.png' }
  await metadata.placeSidecar(batchOf('sidecar'), imageOf('x'), about)
  await metadata.placeSidecar(batchOf('sidecar'), imageOf('x'), about)
  expect(await readdir(outDir)).toEqual(['ring.png.xmp'])
  const tags = await readTags(join(outDir, 'ring.png.xmp'))
  expect(tags['XMP-xmpMM:History']).toMatchObject([
    { SoftwareAgent: 'Vitrine', InstanceID: 'urn:vitrine:run:run-1' },
  ])
  expect(said).toEqual([])
  await writeFile(join(outDir, 'ring.png.xmp'), 'edited by a person')
  await metadata.placeSidecar(batchOf('sidecar'), imageOf('x'), about)
  expect(await readFile(join(outDir, 'ring.png.xmp'), 'utf8')).toBe('edited by a person')
  expect(said).toEqual(['ring: another file stands at ring.png.xmp, so no sidecar was written.'])
  await metadata.placeSidecar(batchOf('source'), imageOf('x'), { ...about, relative: 'other.png' })
  expect(await readdir(outDir)).toEqual(['ring.png.xmp'])
})

test('what a killed program left of its work is cleared away; that of one at work is not', async () => {
  pages.set('/source', await cameraPicture())
  const { carry, scratch } = workplace()
  const [dead, alive] = [join(scratch, '2147480000-abc'), join(scratch, `${process.ppid}-abc`)]
  await mkdir(join(dead, 'image-1'), { recursive: true })
  await mkdir(alive, { recursive: true })
  await carry('source', await pixels(60, 40).png().toBuffer())
  expect(existsSync(dead)).toBe(false)
  expect(existsSync(alive)).toBe(true)
  await rm(alive, { recursive: true })
})
