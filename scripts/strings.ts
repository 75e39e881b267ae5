import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseSync } from 'vite'

const project = resolve(import.meta.dirname, '..')

/** What a person can read: letters, not only a sign or a unit of one. */
const isRead = (text: string) => /\p{L}{2}/u.test(text)

/** The key of a template, as shared/language/text.ts makes it. */
const keyOf = (parts: readonly string[]) => parts.reduce((key, part, n) => `${key}{${n - 1}}${part}`)

/** Attributes that are read out or shown. */
const shown = /^(label|title|placeholder|note|hint|alt|aria-(label|description|valuetext|roledescription))$/

/** Tests, the component sheet of the makers, and what makes texts of any words. */
const apart = /\.test\.|[/\\]testing[/\\]|[/\\]dev[/\\]|\.d\.ts$|[/\\]language[/\\](text|say)\.ts$/

/** Where in the sources something is, and what is to be said of it. */
export interface Finding {
  readonly place: string
  readonly text: string
}

/** The texts of a room of the sources. */
export interface Strings {
  /** Every key, with the file that has it first. */
  readonly keys: ReadonlyMap<string, string>
  /** What is shown without going through `t`, or in a way that this cannot read. */
  readonly faults: readonly Finding[]
}

type Node = { readonly type: string; readonly start: number; readonly [field: string]: unknown }

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** How the texts of a folder are marked: `t` and its kin where they are spoken, `say` where English is only marked. */
export type Mark = 't' | 'say'

/**
 * Reads all texts of source files: the templates with this mark, and with `t` those of `rich` and the words of `plural`.
 * @param rooms folders below the project's, as `renderer`
 * @param early whether a text may be made while its module is loaded: not where the language is known only later
 * @param root the folder that the rooms lie in
 */
export function readStrings(rooms: readonly string[], mark: Mark, early: boolean, root = project): Strings {
  const keys = new Map<string, string>()
  const faults: Finding[] = []
  const files = globSync(
    rooms.map((room) => `${room}/**/*.{ts,tsx}`),
    { cwd: root },
  ).filter((file) => !apart.test(file))
  for (const file of files.sort()) readFile(file.replaceAll('\\', '/'), { root, keys, faults, mark, early })
  return { keys, faults }
}

interface Reading {
  readonly root: string
  readonly keys: Map<string, string>
  readonly faults: Finding[]
  readonly mark: Mark
  readonly early: boolean
}

function readFile(file: string, { root, keys, faults, mark, early }: Reading): void {
  const source = readFileSync(resolve(root, file), 'utf8')
  const note = (node: Node, text: string) => {
    const line = source.slice(0, node.start).split('\n').length
    faults.push({ place: `${file}:${line}`, text })
  }
  const add = (key: string) => {
    if (!keys.has(key)) keys.set(key, file)
  }
  const visit = (node: Node, inFunction: boolean) => {
    const found = textOf(node, mark)
    if (found?.keys) {
      found.keys.forEach(add)
      if (!early && !inFunction) note(node, `Made while the module is loaded: ${found.keys[0]}`)
    }
    if (found?.fault !== undefined) note(node, found.fault)
    const isInside = inFunction || /Function|MethodDefinition/.test(node.type)
    for (const field of Object.values(node)) {
      for (const child of Array.isArray(field) ? (field as unknown[]) : [field]) {
        if (isNode(child)) visit(child, isInside)
      }
    }
  }
  visit(parseSync(file, source).program as unknown as Node, false)
}

interface Found {
  readonly keys?: readonly string[]
  readonly fault?: string
}

/** What a piece of source says to a person, if anything. */
function textOf(node: Node, mark: Mark): Found | undefined {
  if (mark === 'say') return taggedText(node, ['say'])
  switch (node.type) {
    case 'TaggedTemplateExpression':
      return taggedText(node, ['t', 'rich'])
    case 'CallExpression':
      return pluralText(node)
    case 'JSXText':
      return isRead(String(node['value']))
        ? { fault: `Not marked: ${String(node['value']).trim()}` }
        : undefined
    case 'JSXAttribute':
      return attributeText(node)
    default:
      return undefined
  }
}

function nameOf(node: unknown): string | undefined {
  return isNode(node) && node.type === 'Identifier' ? String(node['name']) : undefined
}

function taggedText(node: Node, tags: readonly string[]): Found | undefined {
  if (!tags.includes(nameOf(node['tag']) ?? '')) return undefined
  const { quasis } = node['quasi'] as { quasis: readonly { value: { cooked: string } }[] }
  return { keys: [keyOf(quasis.map(({ value }) => value.cooked))] }
}

function pluralText(node: Node): Found | undefined {
  if (nameOf(node['callee']) !== 'plural') return undefined
  const [, ...words] = node['arguments'] as readonly Node[]
  if (words.some((word) => word.type !== 'Literal')) return { fault: 'plural() needs its words as literals.' }
  const [one, many = `${one}s`] = words.map((word) => String(word['value']))
  return { keys: [`{0} ${one}`, `{0} ${many}`] }
}

function attributeText(node: Node): Found | undefined {
  const name = node['name'] as { name: string }
  const value = node['value']
  if (!isNode(value) || value.type !== 'Literal' || !shown.test(name.name)) return undefined
  return isRead(String(value['value'])) ? { fault: `Not marked: ${String(value['value'])}` } : undefined
}
