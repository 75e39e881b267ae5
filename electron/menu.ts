import type { MenuItemConstructorOptions } from 'electron'
import type { MenuCommand } from '../shared/contract/desktop-contract.ts'
import type { Platform } from './window-options.ts'
import { spoken, t } from '../shared/language/text.ts'

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
  const settings = entry(mac ? t`Settings…` : t`Settings`, 'preferences', 'CmdOrCtrl+,')
  const commandLine = entry(t`Install command line tool…`, 'command-line')
  const about: Item = { label: t`About Vitrine`, click: () => acts.showAbout() }
  return [
    ...(mac
      ? [{ label: t`Vitrine`, submenu: [about, line, settings, commandLine, line, ...macProgram()] }]
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
          ? [line, own('close', t`Close window`)]
          : [line, settings, commandLine, line, own('quit', t`Quit`)]),
      ],
    },
    { label: t`&Edit`, submenu: edit() },
    {
      label: t`&Batch`,
      submenu: [
        entry(t`Start`, 'start', 'CmdOrCtrl+Enter'),
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
    windowMenu(mac),
    {
      ...own('help', t`Help`),
      submenu: [entry(t`All shortcuts`, 'keys'), ...(mac ? [] : [line, about])],
    },
  ]
}

/** An entry of the system's own. Electron words these in English only, so they get a label where another is spoken. */
function own(role: NonNullable<Item['role']>, label: string): Item {
  return spoken() === 'en' ? { role } : { role, label }
}

function macProgram(): Item[] {
  return [
    own('services', t`Services`),
    line,
    own('hide', t`Hide Vitrine`),
    own('hideOthers', t`Hide others`),
    own('unhide', t`Show all`),
    line,
    own('quit', t`Quit Vitrine`),
  ]
}

function edit(): Item[] {
  return [
    own('undo', t`Undo`),
    own('redo', t`Redo`),
    line,
    own('cut', t`Cut`),
    own('copy', t`Copy`),
    own('paste', t`Paste`),
    own('selectAll', t`Select all`),
  ]
}

/** Its entries are those that the role would bring by itself. */
function windowMenu(mac: boolean): Item {
  const menu = own('windowMenu', t`Window`)
  if (menu.label === undefined) return menu
  const ends = mac ? [line, own('front', t`Bring all to front`)] : [own('close', t`Close window`)]
  return { ...menu, submenu: [own('minimize', t`Minimize`), own('zoom', t`Zoom`), ...ends] }
}

function view(
  entry: (label: string, id: MenuCommand, accelerator?: string) => Item,
  acts: MenuActs,
  isPackaged: boolean,
): Item[] {
  return [
    entry(t`Search`, 'search', 'CmdOrCtrl+F'),
    entry(t`Commands`, 'palette', 'CmdOrCtrl+K'),
    line,
    entry(t`Grid or table`, 'arrangement'),
    entry(t`Sidebar`, 'sidebar', 'CmdOrCtrl+B'),
    entry(t`Inspector`, 'inspector', 'CmdOrCtrl+I'),
    entry(t`Next region`, 'next-region', 'F6'),
    line,
    entry(t`History`, 'history'),
    entry(t`Presets`, 'presets'),
    line,
    { label: t`Larger text`, accelerator: 'CmdOrCtrl+Plus', click: () => acts.zoom(1) },
    { label: t`Smaller text`, accelerator: 'CmdOrCtrl+-', click: () => acts.zoom(-1) },
    { label: t`Usual size`, accelerator: 'CmdOrCtrl+0', click: () => acts.zoom(0) },
    own('togglefullscreen', t`Full screen`),
    ...(isPackaged ? [] : [line, { role: 'toggleDevTools' } as Item]),
  ]
}
