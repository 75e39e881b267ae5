import * as fc from 'fast-check'
import Papa from 'papaparse'
import { afterEach, describe, expect, it } from 'vitest'

import type { Intake } from './found.ts'
import { gather } from './gather.ts'
import { folderWith } from './intake-fixtures.ts'
import { tries } from '../../shared/tries.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

/** Reads one file of this name and content. */
async function read(name: string, content: string | Uint8Array): Promise<Intake> {
  const folder = await folderWith({ [name]: content })
  cleanups.push(folder.remove)
  return gather([{ kind: 'path', path: folder.path(name) }])
}

const rows = (intake: Intake) => intake.images.map(({ url, name, origin }) => [url, name, origin.line])
const urls = (intake: Intake) => intake.images.map((image) => image.url)
const A = 'https://x.test/a.jpg'
const B = 'https://x.test/b.jpg'
const utf16 = (text: string, bigEndian = false, mark = true) => {
  const bytes = Buffer.from(`${mark ? '\ufeff' : ''}${text}`, 'utf16le')
  return bigEndian ? bytes.swap16() : bytes
}

describe('text lists', () => {
  it('takes what people put around addresses off', async () => {
    const text = `\ufeff# shoot\r\n\r\n"${A}"\r\n  <${B}>,\r\n'https://x.test/c.jpg';\r\n- https://x.test/d.jpg # front\r\n2. https://x.test/e.jpg\r\nhttps://x.test/f.jpg, Ring, gold\r\nhttps://x.test/g.jpg\tBand\r\nhttps://x.test/h.jpg https://x.test/i.jpg`
    const intake = await read('list.txt', text)
    expect(intake.problems).toEqual([])
    expect(rows(intake)).toEqual([
      [A, undefined, 3],
      [B, undefined, 4],
      ['https://x.test/c.jpg', undefined, 5],
      ['https://x.test/d.jpg', undefined, 6],
      ['https://x.test/e.jpg', undefined, 7],
      ['https://x.test/f.jpg', 'Ring, gold', 8],
      ['https://x.test/g.jpg', 'Band', 9],
      ['https://x.test/h.jpg', undefined, 10],
      ['https://x.test/i.jpg', undefined, 10],
    ])
  })

  it('counts lines as editors do, with old and mixed line ends', async () => {
    expect(
      rows(await read('list.txt', `${A}\rx\r\n\r\n${B}\n\rhttps://x.test/c`)).map((row) => row[2]),
    ).toEqual([1, 4, 6])
  })

  it('does not cut addresses that hold commas and semicolons', async () => {
    const list = [
      'https://x.test/w_300,h_300/a.jpg',
      'https://x.test/w_300,h_300/b.jpg',
      'https://x.test/c;v=1,2/c.jpg?crop=1,2,3',
    ]
    expect(urls(await read('list.txt', list.join('\n')))).toEqual(list)
    expect(urls(await read('list.csv', list.slice(0, 2).join('\n')))).toEqual(list.slice(0, 2))
  })

  it.each([
    ['UTF-8 with mark', Buffer.from(`\ufeff${A}\n${B} \n`)],
    ['UTF-16 LE', utf16(`${A}\r\n${B}\r\n`)],
    ['UTF-16 BE', utf16(`${A}\r\n${B}\r\n`, true)],
    ['UTF-16 LE without mark', utf16(`${A}\r\n${B}\r\n`, false, false)],
    ['UTF-16 BE without mark', utf16(`${A}\r\n${B}\r\n`, true, false)],
  ])('reads %s', async (_, bytes) => {
    expect(urls(await read('list.txt', bytes))).toEqual([A, B])
  })

  it('reads Windows-1252 and UTF-8 in one file', async () => {
    const bytes = Buffer.concat([
      Buffer.from(`${A}\tBo\u00eete\n`),
      Buffer.from(`${B}\tBo\u00eete \u0080\n`, 'latin1'),
    ])
    expect(rows(await read('list.txt', bytes))).toEqual([
      [A, 'Boîte', 1],
      [B, 'Boîte €', 2],
    ])
  })
})

describe('tables', () => {
  it.each([
    ['comma', `url,name\n${A},Ring\n${B},Band\n`],
    ['semicolon', `Bild-URL;Artikelnummer;Preis\n${A};Ring;1,5\n${B};Band;2,5\n`],
    ['tab', `price\timage link\tSKU\n1\t${A}\tRing\n2\t${B}\tBand\n`],
    ['title in a later line', `Export of May\n\nSKU,Image URL,Note\nRing,${A},x\nBand,${B},"y, z"\n`],
    ['no header', `${A},Ring\n${B},Band\n`],
    ['formulas', `name;url\nRing;"=HYPERLINK(""${A}"";""see"")"\nBand;${B}\n`],
  ])('finds the columns: %s', async (_, text) => {
    const intake = await read('list.csv', text)
    expect(intake.problems).toEqual([])
    expect(intake.images.map(({ url, name }) => [url, name])).toEqual([
      [A, 'Ring'],
      [B, 'Band'],
    ])
    expect(intake.images[1]?.origin.line).toBe(text.split('\n').findIndex((line) => line.includes(B)) + 1)
  })

  it('reads a shop export: image column over page column, several images a cell, rows without', async () => {
    const text = `Handle,Product URL,Image Src\nr1,https://x.test/p1,${A}\nr2,https://x.test/p2,\nr3,https://x.test/p3,"${B}, https://x.test/c.jpg"\n`
    const intake = await read('products.csv', text)
    expect(rows(intake)).toEqual([
      [A, 'r1', 2],
      [B, 'r3', 4],
      ['https://x.test/c.jpg', 'r3-2', 4],
    ])
    expect(intake.problems).toMatchObject([{ line: 3, reason: 'There is no address in this row.' }])
    expect(intake.notes).toEqual([expect.stringContaining('“Image Src”; “Product URL” also holds addresses')])
  })

  it('names no output by a column whose title does not say so', async () => {
    expect(rows(await read('list.csv', `where,price\n${A},12.50\n`))).toEqual([[A, undefined, 2]])
  })

  it('reads numbered columns together and not the thumbnails', async () => {
    const text = `sku,thumbnail,image 1,image 2\nr,https://x.test/t.jpg,${A},${B}\n`
    expect(rows(await read('list.csv', text))).toEqual([
      [A, 'r', 2],
      [B, 'r-2', 2],
    ])
  })

  it('prefers addresses of whole pictures to those of small ones', async () => {
    expect(urls(await read('list.csv', `thumb_url,file_url\nhttps://x.test/t.jpg,${A}\n`))).toEqual([A])
  })

  it('keeps line numbers behind cells that go over lines', async () => {
    const text = `note,url\r\n"one\r\ntwo ""x""\r\nthree",${A}\r\nplain,nope\r\n5" ring,${B}\r\n`
    const intake = await read('list.csv', text)
    expect(rows(intake).map((row) => [row[0], row[2]])).toEqual([
      [A, 2],
      [B, 6],
    ])
    expect(intake.problems).toMatchObject([{ line: 5 }])
  })

  it('loses one line, not the rest, to a quote that is never closed', async () => {
    const many = Array.from({ length: 500 }, (_, index) => `n${index},https://x.test/${index}.jpg`)
    const text = `name,url\n"open,${A}\n${many.join('\n')}\n`
    const intake = await read('list.csv', text)
    expect(intake.images.length).toBe(500)
    expect(intake.problems).toMatchObject([{ line: 2, reason: expect.stringContaining('never closed') }])
    expect(intake.images[0]?.origin.line).toBe(3)
  })
})

describe('JSON', () => {
  it.each([
    ['strings', [A, B], [undefined, undefined]],
    [
      'objects',
      [
        { sku: 1001, url: A },
        { sku: 'x', url: B },
      ],
      ['1001', 'x'],
    ],
    [
      'nested',
      {
        data: {
          title: 'Shop',
          items: [
            { link: 'https://x.test/p', image: A },
            { link: 'https://x.test/q', image: B, name: 'n' },
          ],
        },
      },
      [undefined, 'n'],
    ],
    [
      'images of products',
      { products: [{ title: 'Ring', images: [{ src: A }, { src: B }] }] },
      ['Ring', 'Ring-2'],
    ],
    ['a map of names', { one: A, two: B }, ['one', 'two']],
    ['one object', { images: [A, B], name: 'Shop' }, [undefined, undefined]],
  ])('finds the addresses in %s', async (_, value, names) => {
    for (const indent of [0, 2]) {
      const intake = await read('list.json', JSON.stringify(value, null, indent))
      expect(intake.images.map((image) => [image.url, image.name])).toEqual([
        [A, names[0]],
        [B, names[1]],
      ])
      expect(intake.problems).toEqual([])
    }
  })

  it('names lines, of addresses, bad values and of the place where it is no JSON', async () => {
    const intake = await read(
      'list.json',
      `[\n  {"url": "https:\\/\\/x.test\\/a.jpg"},\n\n  {"url": "nope"},\n  {"url": null}\n]`,
    )
    expect(rows(intake)).toEqual([[A, undefined, 2]])
    expect(intake.problems).toMatchObject([{ line: 4, text: 'nope' }, { line: 5 }])
    const broken = await read('list.json', `[\n  "${A}",\n  oops\n]`)
    expect(broken.problems).toMatchObject([{ line: 3, reason: expect.stringContaining('not valid JSON') }])
  })

  it('finds the line of an error deep in an object, and is not led astray by escapes', async () => {
    const broken = await read('list.json', `{\n "a": "x",\n "b":\n  oops }\n`)
    expect(broken.problems).toMatchObject([{ line: 4 }])
    const items = [
      { note: '5" \\', sku: '"}]\n', url: A },
      { sku: '\\"', url: B },
    ]
    expect(urls(await read('list.json', JSON.stringify(items)))).toEqual([A, B])
  })

  it('reads a value a line, and goes on behind a bad one', async () => {
    const text = `{"image":"${A}","sku":"r1"}\n{"image":\n"https://x.test/s.jpg"\n{"image":"${B}","sku":"r2"}\n{"sku":"r3"}\n`
    const intake = await read('list.jsonl', text)
    expect(rows(intake)).toEqual([
      [A, 'r1', 1],
      ['https://x.test/s.jpg', undefined, 3],
      [B, 'r2', 4],
    ])
    expect(intake.problems.map((problem) => problem.line)).toEqual([2, 5])
  })

  it('takes a text list that only looks like JSON as text', async () => {
    expect(urls(await read('list.txt', `[set one]\n${A}\n`))).toEqual([A])
    expect(urls(await read('list.txt', `"${A}"\n"${B}"\n`))).toEqual([A, B])
  })
})

/** A binary property list of one dictionary with one pair, written by hand from the format's description. */
function binaryPlist(key: string, value: string, wide = false): Buffer {
  const string = (text: string, utf16 = false) => {
    const raw = utf16 ? Buffer.from(text, 'utf16le').swap16() : Buffer.from(text, 'latin1')
    const type = utf16 ? 0x60 : 0x50
    return text.length < 15
      ? Buffer.from([type | text.length, ...raw])
      : Buffer.from([type | 15, 0x11, text.length >> 8, text.length & 255, ...raw])
  }
  const objects = [Buffer.from([0xd1, 1, 2]), string(key), string(value, wide)]
  let at = 8
  const offsets = objects.map((object) => (at += object.length) - object.length)
  const trailer = Buffer.alloc(32)
  trailer[6] = 1
  trailer[7] = 1
  trailer.writeBigUInt64BE(3n, 8)
  trailer.writeBigUInt64BE(BigInt(at), 24)
  return Buffer.concat([Buffer.from('bplist00'), ...objects, Buffer.from(offsets), trailer])
}

describe('shortcuts', () => {
  const tricky = 'https://x.test/a.jpg?x=1&y=2#frag'
  const plist = (url: string) =>
    `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n<plist version="1.0">\n<dict>\n\t<key>URL</key>\n\t<string>${url}</string>\n</dict>\n</plist>\n`
  const ini = `[DEFAULT]\r\nBASEURL=https://x.test/p\r\n[InternetShortcut]\r\nIDList=\r\nURL=${tricky}\r\n`
  it.each([
    ['a.url', Buffer.from(ini)],
    ['b.url', utf16(ini)],
    ['c.webloc', Buffer.from(plist(tricky.replace('&', '&amp;')))],
    ['d.webloc', Buffer.from(plist(`<![CDATA[${tricky}]]>`))],
    ['e.webloc', binaryPlist('URL', tricky)],
    ['f.webloc', binaryPlist('URL', tricky, true)],
    ['g.desktop', Buffer.from(`#!/usr/bin/env xdg-open\n[Desktop Entry]\nType=Link\nURL[$e]=${tricky}\n`)],
    ['misnamed.txt', Buffer.from(ini)],
  ])('follows %s', async (name, bytes) => {
    const intake = await read(name, bytes)
    expect([urls(intake), intake.problems]).toEqual([[tricky], []])
  })

  it('says why one leads nowhere', async () => {
    expect(
      (await read('a.desktop', '[Desktop Entry]\nType=Application\nExec=x\n')).problems[0]?.reason,
    ).toContain('starts a program')
    expect((await read('a.url', '[InternetShortcut]\nURL=file:///c:/a.jpg\n')).problems[0]?.reason).toContain(
      'file on a computer',
    )
    expect((await read('a.webloc', binaryPlist('Name', 'x'))).problems[0]?.reason).toContain(
      'without an address',
    )
  })

  it('bears any damage to a binary one', async () => {
    const whole = binaryPlist('URL', tricky)
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 9), fc.nat(255), async (at, value) => {
        const bytes = Buffer.from(whole)
        bytes[8 + at] = value
        const intake = await read('a.webloc', bytes)
        expect(intake.images.length + intake.problemCount).toBe(1)
      }),
      { numRuns: tries(300) },
    )
  })
})

describe('pasted text', () => {
  const paste = async (text: string) => gather([{ kind: 'text', text, shown: 'pasted text' }])
  it('takes addresses out of prose', async () => {
    const intake = await paste(`Hi, here they are: ${A}, (${B}) and https://x.test/c_(1).jpg.\nBye`)
    expect([urls(intake), intake.problems]).toEqual([[A, B, 'https://x.test/c_(1).jpg'], []])
  })

  it('takes pictures before pages out of HTML', async () => {
    const html = `<meta charset="utf-8"><a href="https://x.test/page"><img alt='a>b' src="${A}?x=1&amp;y=2"></a><a href='${B}'>b</a>`
    expect(urls(await paste(html))).toEqual([`${A}?x=1&y=2`, B])
    expect(urls(await paste('<a href="https://x.test/page?id=1">x</a>'))).toEqual([
      'https://x.test/page?id=1',
    ])
  })

  it('reads lists and address lists of a drag as files are read', async () => {
    expect(urls(await paste(`# comment\r\n${A}\r\n${B}\r\n`))).toEqual([A, B])
    expect(rows(await paste(`sku\turl\nr1\t${A}\n`))).toEqual([[A, 'r1', 2]])
    expect((await paste('nothing here')).problems).toMatchObject([{ file: 'pasted text', line: 1 }])
  })
})

describe('properties', () => {
  const address = fc
    .webUrl({ withQueryParameters: true, withFragments: true })
    .map((url) => url.replace(/[,;"'<>`]+$/, ''))
    .filter((url) => !/[,;]https?:/i.test(url))
  const list = fc.uniqueArray(address, { minLength: 1, maxLength: 30 })
  const names = (all: string[]) => all.map((_, index) => `n-${index}`)
  const writers: Record<string, (all: string[]) => string> = {
    'list.txt': (all) => all.join('\n'),
    'quoted.txt': (all) => all.map((url) => `  "${url}",`).join('\r\n'),
    'list.csv': (all) =>
      Papa.unparse([['name', 'url'], ...all.map((url, index) => [names(all)[index], url])]),
    'list.tsv': (all) =>
      Papa.unparse([['url', 'sku'], ...all.map((url, index) => [url, names(all)[index]])], {
        delimiter: '\t',
      }),
    'list2.csv': (all) =>
      Papa.unparse([['image', 'x'], ...all.map((url) => [url, 'a "b"\n;c'])], {
        delimiter: ';',
        quotes: true,
      }),
    'list.json': (all) => JSON.stringify(all),
    'objects.json': (all) => JSON.stringify({ items: all.map((url) => ({ url, name: 'n' })) }, null, 1),
    'list.jsonl': (all) => all.map((url) => JSON.stringify({ url })).join('\n'),
  }
  it.each(Object.keys(writers))('%s gives back every address byte for byte and in order', async (name) => {
    await fc.assert(
      fc.asyncProperty(list, async (all) => {
        const intake = await read(name, writers[name]!(all))
        expect([urls(intake), intake.problems]).toEqual([all, []])
      }),
      { numRuns: 60 },
    )
  })

  it('names the right line of every bad one, however the stream is cut', async () => {
    const line = fc.oneof(
      fc.constant('bad line'),
      fc.constant(''),
      fc.constant('# c'),
      fc.nat(9999).map((n) => `https://x.test/${n}é.jpg`),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { minLength: 1, maxLength: 40 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.integer({ min: 1, max: 50 }),
        async (lines, end, step) => {
          const raw = Buffer.from(`https://x.test/first.jpg${end}${lines.join(end)}`)
          async function* cut() {
            for (let at = 0; at < raw.length; at += step)
              yield await Promise.resolve(raw.subarray(at, at + step))
          }
          const intake = await gather([{ kind: 'stream', bytes: cut(), shown: 'in' }], {
            keepDuplicates: true,
          })
          const numbered = lines.map((text, index) => [text, index + 2] as const)
          expect(intake.problems.map((problem) => problem.line)).toEqual(
            numbered.filter(([text]) => text === 'bad line').map(([, number]) => number),
          )
          expect(intake.images.slice(1).map((image) => [image.url, image.origin.line])).toEqual(
            numbered.filter(([text]) => text.startsWith('http')).map(([text, number]) => [text, number]),
          )
        },
      ),
      { numRuns: tries(150) },
    )
  })

  it('never throws, whatever the bytes', async () => {
    const seeds = [
      'url,name\n',
      '{"a":["',
      '[InternetShortcut]\nURL=',
      'bplist00',
      '<plist><key>URL</key>',
      '"',
      '\ufeff',
      '{"source":"runId":"outputs":',
      '<a href="',
      'https://x',
    ]
    const bytes = fc.array(
      fc.oneof(
        fc.constantFrom(...seeds).map((text) => Buffer.from(text)),
        fc.uint8Array({ maxLength: 40 }),
        fc.string().map((text) => Buffer.from(text)),
        fc.constant(Buffer.from('\n')),
      ),
      { maxLength: 20 },
    )
    await fc.assert(
      fc.asyncProperty(
        bytes,
        fc.constantFrom('a.txt', 'a.csv', 'a.json', 'a.jsonl', 'a.url', 'a.webloc', 'a'),
        async (parts, name) => {
          const raw = Buffer.concat(parts)
          async function* whole() {
            yield await Promise.resolve(raw)
          }
          const intake = await gather([
            { kind: 'stream', bytes: whole(), shown: name },
            { kind: 'text', text: raw.toString(), shown: name },
          ])
          for (const image of intake.images) expect(image.url).toMatch(/^https?:\/\/\S+$/i)
          expect(intake.problems.filter((problem) => /could not be read/.test(problem.reason))).toEqual([])
        },
      ),
      { numRuns: tries(1500) },
    )
  })
})
