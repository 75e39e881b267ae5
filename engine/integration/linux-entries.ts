import { isAbsolute, join } from 'node:path'
import {
  entryMark,
  entryNames,
  wishTitle,
  type Desk,
  type EntryFile,
  type Place,
  type Wish,
} from './entries.ts'
import { entryText, execWord, presetSwitch, shellWord } from './launch.ts'

/** What the program reads: folders, pictures, lists and shortcuts. */
const kinds = [
  'inode/directory',
  'image/*',
  'text/plain',
  'text/csv',
  'text/tab-separated-values',
  'application/json',
  'application/x-mswinurl',
]

/** File managers of Linux. Scripts are named by their files; the others have entries of their own. */
export function linuxPlaces(desk: Desk): Place[] {
  const data = folderOf(desk, 'XDG_DATA_HOME', '.local/share')
  const config = folderOf(desk, 'XDG_CONFIG_HOME', '.config')
  const scripts = (id: string, title: string, folder: string): Place => ({
    id,
    title,
    programs: [id],
    folder,
    files: (wishes) => entryNames(wishes).map(({ wish, name }) => scriptFile(desk, join(folder, name), wish)),
  })
  const menus = join(data, 'kio', 'servicemenus')
  const sendTo = join(data, 'Thunar', 'sendto')
  return [
    scripts('nautilus', 'GNOME Files (Scripts)', join(data, 'nautilus', 'scripts')),
    scripts('nemo', 'Nemo (Scripts)', join(data, 'nemo', 'scripts')),
    scripts('caja', 'Caja (Scripts)', join(config, 'caja', 'scripts')),
    {
      id: 'dolphin',
      title: 'Dolphin (Actions)',
      programs: ['dolphin'],
      folder: menus,
      files: (wishes) => [serviceMenu(desk, menus, wishes)],
    },
    {
      id: 'thunar',
      title: 'Thunar (Send To)',
      programs: ['thunar', 'Thunar'],
      folder: sendTo,
      files: (wishes) =>
        entryNames(wishes).map(({ wish, name }) => sendToEntry(desk, join(sendTo, `${name}.desktop`), wish)),
    },
  ]
}

/** A folder of the desktop's standard; a relative one counts as none. */
function folderOf({ env, userHome }: Desk, name: string, usual: string): string {
  const named = env[name]
  return named !== undefined && isAbsolute(named) ? named : join(userHome, usual)
}

function scriptFile(desk: Desk, path: string, wish: Wish): EntryFile {
  return {
    kind: 'file',
    path,
    text: `#!/bin/sh\n# ${entryMark}\n${openScript(desk, wish)}`,
    mode: 0o755,
  }
}

/**
 * Opens the program with the script's arguments, made absolute: file managers name files as they lie in the folder that
 * is shown. What a name holds (spaces, quotes, `%`, line breaks, a dash in front) is never looked at.
 */
function openScript({ launch }: Pick<Desk, 'launch'>, { preset }: Wish): string {
  const words = [launch.program, ...launch.args, ...(preset === null ? [] : [presetSwitch(preset)])]
  return [
    'for path do',
    '  shift',
    '  case $path in',
    '    /*) ;;',
    '    *) path=$PWD/$path ;;',
    '  esac',
    '  set -- "$@" "$path"',
    'done',
    `exec ${words.map(shellWord).join(' ')} -- "$@"`,
    '',
  ].join('\n')
}

function execLine({ launch }: Desk, { preset }: Wish): string {
  const words = [launch.program, ...launch.args, ...(preset === null ? [] : [presetSwitch(preset)])]
  return `Exec=${words.map(execWord).join(' ')} -- %F`
}

function serviceMenu(desk: Desk, folder: string, wishes: readonly Wish[]): EntryFile {
  const actions = wishes.map((wish, at) => ({ wish, id: `vitrine${at}` }))
  const lines = [
    '[Desktop Entry]',
    `# ${entryMark}`,
    'Type=Service',
    `MimeType=${kinds.join(';')};`,
    `Actions=${actions.map(({ id }) => id).join(';')};`,
    'X-KDE-Submenu=Vitrine',
    ...actions.flatMap(({ wish, id }) => [
      '',
      `[Desktop Action ${id}]`,
      `Name=${entryText(wishTitle(wish))}`,
      'Icon=vitrine',
      execLine(desk, wish),
    ]),
    '',
  ]
  // Plasma runs only menus that may be executed.
  return { kind: 'file', path: join(folder, 'vitrine.desktop'), text: lines.join('\n'), mode: 0o755 }
}

function sendToEntry(desk: Desk, path: string, wish: Wish): EntryFile {
  const lines = [
    '[Desktop Entry]',
    `# ${entryMark}`,
    'Type=Application',
    `Name=${entryText(wishTitle(wish))}`,
    'Icon=vitrine',
    'Terminal=false',
    execLine(desk, wish),
    '',
  ]
  return { kind: 'file', path, text: lines.join('\n'), mode: 0o755 }
}
