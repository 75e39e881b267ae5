import { t } from '../../shared/language/text.ts'

/** ⌘ on a Mac, Ctrl elsewhere. */
export type Platform = 'mac' | 'windows' | 'linux'

/** A shortcut as an action names it: "mod+shift+r", "c", "mod+enter". `mod` is ⌘ or Ctrl. */
export type Shortcut = string

interface Pressed {
  readonly key: string
  readonly code: string
  readonly metaKey: boolean
  readonly ctrlKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
}

const named: Readonly<Record<string, string>> = {
  enter: 'Enter',
  escape: 'Escape',
  backspace: 'Backspace',
  space: ' ',
  plus: '+',
  minus: '-',
}

const macCaps: Readonly<Record<string, string>> = {
  mod: '⌘',
  shift: '⇧',
  alt: '⌥',
  enter: '↵',
  backspace: '⌫',
  escape: t`Esc`,
  space: t`Space`,
  plus: '+',
  minus: '−',
}
const otherCaps: Readonly<Record<string, string>> = {
  ...macCaps,
  mod: t`Ctrl`,
  shift: t`Shift`,
  alt: t`Alt`,
  backspace: '⌫',
}

/** How a shortcut is printed: "⇧⌘R" on a Mac, "Ctrl Shift R" elsewhere (no plus signs). */
export function printShortcut(shortcut: Shortcut, platform: Platform): string {
  const parts = shortcut.split('+')
  const caps = platform === 'mac' ? macCaps : otherCaps
  const print = (part: string) => caps[part] ?? part.toUpperCase()
  if (platform !== 'mac') return parts.map(print).join(' ')
  const order = ['alt', 'shift', 'mod']
  return [...order.filter((part) => parts.includes(part)), ...parts.filter((part) => !order.includes(part))]
    .map(print)
    .join('')
}

/** Whether a key press is this shortcut. Digits go by their place on the keyboard, since Alt changes what they write. */
export function isShortcut(shortcut: Shortcut, pressed: Pressed, platform: Platform): boolean {
  const parts = shortcut.split('+')
  const main = parts.at(-1) ?? ''
  const mod = platform === 'mac' ? pressed.metaKey : pressed.ctrlKey
  const other = platform === 'mac' ? pressed.ctrlKey : pressed.metaKey
  if (other || mod !== parts.includes('mod') || pressed.altKey !== parts.includes('alt')) return false
  // A sign such as "?" or "+" needs Shift on some keyboards and not on others.
  const isSign = main.length === 1 && !/[a-z0-9]/.test(main)
  if (!isSign && main !== 'plus' && pressed.shiftKey !== parts.includes('shift')) return false
  if (/^[0-9]$/.test(main) && parts.includes('alt')) return pressed.code === `Digit${main}`
  return pressed.key.toLowerCase() === (named[main] ?? main).toLowerCase()
}

/** A single letter, digit or sign: it never acts in a text field, and a person may turn these off (WCAG 2.1.4). */
export function isSingleKey(shortcut: Shortcut): boolean {
  return !/^(?:mod|alt)\+|\+(?:mod|alt)\+/.test(shortcut) && !/(?:^|\+)f\d+$/.test(shortcut)
}

/** Whether keys that are typed go into a text there. */
export function isTextField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target instanceof HTMLTextAreaElement) return true
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'range', 'button'].includes(target.type)
}

export function platformOf(navigatorPlatform: string): Platform {
  if (/mac|iphone|ipad/i.test(navigatorPlatform)) return 'mac'
  return /win/i.test(navigatorPlatform) ? 'windows' : 'linux'
}
