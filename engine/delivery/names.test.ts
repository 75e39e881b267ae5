import { posix, win32 } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  defaultNameTemplate,
  nameTemplateForPresets,
  parseNameTemplate,
  pathRoom,
  renderName,
} from './names.ts'
import type { NameTemplate, NameValues } from './names.ts'
import { bytesOf, foldName, longestName, nameFromUrl, numberedName, safeName } from './safe-name.ts'
import { tries } from '../../shared/tries.ts'

const devices = [
  'CON',
  'PRN',
  'AUX',
  'NUL',
  'CONIN$',
  'CONOUT$',
  'CLOCK$',
  'COM0',
  'COM1',
  'COM9',
  'COM¹',
  'COM²',
  'COM³',
  'LPT1',
  'LPT9',
  'LPT¹',
  'LPT³',
]
const traps = [
  '..',
  '.',
  '../x',
  '..\\x',
  'a/../b',
  '/etc/passwd',
  '\\\\server\\share',
  'C:\\x',
  'C:x',
  'D:',
  'a:b',
  'file.jpg::$DATA',
  '%2e%2e%2f',
]
const ends = [
  'x.',
  'x..',
  'x ',
  ' x',
  'x. .',
  '...',
  ' ',
  '',
  '\t',
  '.hidden',
  '..x',
  '~',
  '-rf',
  '.vitrine-1.part',
  'manifest.jsonl',
  'MANIFEST.JSONL',
]
const letters = [
  'a\u0000b',
  'a\nb',
  'a\u001b[31mb',
  'a\u007fb',
  'a\u0085b',
  'a\u202eb',
  'a\u2066b\u2069',
  'a\u200bb',
  'a\ufeffb',
  'a\u2028b',
  '\ud800',
  'a\udc00b',
  'e\u0301',
  '\u00e9',
  '\u212b',
  'ﬁ',
  '👩‍👩‍👧',
  'ß',
  'İ',
  'Ⅷ',
]
const marks = Array.from('<>:"/\\|?*').flatMap((mark) => [mark, `a${mark}b`, `${mark}${mark}`, `${mark}.jpg`])
const long = [
  'x'.repeat(300),
  'é'.repeat(200),
  '👩‍👩‍👧'.repeat(40),
  `${'a'.repeat(243)}. b`,
  `${'a'.repeat(240)}.......`,
  'e' + '\u0301'.repeat(400),
]
/** Hostile names, each as it is, with an extension, in capitals, with blanks and dots around. */
const curated = [...devices, ...traps, ...ends, ...letters, ...marks, ...long].flatMap((name) => [
  name,
  `${name}.jpg`,
  name.toLowerCase(),
  ` ${name} .`,
])

/** What no file system may have to bear. */
function expectSafe(name: string) {
  expect(name).not.toBe('')
  expect(name).not.toMatch(/[/\\:*?"<>|]|[\p{Cc}\p{Cf}\p{Cs}]/u)
  expect(name).not.toMatch(/^[. ]|[. ]$/)
  expect(name).not.toMatch(/^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]) *(\.|$)/i)
  expect(bytesOf(numberedName(name, 99_999))).toBeLessThanOrEqual(255)
  expect(name.normalize('NFC')).toBe(name)
  for (const path of [posix, win32]) {
    expect(path.basename(name)).toBe(name)
    const root = path === win32 ? 'D:\\out' : '/out'
    expect(path.resolve(root, name)).toBe(path.join(root, name))
    expect(path.dirname(path.resolve(root, name))).toBe(root)
  }
}

test('there are at least 300 curated names', () => expect(new Set(curated).size).toBeGreaterThanOrEqual(300))

test.each(curated)('%j is made safe, and stays as it is then', (name) => {
  const safe = safeName(name)
  expectSafe(safe)
  expect(safeName(safe)).toBe(safe)
})

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({
    unit: fc.constantFrom(
      '.',
      ' ',
      'a',
      '\u0301',
      '\u202e',
      '/',
      ':',
      '👩‍👧',
      'CON',
      '\u1100',
      '\u1161',
      '\u0085',
    ),
    maxLength: 200,
  }),
  fc.constantFrom(...curated),
)

test('any text is made safe, and stays as it is then', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const safe = safeName(text)
      expectSafe(safe)
      expect(safeName(safe)).toBe(safe)
    }),
    { numRuns: tries(5000) },
  )
})

test('plain names stay as they are', () => {
  for (const name of ['R1183-front', 'Ring (2)', 'Bague or 18 carats', '指輪', 'a.b.c', 'x_y-z', 'Ämter'])
    expect(safeName(name)).toBe(name)
})

test.each([
  ['https://shop.example/img/R1183-front.jpg?v=2#top', 'R1183-front'],
  ['https://shop.example/a%20b%C3%A9.JPEG', 'a bé'],
  ['https://shop.example/%E9%ring.png', '%E9%ring'],
  ['https://s3.example/x/..%2f..%2fetc%2fpasswd', 'passwd'],
  ['https://s3.example/key%5Cname.tif', 'name'],
  ['https://shop.example/photo/', 'photo'],
  ['https://shop.example/', 'image-7'],
  ['https://shop.example', 'image-7'],
  ['https://shop.example/?id=3', 'image-7'],
  ['https://shop.example/%2e%2e/', 'image-7'],
  ['https://shop.example/....jpg', 'image-7'],
  ['https://shop.example/R1183.5', 'R1183.5'],
  ['https://shop.example/a.b.c.png', 'a.b.c'],
  ['https://shop.example/con.jpg', '_con'],
  ['no url at all.jpg', 'no url at all'],
  ['', 'image-7'],
])('the name in %s', (address, name) => expect(nameFromUrl(address, 7)).toBe(name))

test('a name comes out of any address', () => {
  fc.assert(
    fc.property(fc.oneof(fc.webUrl({ withQueryParameters: true }), anyText), (address) =>
      expectSafe(nameFromUrl(address, 1)),
    ),
    { numRuns: tries(1000) },
  )
})

const values: NameValues = {
  folder: 'Rings/Bands',
  name: 'R1',
  suffix: '',
  ext: 'jpg',
  n: 7,
  of: 240,
  batch: 'b1',
  preset: 'White',
  app: 'rescue',
  run: 'r9',
  date: '2026-11-21',
}

function template(text: string): NameTemplate {
  const parsed = parseNameTemplate(text)
  if (!parsed.ok) throw new Error(parsed.problem)
  return parsed.template
}

test.each([
  [defaultNameTemplate, {}, 'Rings/Bands/R1.jpg'],
  [defaultNameTemplate, { folder: '' }, 'R1.jpg'],
  [defaultNameTemplate, { suffix: '-original', ext: 'png' }, 'Rings/Bands/R1-original.png'],
  [defaultNameTemplate, { folder: '../../x', name: '../../y' }, 'x/.._.._y.jpg'.replace(/\/\.\./, '/_')],
  [defaultNameTemplate, { folder: 'C:\\Windows', name: 'NUL' }, 'C_/Windows/_NUL.jpg'],
  [defaultNameTemplate, { name: '' }, 'Rings/Bands/image.jpg'],
  ['{date}/{batch}-{n}{suffix}.{ext}', {}, '2026-11-21/b1-007.jpg'],
  ['{app}\\{preset}\\{name}{suffix}.{ext}', {}, 'rescue/White/R1.jpg'],
  ['{name}-{run}.{ext}', { run: '../r' }, 'R1-.._r.jpg'],
  ['x{folder}/{name}.{ext}', {}, 'xRings_Bands/R1.jpg'],
])('%s with %j', (text, change, path) =>
  expect(renderName(template(text), { ...values, ...change })).toBe(path),
)

test.each([
  ['', 'empty'],
  ['/{name}.{ext}', 'absolute'],
  ['\\x\\{name}.{ext}', 'absolute'],
  ['C:\\{name}.{ext}', 'absolute'],
  ['../{name}.{ext}', 'dots'],
  ['a/./{name}.{ext}', 'dots'],
  ['{nam}.{ext}', '{nam}'],
  ['{name.{ext}', 'brace'],
  ['{name}}.{ext}', 'brace'],
  ['{name}', '.{ext}'],
  ['{name}.{ext}.bak', '.{ext}'],
  ['{batch}.{ext}', '{name}, {n} or {run}'],
  ['x'.repeat(501), '500'],
])('the template %s is refused with a word about it', (text, word) => {
  const parsed = parseNameTemplate(text)
  if (parsed.ok) throw new Error('accepted')
  expect(parsed.problem).toContain(word)
  expect(parsed.problem).toMatch(/\.$/)
})

describe('whatever is put in', () => {
  const texts = fc.record({
    folder: anyText,
    name: anyText,
    suffix: anyText,
    preset: anyText,
    run: anyText,
    app: anyText,
  })
  test('the path stays below the output folder, in safe parts, with its extension, in its room', () => {
    const shapes = [
      defaultNameTemplate,
      '{preset}/{folder}/{name}-{run}{suffix}.{ext}',
      '{app}{name}.{ext}',
    ].map(template)
    fc.assert(
      fc.property(
        texts,
        fc.constantFrom(...shapes),
        fc.integer({ min: 64, max: 1024 }),
        (text, shape, room) => {
          const path = renderName(shape, { ...values, ...text }, room)
          for (const part of path.split('/')) expectSafe(part)
          expect(path).toMatch(/[^/]\.jpg$/)
          expect(bytesOf(path)).toBeLessThanOrEqual(Math.max(room, longestName))
          expect(bytesOf(path)).toBeLessThanOrEqual(room)
          for (const paths of [posix, win32]) {
            const root = paths === win32 ? 'D:\\out' : '/out'
            expect(paths.resolve(root, path).startsWith(root + paths.sep)).toBe(true)
          }
        },
      ),
      { numRuns: tries(3000) },
    )
  })
})

test('names that any file system takes for one are one when folded', () => {
  for (const [a, b] of [
    ['A.jpg', 'a.JPG'],
    ['e\u0301', '\u00e9'],
    ['STRASSE', 'straße'],
    ['Σ', 'ς'],
  ])
    expect(foldName(a!)).toBe(foldName(b!))
  expect(foldName('a (2).jpg')).not.toBe(foldName('a.jpg'))
})

test("numbers go before the extension, and only into the file's own part", () => {
  expect(numberedName('a.b/c', 2)).toBe('a.b/c (2)')
  expect(numberedName('a.b/c.jpg', 3)).toBe('a.b/c (3).jpg')
  expect(numberedName('c.jpg', 1)).toBe('c.jpg')
})

test('the room for a path is what the output folder leaves', () => {
  expect(pathRoom('C:\\out', 'win32')).toBe(259 - 6 - 11)
  expect(pathRoom('x'.repeat(5000), 'linux')).toBe(64)
})

describe('with several presets', () => {
  test.each([
    [defaultNameTemplate, '{folder}/{name}-{preset}{suffix}.{ext}'],
    ['{name}.{ext}', '{name}-{preset}.{ext}'],
    ['{suffix}/{name} {date}.{ext}', '{suffix}/{name} {date}-{preset}.{ext}'],
    ['{folder}\\{n}{suffix}.{ext}', '{folder}\\{n}-{preset}{suffix}.{ext}'],
    ['{preset}/{name}{suffix}.{ext}', '{preset}/{name}{suffix}.{ext}'],
    ['{run}.{ext}', '{run}.{ext}'],
  ])('%s becomes %s', (template, expected) => {
    expect(nameTemplateForPresets(template)).toBe(expected)
    expect(parseNameTemplate(expected).ok).toBe(true)
  })
})
