/** How a program is started: its file, and the arguments that always come first. */
export interface Launch {
  readonly program: string
  readonly args: readonly string[]
}

const switchName = '--with-preset='

/** Says with which preset what follows is to be looked at. Plain letters alone, so that no system's quoting gets in its way. */
export function presetSwitch(name: string): string {
  // The five that encodeURIComponent leaves alone are signs of some shell.
  const rest = (sign: string) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`
  return `${switchName}${encodeURIComponent(name.replace(/\p{Cs}/gu, '\uFFFD')).replace(/[!'()*]/g, rest)}`
}

/** The preset that a switch names; undefined for every other argument. */
export function presetOf(arg: string): string | undefined {
  if (!arg.startsWith(switchName)) return undefined
  try {
    return decodeURIComponent(arg.slice(switchName.length)).slice(0, 200) || undefined
  } catch {
    return undefined
  }
}

/** A word of a POSIX shell that means just this text. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** A word of a desktop entry's `Exec`, with the escapes of both of its layers: of the command and of the file. */
export function execWord(text: string): string {
  const quoted = text.replace(/["`$\\]/g, String.raw`\$&`).replaceAll('%', '%%')
  return entryText(`"${quoted}"`)
}

/** A value in a desktop entry. */
export function entryText(text: string): string {
  return text.replaceAll('\\', String.raw`\\`).replace(/[\r\n]+/g, ' ')
}

/** A word of a Windows command line, as programs take it apart (CommandLineToArgvW). */
export function windowsWord(text: string): string {
  const inside = text.replace(/(\\*)"/g, String.raw`$1$1\"`).replace(/(\\+)$/, '$1$1')
  return `"${inside}"`
}

/** A text of PowerShell that means just this; its typographic quotes end a text, too. */
export function powershellText(text: string): string {
  return `'${text.replace(/['\u2018\u2019\u201a\u201b]/g, '$&$&')}'`
}

/** Text of an XML document. */
export function xmlText(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  return text.replace(/[&<>"]/g, (sign) => entities[sign]!)
}
