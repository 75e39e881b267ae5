import { execFileSync } from 'node:child_process'
import { symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterEach, describe, expect, it } from 'vitest'

import { PROBLEMS_PER_FILE } from './found.ts'
import type { Intake } from './found.ts'
import { gather, sourceOfArgument } from './gather.ts'
import { folderWith } from './intake-fixtures.ts'
import {
  localPicturesSentence,
  moreProblemsSentence,
  nothingFoundSentence,
  problemSentence,
} from './sentences.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

async function fixture(files: Record<string, string | Uint8Array> = {}) {
  const folder = await folderWith(files)
  cleanups.push(folder.remove)
  return folder
}

const path = (at: string) => ({ kind: 'path', path: at }) as const
const urls = (intake: Intake) => intake.images.map((image) => image.url)
const jpeg = Buffer.from('ffd8ffe000104a464946', 'hex')

describe('folders', () => {
  it('keeps the structure, reads in natural order, and passes litter over', async () => {
    const { root } = await fixture({
      'Rings/Bands/list 10.txt': 'https://x.test/10.jpg',
      'Rings/Bands/list 2.txt': 'https://x.test/2.jpg',
      'ear 10/a.url': '[InternetShortcut]\r\nURL=https://x.test/ear10.jpg\r\n',
      'ear 9/a.url': '[InternetShortcut]\r\nURL=https://x.test/ear9.jpg\r\n',
      'top.txt': 'https://x.test/top.jpg',
      'Thumbs.db': 'x',
      'desktop.ini': '[.ShellClassInfo]',
      '.DS_Store': 'x',
      '._top.txt': 'x',
      '~$list.xlsx': 'x',
      '.hidden/list.txt': 'https://x.test/hidden.jpg',
      '__MACOSX/list.txt': 'https://x.test/mac.jpg',
      'IMG_1.xmp': '<x:xmpmeta/>',
    })
    const intake = await gather([path(root)])
    expect(intake.images.map(({ url, folder }) => [url, folder])).toEqual([
      ['https://x.test/ear9.jpg', 'ear 9'],
      ['https://x.test/ear10.jpg', 'ear 10'],
      ['https://x.test/2.jpg', 'Rings/Bands'],
      ['https://x.test/10.jpg', 'Rings/Bands'],
      ['https://x.test/top.jpg', ''],
    ])
    expect(intake.problems).toEqual([])
    expect(intake.passedOver).toBe(8)
    expect(intake.images[2]?.origin).toEqual({ file: 'Rings/Bands/list 2.txt', line: 1 })
  })

  it('names bad lines of several folders so that they are found', async () => {
    const { path: at } = await fixture({ 'a/list.txt': 'nonsense', 'b/sub/list.txt': 'nonsense' })
    const files = ({ problems }: Intake) => problems.map((problem) => problem.file)
    expect(files(await gather([path(at('a')), path(`${at('b')}/`)]))).toEqual([
      at('a/list.txt'),
      at('b/sub/list.txt'),
    ])
    expect(files(await gather([path(at('b'))]))).toEqual(['sub/list.txt'])
  })

  it('gives a list that is named itself no folder, and its images the place they stand at', async () => {
    const { path: at } = await fixture({ 'a/b.txt': '\n# x\nhttps://x.test/1.jpg\n' })
    const intake = await gather([path(at('a/b.txt'))])
    expect(intake.images).toEqual([
      { url: 'https://x.test/1.jpg', folder: '', origin: { file: at('a/b.txt'), line: 3 } },
    ])
  })

  it('survives links that lead in a circle or nowhere', async () => {
    const { root, path: at } = await fixture({ 'a/b/list.txt': 'https://x.test/1.jpg' })
    await symlink(root, at('a/b/up'))
    await symlink('self', at('self'))
    await symlink('missing.txt', at('dangling.txt'))
    await symlink(at('a'), at('z'))
    const intake = await gather([path(root)])
    expect(urls(intake)).toEqual(['https://x.test/1.jpg'])
    expect(intake.problems.map((problem) => problem.reason)).toEqual([
      expect.stringContaining('no file or folder dangling.txt'),
      expect.stringContaining('leads in a circle'),
    ])
  })

  it('collects local pictures by name and by content, and says what to do', async () => {
    const { root, path: at } = await fixture({ 'b.CR3': 'x', 'a.jpg': 'x', 'no-extension': jpeg })
    const intake = await gather([path(root)])
    expect(intake.localPictures).toEqual(
      ['a.jpg', 'b.CR3', 'no-extension'].map((name) => ({ shown: at(name), path: at(name), folder: '' })),
    )
    expect(intake.problems).toEqual([])
    expect(localPicturesSentence(intake)).toMatch(
      /^3 pictures on this computer cannot be sent.*list of their addresses\.$/,
    )
    expect(nothingFoundSentence(intake, [root])).toContain('3 pictures')
  })

  it('names what is no list and says what would be right', async () => {
    const { root } = await fixture({
      'a.pdf': '%PDF-1.7 x',
      'b.xlsx': Buffer.from('504b030400000000000000', 'hex'),
      'c.bin': Buffer.from([0, 1, 2, 3, 4, 5, 0, 0, 7]),
      'd.html': '<!DOCTYPE html><html><img src="https://x.test/1.jpg"></html>',
      'e.rtf': '{\\rtf1 https://x.test/1.jpg}',
      'f.txt': '',
      'g.txt': ' \n\n# only a comment\n',
      'read me.txt': 'Dear photographer,\nplease retouch these.\n',
    })
    const { problems, images } = await gather([path(root)])
    expect(images).toEqual([])
    expect(problems.map((problem) => problem.reason)).toEqual([
      expect.stringMatching(/a\.pdf is a document; copy/),
      expect.stringMatching(/b\.xlsx is a spreadsheet; save it as CSV/),
      expect.stringMatching(/c\.bin is not a list Vitrine can read; it reads \.txt/),
      expect.stringMatching(/d\.html is a web page/),
      expect.stringMatching(/e\.rtf is rich text/),
      expect.stringMatching(/f\.txt is empty/),
      expect.stringMatching(/g\.txt holds no image address/),
      expect.stringMatching(/read me\.txt is text without an image address/),
    ])
  })

  it('passes its own manifests over in a folder', async () => {
    const line = { source: 'https://x.test/1.jpg', batch: 'b', runId: 'r', status: 'delivered', outputs: [] }
    const { root } = await fixture({
      'out/manifest.jsonl': `${JSON.stringify(line)}\n`,
      'list.txt': 'https://x.test/1.jpg',
    })
    const intake = await gather([path(root)])
    expect([intake.images.length, intake.duplicates.length, intake.passedOver]).toEqual([1, 0, 1])
  })
})

describe('hostile files', () => {
  it.runIf(process.platform !== 'win32')(
    'does not wait for a pipe, and refuses devices and missing paths with a sentence',
    async () => {
      const { path: at } = await fixture()
      execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', at('pipe')])
      const { problems } = await gather([
        path(at('pipe')),
        path('/dev/zero'),
        path(at('none')),
        path(`${at('x')}${'y'.repeat(5000)}`),
      ])
      expect(problems.map((problem) => problem.reason)).toEqual([
        expect.stringContaining('device or a pipe'),
        expect.stringContaining('device or a pipe'),
        expect.stringContaining('no file or folder'),
        expect.stringContaining('too long'),
      ])
    },
  )

  it('reads over a line of 300 MB in bounded memory', async () => {
    async function* bytes() {
      yield Buffer.from('https://x.test/1.jpg\nhttps://x.test/')
      const part = Buffer.alloc(1 << 14, 'a')
      for (let count = 0; count < 19_200; count++) yield await Promise.resolve(part)
      yield Buffer.from('.jpg\nhttps://x.test/2.jpg')
    }
    const before = process.memoryUsage().rss
    const intake = await gather([{ kind: 'stream', bytes: bytes(), shown: 'stdin' }])
    expect(urls(intake)).toEqual(['https://x.test/1.jpg', 'https://x.test/2.jpg'])
    expect(intake.problems).toMatchObject([
      { file: 'stdin', line: 2, reason: expect.stringContaining('64 KiB') },
    ])
    expect(intake.images[1]?.origin.line).toBe(3)
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024)
  })

  it('refuses a JSON that is too large or too deep, and a sparse file of zeros', async () => {
    const { path: at } = await fixture({ 'b.txt': '' })
    await truncate(at('b.txt'), 4 * 1024 ** 3)
    await writeFile(at('c.json'), `${'['.repeat(100_000)}${']'.repeat(100_000)}`)
    async function* large() {
      yield Buffer.from('["https://x.test/1.jpg",')
      const part = Buffer.alloc(1 << 20, ' ')
      for (let count = 0; count < 257; count++) yield await Promise.resolve(part)
    }
    const stream = { kind: 'stream', bytes: large(), shown: 'large.json' } as const
    const { problems } = await gather([path(at('b.txt')), path(at('c.json')), stream])
    expect(problems[0]?.reason).toContain('not a list')
    expect(problems[1]?.reason).toContain('nested deeper')
    expect(problems[2]?.reason).toContain('larger than 256 MB')
  })

  it.each([
    '"',
    ',',
    ' ',
    '\t',
    "'",
    '<',
    '<a ',
    '<!--',
    '<a "',
    'https://',
    'www.',
    '(',
    ')',
    '.',
    '|https://',
    '<img a',
    '\\"',
    '[',
    '=',
    '""',
    ' ,',
    'a.',
    ';//',
  ])('is not slowed down by long lines of %j', async (part) => {
    const run = part.repeat(Math.floor(60_000 / part.length))
    const line = `${run}x`
    const texts = [
      line,
      `https://x.test/${line}`,
      `"https://x.test/${line}`,
      `https://x.test/a.jpg ${run} x`,
      `<a href="${line}`,
    ]
    const all = `${texts.join('\n')}\n`.repeat(10)
    // The test's own time limit is what would fail here.
    const intake = await gather([
      ...['a.txt', 'a.csv', 'a.json', 'a.url', 'a'].map((shown) => {
        async function* bytes() {
          yield await Promise.resolve(Buffer.from(all))
        }
        return { kind: 'stream', bytes: bytes(), shown } as const
      }),
      ...texts.map((text) => ({ kind: 'text', text, shown: 'pasted' }) as const),
      { kind: 'text', text: `<a href="https://x.test/1.jpg">${run}`, shown: 'html' },
      { kind: 'text', text: `<plist><key>URL</key>${run}`, shown: 'plist' },
      { kind: 'text', text: `see ${run} https://x.test/a.jpg`, shown: 'prose' },
    ])
    expect(intake.images.length + intake.problemCount).toBeGreaterThan(0)
  })

  it('keeps the first thousand bad lines of a file and counts the rest', async () => {
    const { path: at } = await fixture({ 'bad.csv': `url,name\n${'ftp://x.test/a.jpg,n\n'.repeat(5000)}` })
    const intake = await gather([path(at('bad.csv'))])
    expect([intake.problems.length, intake.problemCount]).toEqual([PROBLEMS_PER_FILE, 5000])
    expect(intake.problems[0]).toMatchObject({ line: 2, reason: expect.stringContaining('not ftp:') })
    expect(moreProblemsSentence(intake)).toMatch(/^4,000 more lines/)
  })

  it("takes a stream's failure as a problem", async () => {
    async function* broken() {
      yield await Promise.resolve(Buffer.from('https://x.test/1.jpg\n'))
      throw Object.assign(new Error('no'), { code: 'EIO' })
    }
    const { problems } = await gather([{ kind: 'stream', bytes: broken(), shown: 'standard input' }])
    expect(problems[0]?.reason).toContain('standard input could not be read (EIO)')
  })

  it('makes what it shows harmless for a terminal', async () => {
    const text = 'https://x.test/1.jpg\n\u001b[31mred\u001b]0;t\u0007\u202egpj.exe'
    const { problems } = await gather([{ kind: 'text', text, shown: 'a\u001b[2Jb' }])
    // oxlint-disable-next-line no-control-regex
    expect(JSON.stringify(problems.map(problemSentence))).not.toMatch(/\\u001b|\\u0007|\u202e/)
    expect(problems[0]).toMatchObject({ file: 'a [2Jb', line: 2 })
  })
})

describe('duplicates, stopping and progress', () => {
  const list = 'https://x.test/1.jpg\nhttps://x.test/2.jpg\nhttps://x.test/1.jpg\nhttps://X.test/1.jpg\n'
  it('takes an address once, the first, and shows the others', async () => {
    const intake = await gather([
      { kind: 'text', text: list, shown: 'a' },
      { kind: 'url', url: 'https://x.test/2.jpg' },
    ])
    expect(urls(intake)).toEqual(['https://x.test/1.jpg', 'https://x.test/2.jpg', 'https://X.test/1.jpg'])
    expect(intake.duplicates.map(({ image, first }) => [image.origin, first.origin])).toEqual([
      [
        { file: 'a', line: 3 },
        { file: 'a', line: 1 },
      ],
      [{ file: 'https://x.test/2.jpg' }, { file: 'a', line: 2 }],
    ])
  })

  it('includes them when asked to', async () => {
    const intake = await gather([{ kind: 'text', text: list, shown: 'a' }], { keepDuplicates: true })
    expect([intake.images.length, intake.duplicates.length]).toEqual([4, 1])
  })

  it('stops in the middle of a long list with what it has, and closes the stream', async () => {
    const stop = new AbortController()
    let closed = false
    async function* endless() {
      try {
        for (let count = 0; ; count++) {
          yield await Promise.resolve(
            Buffer.from(`https://x.test/${count}.jpg\n${'# comment\n'.repeat(7000)}`),
          )
        }
      } finally {
        closed = true
      }
    }
    const intake = await gather([{ kind: 'stream', bytes: endless(), shown: 'stdin' }, path('/none')], {
      signal: stop.signal,
      onProgress: ({ images }) => {
        if (images >= 20) stop.abort()
      },
    })
    expect([intake.stopped, intake.images.length, closed]).toEqual([true, 20, true])
    expect(intake.problems).toEqual([])
  })

  it('understands the arguments of the command line', async () => {
    async function* input() {
      yield await Promise.resolve(Buffer.from('["https://x.test/3.jpg"]'))
    }
    const sources = ['https://x.test/1.jpg', 'http:/x', '-', 'ftp://x.test/2.jpg'].map((argument) =>
      sourceOfArgument(argument, input()),
    )
    const intake = await gather(sources)
    expect(urls(intake)).toEqual(['https://x.test/1.jpg', 'https://x.test/3.jpg'])
    expect(intake.problems[0]?.reason).toContain('http:/x: The address does not begin')
    expect(intake.problems[1]?.reason).toContain('not ftp: ones')
    for (const path of [join('a', 'https'), 'C:\\\\shoot', 'a:b//c']) {
      expect(sourceOfArgument(path, input()).kind).toBe('path')
    }
  })
})
