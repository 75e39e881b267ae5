import type { MenuItemConstructorOptions } from 'electron'
import type { MenuCommand } from '../shared/contract/desktop-contract.ts'
import type { Platform } from './window-options.ts'
import { t } from '../shared/language/text.ts'

/** What the menus do by themselves. */
export interface MenuActs {
  readonly command: (id: MenuCommand) => void
  readonly zoom: (change: 1 | -1 | 0) => void
  readonly showAbout: () => void
}

type Item = MenuItemConstructorOptions
const line: Item = { type: 'separator' }

/**
 * The menus, with the shortcuts of the platform. Entries with a name of the page's actions only say
 * it to the page: what may be done at present is decided there, and asked there where it costs something.
 */
export function menuTemplate(platform: Platform, acts: MenuActs, isPackaged: boolean): Item[] {
  const mac = platform === 'mac'
  const entry = (label: string, id: MenuCommand, accelerator?: string): Item => ({
    id,
    label,
    click: () => acts.command(id),
    // The page hears its own keys; here they are only shown, so that one press is never two commands.
    ...(accelerator === undefined ? {} : { accelerator, registerAccelerator: false }),
  })
  const settings = entry(mac ? 'Settings…' : 'Settings', 'preferences', 'CmdOrCtrl+,')
  const commandLine = entry(t`Install command line tool…`, 'command-line')
  const about: Item = { label: t`About Vitrine`, click: () => acts.showAbout() }
  return [
    ...(mac
      ? [{ label: t`Vitrine`, submenu: [about, line, settings, commandLine, line, ...macProgram] }]
      : []),
    {
      label: t`&File`,
      submenu: [
        entry(t`New batch`, 'new-batch', 'CmdOrCtrl+N'),
        entry(t`Choose folder…`, 'choose-folder', 'CmdOrCtrl+O'),
        entry(t`Paste URLs`, 'paste'),
        line,
        entry(t`Open output folder`, 'open-out-dir'),
        ...(mac
          ? [line, { role: 'close' } as Item]
          : [line, settings, commandLine, line, { role: 'quit' } as Item]),
      ],
    },
    { label: t`&Edit`, submenu: edit },
    {
      label: t`&Batch`,
      submenu: [
        entry('Start', 'start', 'CmdOrCtrl+Enter'),
        entry(t`Pause or resume`, 'pause', 'CmdOrCtrl+.'),
        entry(t`Pause or resume all`, 'pause-all'),
        line,
        entry(t`Retry failed…`, 'retry-failed', 'Shift+CmdOrCtrl+R'),
        entry(t`Needs review…`, 'review'),
        line,
        entry(t`Show in folder`, 'reveal', 'CmdOrCtrl+R'),
      ],
    },
    { label: t`&View`, submenu: view(entry, acts, isPackaged) },
    { role: 'windowMenu' },
    {
      role: 'help',
      submenu: [entry(t`All shortcuts`, 'keys'), ...(mac ? [] : [line, about])],
    },
  ]
}

const macProgram: Item[] = [
  { role: 'services' },
  line,
  { role: 'hide' },
  { role: 'hideOthers' },
  { role: 'unhide' },
  line,
  { role: 'quit' },
]

const edit: Item[] = [
  { role: 'undo' },
  { role: 'redo' },
  line,
  { role: 'cut' },
  { role: 'copy' },
  { role: 'paste' },
  { role: 'selectAll' },
]

function view(
  entry: (label: string, id: MenuCommand, accelerator?: string) => Item,
  acts: MenuActs,
  isPackaged: boolean,
): Item[] {
  return [
    entry('Search', 'search', 'CmdOrCtrl+F'),
    entry('Commands', 'palette', 'CmdOrCtrl+K'),
    line,
    entry(t`Grid or table`, 'arrangement'),
    entry('Sidebar', 'sidebar', 'CmdOrCtrl+B'),
    entry('Inspector', 'inspector', 'CmdOrCtrl+I'),
    entry(t`Next region`, 'next-region', 'F6'),
    line,
    entry('History', 'history'),
    entry('Presets', 'presets'),
    line,
    { label: t`Larger text`, accelerator: 'CmdOrCtrl+Plus', click: () => acts.zoom(1) },
    { label: t`Smaller text`, accelerator: 'CmdOrCtrl+-', click: () => acts.zoom(-1) },
    { label: t`Usual size`, accelerator: 'CmdOrCtrl+0', click: () => acts.zoom(0) },
    { role: 'togglefullscreen' },
    ...(isPackaged ? [] : [line, { role: 'toggleDevTools' } as Item]),
  ]
}
