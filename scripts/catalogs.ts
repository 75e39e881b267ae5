import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { readStrings, type Finding } from './strings.ts'

const project = resolve(import.meta.dirname, '..')
/** Where the German lies below the project's folder. */
const place = 'shared/language/german'

type Words = Record<string, string>

/**
 * What is kept apart: what a window says itself, what the engine says (which a window recognizes, so a sentence of both
 * stands in both), and what the program behind them says.
 */
const halves = [
  {
    name: 'window',
    sources: [
      { rooms: ['renderer'], mark: 't', early: true },
      { rooms: ['shared'], mark: 't', early: false },
    ],
  },
  { name: 'engine', sources: [{ rooms: ['engine', 'shared'], mark: 'say', early: true }] },
  { name: 'program', sources: [{ rooms: ['electron', 'engine', 'shared'], mark: 't', early: false }] },
] as const

/** What is to be mended in the texts: a key without German, German without a key, a text outside `t`. */
export interface State {
  readonly missing: readonly Finding[]
  readonly unused: readonly string[]
  readonly faults: readonly Finding[]
}

/** window/batches.json, engine/engine.json, program/electron.json: the file of a key is that of the folder where it is first used. */
function fileOf(half: string, source: string): string {
  const [room, below] = source.split('/')
  return join(half, `${room === 'renderer' ? below : room}.json`)
}

function read(folder: string, half: string): Map<string, Words> {
  const files = globSync(`${half}/*.json`, { cwd: folder })
  return new Map(
    files.map((file) => [join(file), JSON.parse(readFileSync(join(folder, file), 'utf8')) as Words]),
  )
}

/**
 * @param write puts an empty place where German is missing, takes out what is not used, and each key into its file
 * @param root the project's folder
 */
export function checkCatalogs(write = false, root = project): State {
  const folder = join(root, place)
  const missing: Finding[] = []
  const unused: string[] = []
  const faults: Finding[] = []
  for (const { name, sources } of halves) {
    const found = sources.map(({ rooms, mark, early }) => readStrings(rooms, mark, early, root))
    const kept = read(folder, name)
    const words: Words = Object.assign({}, ...kept.values())
    faults.push(...found.flatMap((strings) => strings.faults))
    const keys = new Map(found.toReversed().flatMap((strings) => [...strings.keys]))
    // A file that has nothing left to say is there still: what reads it names it.
    const files = new Map<string, Words>([...kept.keys()].map((file) => [file, {}]))
    for (const [key, source] of keys) {
      const german = words[key] ?? ''
      if (german === '') missing.push({ place: source, text: key })
      else if (values(german) !== values(key)) {
        faults.push({ place: fileOf(name, source), text: `The German has other values: ${key}` })
      }
      const file = fileOf(name, source)
      files.set(file, { ...files.get(file), [key]: german })
    }
    unused.push(...Object.keys(words).filter((key) => !keys.has(key)))
    if (write) for (const [file, entries] of files) writeWords(join(folder, file), entries)
  }
  return { missing, unused, faults }
}

const values = (text: string) => (text.match(/\{\d+\}/g) ?? []).sort().join()

function writeWords(file: string, words: Words): void {
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, `${JSON.stringify(words, null, 2)}\n`)
}

/** `npm run strings`, with --write to make the empty places. */
if (basename(process.argv[1] ?? '') === 'catalogs.ts') {
  const only = process.argv.slice(2).filter((word) => !word.startsWith('--'))
  const concerns = ({ place }: Finding) => only.length === 0 || only.some((path) => place.includes(path))
  const { missing, unused, faults } = checkCatalogs(process.argv.includes('--write'))
  for (const { place, text } of missing.filter(concerns)) console.log(`No German: ${place}: ${text}`)
  for (const { place, text } of faults.filter(concerns)) console.log(`${place}: ${text}`)
  for (const key of unused) console.log(`Not used: ${key}`)
  process.exitCode = missing.length + faults.length + unused.length === 0 ? 0 : 1
}
