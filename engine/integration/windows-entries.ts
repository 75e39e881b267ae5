import { win32 } from 'node:path'
import { entryMark, entryNames, type Desk, type EntryFile, type Place, type Wish } from './entries.ts'
import { powershellText, presetSwitch, windowsWord } from './launch.ts'

/**
 * "Send to" of the Explorer: it starts a shortcut's program once, with all chosen files, quoted as programs read it. An
 * entry in the registry would start it once for each file, and a batch file would take names apart by itself.
 */
export function windowsPlaces(desk: Desk): Place[] {
  const roaming = desk.env['APPDATA'] ?? win32.join(desk.userHome, 'AppData', 'Roaming')
  const folder = win32.join(roaming, 'Microsoft', 'Windows', 'SendTo')
  return [
    {
      id: 'explorer',
      title: 'Explorer (Send to)',
      programs: [],
      folder,
      files: (wishes) =>
        entryNames(wishes).map(({ wish, name }) => shortcut(desk, folder, `${name}.lnk`, wish)),
    },
  ]
}

function shortcut({ launch }: Desk, folder: string, name: string, wish: Wish): EntryFile {
  const path = win32.join(folder, name)
  const args = [...launch.args, ...(wish.preset === null ? [] : [presetSwitch(wish.preset)])]
  const text = [
    "$ErrorActionPreference = 'Stop'",
    // Scripting hosts save under plain names alone; moving takes every name.
    `$folder = ${powershellText(folder)}`,
    "$temp = Join-Path $folder ('vitrine-' + [guid]::NewGuid().ToString('N') + '.lnk')",
    '$link = (New-Object -ComObject WScript.Shell).CreateShortcut($temp)',
    `$link.TargetPath = ${powershellText(launch.program)}`,
    `$link.Arguments = ${powershellText([...args.map(windowsWord), '--'].join(' '))}`,
    `$link.Description = ${powershellText(entryMark)}`,
    '$link.Save()',
    `Move-Item -Force -LiteralPath $temp -Destination ${powershellText(path)}`,
    '',
  ].join('\r\n')
  return { kind: 'link', path, text, mode: 0o644 }
}
