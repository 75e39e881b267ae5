import { bytesOf, cut, safeName } from './safe-name.ts'
import { say } from '../../shared/language/say.ts'

/** What is done when a file that is not this result already has the name. */
export type OnConflict = 'rename' | 'skip' | 'overwrite'

/** What a template's tokens stand for; any text, made safe when it is put in. */
export interface NameValues {
  /** That of the list or shortcut, with forward slashes; empty for none. The only value that may be several folders. */
  readonly folder: string
  readonly name: string
  /** Empty for the primary output, `-SLUG` for an extra. */
  readonly suffix: string
  /** Without a dot. */
  readonly ext: string
  /** Position in the batch from 1, and how many there are: the number is padded to the same width for all. */
  readonly n: number
  readonly of: number
  readonly batch: string
  readonly preset: string
  readonly app: string
  readonly run: string
  /** YYYY-MM-DD. */
  readonly date: string
}

const tokens = ['folder', 'name', 'suffix', 'ext', 'n', 'batch', 'preset', 'app', 'run', 'date'] as const
type Token = (typeof tokens)[number]

export const defaultNameTemplate = '{folder}/{name}{suffix}.{ext}'

/** Whether outputs of several presets get different names by this template. */
export function tellsPresets(text: string): boolean {
  return text.includes('{preset}') || text.includes('{run}')
}

/** The template for several presets: with the preset behind the name where it does not tell them apart already. */
export function nameTemplateForPresets(text: string): string {
  if (tellsPresets(text)) return text
  const file = Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1
  const suffix = text.indexOf('{suffix}', file)
  const at = suffix >= 0 ? suffix : text.lastIndexOf('.{ext}')
  return at < file ? text : `${text.slice(0, at)}-{preset}${text.slice(at)}`
}

type Piece = { readonly text: string } | { readonly token: Token }

/** A checked template. */
export interface NameTemplate {
  readonly text: string
  /** One list of pieces for each part of the path. */
  readonly parts: readonly (readonly Piece[])[]
}

export type ParsedTemplate =
  | { readonly ok: true; readonly template: NameTemplate }
  | { readonly ok: false; readonly problem: string }

/** Reads a template such as `{folder}/{name}{suffix}.{ext}`; a problem is told in one sentence. */
export function parseNameTemplate(text: string): ParsedTemplate {
  const no = (problem: string): ParsedTemplate => ({ ok: false, problem })
  if (text.trim() === '') return no(say`The name template is empty.`)
  if (text.length > 500) return no(say`The name template is longer than 500 characters.`)
  if (/^[/\\]|^[a-z]:/i.test(text)) {
    return no(say`The name template ${text} is absolute; names are always below the output folder.`)
  }
  const parts: Piece[][] = []
  const found = new Set<Token>()
  for (const part of text.split(/[/\\]/)) {
    if (/^\.+$/.test(part.trim()))
      return no(say`The name template ${text} has a part of dots alone (. or ..).`)
    const pieces: Piece[] = []
    for (const [whole, token] of part.matchAll(/\{([^{}]*)\}|[^{}]+|[{}]/g)) {
      if (whole === '{' || whole === '}')
        return no(say`The name template ${text} has a brace without its partner.`)
      const known = tokens.find((name) => name === token)
      if (token !== undefined && !known) {
        return no(
          say`The name template has {${token}}, but only ${tokens.map((name) => `{${name}}`).join(' ')} exist.`,
        )
      }
      if (known) found.add(known)
      pieces.push(known ? { token: known } : { text: whole })
    }
    parts.push(pieces)
  }
  if (!text.endsWith('.{ext}')) return no(say`The name template must end in .{ext}.`)
  if (!found.has('name') && !found.has('n') && !found.has('run')) {
    return no(say`The name template needs {name}, {n} or {run}, or all pictures would have one name.`)
  }
  return { ok: true, template: { text, parts } }
}

/**
 * The path of an output below the output folder, with forward slashes and safe parts.
 * @param room most UTF-8 bytes that the path may take (pathRoom)
 */
export function renderName(template: NameTemplate, values: NameValues, room = 1024): string {
  const last = template.parts.length - 1
  const extension = `.${safeName(values.ext)}`
  const parts = template.parts.flatMap((pieces, index) => {
    // Only the folder may be several parts; a separator in any other value is a letter to be replaced.
    const filled = pieces.map((piece) => ('text' in piece ? piece.text : valueOf(piece.token, values)))
    if (index === last) return [fileName(filled.join(''), extension)]
    const alone = pieces.length === 1 && 'token' in pieces[0]! && pieces[0].token === 'folder'
    const folders = alone ? values.folder.split(/[/\\]/) : [filled.join('')]
    return folders.filter((folder) => !/^[.\s]*$/.test(folder)).map((folder) => safeName(folder))
  })
  return fit(parts, extension, room)
}

/** The file's own part; an empty or invisible stem would leave a hidden file. */
function fileName(text: string, extension: string): string {
  const stem = text.slice(0, text.length - extension.length)
  const safe = safeName(stem + extension, extension.length)
  return /^[_ ]*\.?$/.test(safe.slice(0, -extension.length)) ? `image${extension}` : safe
}

function valueOf(token: Token, values: NameValues): string {
  if (token === 'n') return String(values.n).padStart(String(Math.max(values.of, values.n)).length, '0')
  if (token === 'ext') return safeName(values.ext)
  return values[token]
}

/** Shortens the file's stem, then drops folders from the top, until the path fits. */
function fit(parts: readonly string[], extension: string, room: number): string {
  const path = parts.join('/')
  if (bytesOf(path) <= room) return path
  const file = parts.at(-1)!
  const folders = parts.slice(0, -1)
  const stem = file.slice(0, file.length - extension.length)
  const left = room - bytesOf(path) + bytesOf(stem)
  if (left >= 16) {
    // One byte less: what is left may be reserved, and gets a mark.
    const shorter = cut(stem, left - 1).replace(/[. ]+$/, '')
    return [...folders, safeName(shorter + extension, extension.length)].join('/')
  }
  return folders.length > 0
    ? fit(parts.slice(1), extension, room)
    : safeName(cut(stem, 16) + extension, extension.length)
}

/** Room that an output folder leaves for the path below it, with some for " (2)"; Windows programs stop at 259. */
export function pathRoom(outDir: string, platform: string = process.platform): number {
  const most = platform === 'win32' ? 259 : platform === 'darwin' ? 1016 : 4000
  return Math.max(64, most - bytesOf(outDir) - 1 - 10)
}
