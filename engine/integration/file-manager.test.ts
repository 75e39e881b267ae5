import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { entryMark, type Desk } from './entries.ts'
import { entriesIn, EntryTaken, installEntries, isThere, placesOf, removeEntries } from './file-manager.ts'
import { execWord, powershellText, presetOf, presetSwitch, windowsWord } from './launch.ts'

const run = promisify(execFile)
const odd = [
  'ring 1.jpg',
  `it's "quoted".jpg`,
  '100% %f %U %%.jpg',
  'two\nlines.jpg',
  '$(touch stolen) `touch stolen` $HOME.jpg',
  String.raw`back\slash\n.jpg`,
  '--with-preset=stolen',
  '-n',
  '*',
  'ring;&|<>.jpg',
  'Örhänge 指輪.jpg',
]
const presetName = `Soft "grey" 100% – 'it' $x \\ (ok)!*`

/** A computer with a program that writes down its arguments. */
async function scene(platform: NodeJS.Platform = 'linux') {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-file-manager-'))
  onTestFinished(async () => await rm(folder, { recursive: true, force: true }))
  const programs = join(folder, `it's a "folder" 50% $x`)
  await mkdir(programs)
  const heard = join(folder, 'heard.json')
  const script = join(programs, 'listen.mjs')
  await writeFile(
    script,
    `import { renameSync, writeFileSync } from 'node:fs'
writeFileSync(${JSON.stringify(`${heard}.part`)}, JSON.stringify(process.argv.slice(2)))
renameSync(${JSON.stringify(`${heard}.part`)}, ${JSON.stringify(heard)})`,
  )
  await symlink(process.execPath, join(programs, 'node'))
  const shoot = join(folder, 'the shoot')
  await mkdir(shoot)
  const desk: Desk = {
    platform,
    userHome: folder,
    env: { PATH: '', APPDATA: join(folder, 'Roaming') },
    launch: { program: join(programs, 'node'), args: [script] },
  }
  const place = (id: string) => placesOf(desk).find((one) => one.id === id)!
  const hears = async () => {
    await expect.poll(() => existsSync(heard)).toBe(true)
    return JSON.parse(await readFile(heard, 'utf8')) as string[]
  }
  return { folder, shoot, desk, place, hears }
}

describe.skipIf(process.platform === 'win32')('what is written is run for real', () => {
  test('a script of GNOME Files gives every name as it is', async () => {
    const { shoot, place, hears } = await scene()
    const [, entry] = await installEntries(place('nautilus'), [{ preset: null }, { preset: presetName }])
    // As the file manager starts it: by its name, in the folder that is shown, with names relative to it.
    await run(entry!, [...odd, '/mnt/other.jpg'], { cwd: shoot })
    const [preset, ...rest] = await hears()
    expect(presetOf(preset!)).toBe(presetName)
    expect(rest).toEqual(['--', ...odd.map((name) => `${shoot}/${name}`), '/mnt/other.jpg'])
    expect(await readdir(shoot)).toEqual([])
  })

  test('the script of a Quick Action, taken out of its property list, does so too', async () => {
    const { shoot, place, hears } = await scene('darwin')
    const [entry] = await installEntries(place('finder'), [{ preset: presetName }])
    const list = await readFile(join(entry!, 'Contents', 'document.wflow'), 'utf8')
    const [, text = ''] = /<key>COMMAND_STRING<\/key><string>([^<]*)<\/string>/.exec(list) ?? []
    const script = text
      .replaceAll('&quot;', '"')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&')
    const paths = odd.map((name) => join(shoot, name))
    await run('/bin/sh', ['-c', script, 'sh', ...paths], { cwd: shoot })
    const [preset, ...rest] = await hears()
    expect([presetOf(preset!), ...rest]).toEqual([presetName, '--', ...paths])
  })

  test('the command of a desktop entry, read as the standard says, is the program and its words', async () => {
    const { shoot, place, hears } = await scene()
    const [entry] = await installEntries(place('thunar'), [{ preset: presetName }])
    const text = await readFile(entry!, 'utf8')
    const paths = odd.map((name) => join(shoot, name))
    const [program, ...args] = execLine(/^Exec=(.*)$/m.exec(text)![1]!, paths)
    await run(program!, args, { cwd: shoot })
    const [preset, ...rest] = await hears()
    expect([presetOf(preset!), ...rest]).toEqual([presetName, '--', ...paths])
  })
})

/** The Desktop Entry Specification's `Exec`: escapes of the file, then of the command, then field codes. */
function execLine(value: string, files: readonly string[]): string[] {
  const unescaped = value.replace(
    /\\(.)/g,
    (_, sign: string) => ({ s: ' ', n: '\n', t: '\t', r: '\r' })[sign] ?? sign,
  )
  const words = unescaped.match(/"(?:\\.|[^"\\])*"|[^ ]+/g) ?? []
  return words.flatMap((word) => {
    if (word === '%F') return files
    const plain = word.startsWith('"') ? word.slice(1, -1).replace(/\\(["`$\\])/g, '$1') : word
    return [plain.replace(/%(.)/g, (_, code: string) => (code === '%' ? '%' : ''))]
  })
}

test('any text is one word of a desktop entry', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      fc.pre(!/[\r\n]/.test(text))
      expect(execLine(`${execWord(text)} %F`, ['file'])).toEqual([text, 'file'])
    }),
  )
})

/** How Windows programs take their command line apart. */
function windowsArguments(line: string): string[] {
  const words: string[] = []
  let [word, inQuotes, isWord] = ['', false, false]
  for (let at = 0; at < line.length; at += 1) {
    const slashes = /^\\*/.exec(line.slice(at))![0].length
    if (line[at + slashes] === '"' && slashes > 0) {
      word += '\\'.repeat(Math.floor(slashes / 2))
      isWord = true
      at += slashes
      if (slashes % 2 === 1) word += '"'
      else inQuotes = !inQuotes
    } else if (line[at] === '"') {
      inQuotes = !inQuotes
      isWord = true
    } else if (line[at] === ' ' && !inQuotes) {
      if (isWord) words.push(word)
      ;[word, isWord] = ['', false]
    } else {
      word += line[at]
      isWord = true
    }
  }
  return isWord ? [...words, word] : words
}

test('any text is one word of a Windows command line, and one text of PowerShell', () => {
  const signs = fc.string({ unit: fc.constantFrom('a', ' ', '"', '\\', "'", '’', '%', '$') })
  fc.assert(
    fc.property(fc.array(signs, { minLength: 1, maxLength: 4 }), (texts) => {
      expect(windowsArguments(texts.map(windowsWord).join(' '))).toEqual(texts)
      const [text = ''] = texts
      const inside = powershellText(text).slice(1, -1)
      expect(inside.replace(/(['’])\1/g, '$1')).toBe(text)
      expect(inside.replace(/''|’’/g, '')).not.toMatch(/['’]/)
    }),
  )
})

test('a preset’s name is plain letters on every command line, and comes back', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), (name) => {
      expect(presetSwitch(name)).toMatch(/^--with-preset=[\w.~%-]+$/)
      expect(presetOf(presetSwitch(name))).toBe(name)
    }),
  )
  expect(['--with-preset=%', '--with-preset=', '--other', 'x'].map(presetOf)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

test('a shortcut of Windows holds the program and the preset, written by a script without loose ends', async () => {
  const { desk, place } = await scene('win32')
  const [file] = place('explorer').files([{ preset: presetName }])
  expect(file!.path).toBe(
    `${desk.env['APPDATA']}\\Microsoft\\Windows\\SendTo\\Process with Vitrine - Soft _grey_ 100% – 'it' $x _ (ok)!_.lnk`.replaceAll(
      '/',
      '\\',
    ),
  )
  const [, args = ''] = /^\$link\.Arguments = '(.*)'\r$/m.exec(file!.text) ?? []
  expect(windowsArguments(args.replaceAll("''", "'"))).toEqual([
    desk.launch.args[0],
    presetSwitch(presetName),
    '--',
  ])
  expect(file!.text).toContain(entryMark)
})

test('entries are replaced and removed; what is not ours stays', async () => {
  const { place } = await scene()
  const files = place('nautilus')
  const names = async () => (await readdir(files.folder)).toSorted()
  await installEntries(files, [{ preset: null }, { preset: 'a/b' }, { preset: 'A:b' }])
  expect(await names()).toEqual([
    'Process with Vitrine',
    'Process with Vitrine - A_b (2)',
    'Process with Vitrine - a_b',
  ])
  await installEntries(files, [{ preset: null }])
  expect(await names()).toEqual(['Process with Vitrine'])
  await writeFile(join(files.folder, 'Process with Vitrine - Mine'), '#!/bin/sh\n')
  await expect(installEntries(files, [{ preset: null }, { preset: 'Mine' }])).rejects.toThrow(EntryTaken)
  expect(await names()).toEqual(['Process with Vitrine', 'Process with Vitrine - Mine'])
  expect(await entriesIn(files)).toHaveLength(1)
  await removeEntries(files)
  expect(await names()).toEqual(['Process with Vitrine - Mine'])
})

test('a bundle of the Finder comes and goes as a whole', async () => {
  const { place } = await scene('darwin')
  const finder = place('finder')
  const [bundle] = await installEntries(finder, [{ preset: null }])
  expect((await readdir(join(bundle!, 'Contents'))).toSorted()).toEqual(['Info.plist', 'document.wflow'])
  expect(await removeEntries(finder)).toEqual([bundle])
  expect(existsSync(bundle!)).toBe(false)
})

test('a file manager is there where its program is, or its folder', async () => {
  const { folder, desk, place } = await scene()
  expect(isThere(place('nautilus'), desk)).toBe(false)
  await writeFile(join(folder, 'nautilus'), '', { mode: 0o755 })
  expect(isThere(place('nautilus'), { env: { PATH: `/nowhere:${folder}` } })).toBe(true)
  await mkdir(place('nemo').folder, { recursive: true })
  expect(isThere(place('nemo'), desk)).toBe(true)
  expect(desk.env['PATH']).toBe('')
})
