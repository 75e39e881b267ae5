import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { binaryPlist } from './binary-plist.ts'
import { writeShootLists } from './lists.ts'
import { shootPictures } from './pictures.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shoot-lists-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const origin = 'http://127.0.0.1:8080'

test('the shoot has its 24 pictures', () => {
  expect(shootPictures()).toHaveLength(24)
})

test('the lists name every picture once, in every format, in the folders of the shoot', async () => {
  const written = await writeShootLists(folder, origin)
  const present = await readdir(folder, { recursive: true, withFileTypes: true })
  expect(present.filter((entry) => entry.isFile())).toHaveLength(written.length)
  const found: string[] = []
  for (const path of written) {
    const content = (await readFile(join(folder, path))).toString('latin1')
    const urls = content.match(/http:\/\/127\.0\.0\.1:8080\/[\w/.-]+\.jpg/g) ?? []
    const place = path.slice(0, path.lastIndexOf('/'))
    for (const url of urls) expect(url.startsWith(`${origin}/shoot/${place}/`)).toBe(true)
    found.push(...urls)
  }
  expect(found.sort()).toEqual(shootPictures().map((picture) => `${origin}${picture.path}`).sort())
  const extensions = new Set(written.map((path) => extname(path)))
  expect([...extensions].sort()).toEqual(
    ['.csv', '.desktop', '.json', '.jsonl', '.tsv', '.txt', '.url', '.webloc'].sort(),
  )
})

test('a binary property list reads back by its own tables', () => {
  fc.assert(
    fc.property(fc.webUrl(), (url) => {
      const bytes = binaryPlist('URL', url)
      const trailer = bytes.subarray(-32)
      const table = Number(trailer.readBigUInt64BE(24))
      const offset = (index: number) => bytes.readUInt16BE(table + index * 2)
      const text = (at: number) => {
        const short = bytes[at]! & 0x0f
        const start = short === 15 ? at + 4 : at + 1
        return bytes.subarray(start, start + (short === 15 ? bytes.readUInt16BE(at + 2) : short)).toString('latin1')
      }
      expect(bytes.subarray(0, 8).toString()).toBe('bplist00')
      expect(trailer[6]).toBe(2)
      expect([...bytes.subarray(offset(0), offset(0) + 3)]).toEqual([0xd1, 1, 2])
      expect(text(offset(1))).toBe('URL')
      expect(text(offset(2))).toBe(url)
    }),
  )
})
