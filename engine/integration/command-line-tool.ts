import { accessSync, constants, existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { posix, win32 } from 'node:path'
import type { Desk } from './entries.ts'
import { runPowershell } from './file-manager.ts'
import { powershellText, shellWord } from './launch.ts'
import { say } from '../../shared/language/say.ts'

/** By this line the file is known to be ours; nothing without it is ever replaced or removed. */
const mark = 'Written by Vitrine (command line)'
const largest = 64 * 1024

/** The command `vitrine`, as a terminal finds it. */
export interface CommandLineTool {
  readonly path: string
  readonly isInstalled: boolean
  /** For a person: how it is used now, or what to do so that it can be. */
  readonly sentence: string
}

/** What cannot be done, as one sentence for a person. */
export class ToolProblem extends Error {
  override readonly name = 'ToolProblem'
}

/** How things stand. */
export async function lookAtTool(desk: Desk): Promise<CommandLineTool> {
  const { folder, path } = placeOf(desk)
  const found = await contentOf(path)
  if (found === 'ours') return { path, isInstalled: true, sentence: howToUse(desk, folder) }
  const sentence =
    found === 'none'
      ? say`Not installed.`
      : say`${path} belongs to another program. Move it away first; Vitrine leaves it as it is.`
  return { path, isInstalled: false, sentence }
}

/** Writes the command, in the place of one of ours. @throws ToolProblem */
export async function installTool(desk: Desk): Promise<CommandLineTool> {
  const { folder, path } = placeOf(desk)
  await changing(path, async () => {
    if ((await contentOf(path)) === 'foreign') {
      throw new ToolProblem(say`${path} belongs to another program, so it stays as it is.`)
    }
    await mkdir(folder, { recursive: true })
    const part = `${path}.part`
    await writeFile(part, toolText(desk), { mode: 0o755 })
    await rename(part, path)
    if (desk.platform === 'win32') await runPowershell(userPathScript(folder, 'add'))
  })
  return await lookAtTool(desk)
}

/** Removes the command, if it is ours. @throws ToolProblem */
export async function removeTool(desk: Desk): Promise<CommandLineTool> {
  const { folder, path } = placeOf(desk)
  await changing(path, async () => {
    if ((await contentOf(path)) !== 'ours') return
    await rm(path, { force: true })
    if (desk.platform === 'win32') await runPowershell(userPathScript(folder, 'remove'))
  })
  return await lookAtTool(desk)
}

function placeOf({ platform, userHome, env }: Desk): { folder: string; path: string } {
  if (platform === 'win32') {
    const local = env['LOCALAPPDATA'] ?? win32.join(userHome, 'AppData', 'Local')
    const folder = win32.join(local, 'Vitrine', 'bin')
    return { folder, path: win32.join(folder, 'vitrine.cmd') }
  }
  const common = '/usr/local/bin'
  const folder = platform === 'darwin' && isWritable(common) ? common : posix.join(userHome, '.local', 'bin')
  return { folder, path: posix.join(folder, 'vitrine') }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

async function contentOf(path: string): Promise<'ours' | 'foreign' | 'none'> {
  if (!existsSync(path)) return 'none'
  const facts = await stat(path).catch(() => undefined)
  if (!facts?.isFile() || facts.size > largest) return 'foreign'
  return (await readFile(path, 'utf8')).includes(mark) ? 'ours' : 'foreign'
}

/** What the file holds. After the two dashes nothing is taken for a switch of the window's. */
export function toolText({ platform, launch }: Desk): string {
  const { program, args } = launch
  if (platform === 'win32') {
    // In a batch file two of them are one; there is no other sign that a path can hold and a quote does not cover.
    const words = [program, ...args].map((word) => `"${word.replaceAll('%', '%%')}"`)
    return `@echo off\r\nrem ${mark}\r\n${words.join(' ')} --command-line -- %*\r\nexit /b %errorlevel%\r\n`
  }
  const gone = `Vitrine is not at ${program} any more. Open it where it is now, and install its command line tool again.`
  return [
    '#!/bin/sh',
    `# ${mark}`,
    `[ -x ${shellWord(program)} ] || { printf '%s\\n' ${shellWord(gone)} >&2; exit 69; }`,
    // Chromium wants a screen, although no window is opened.
    ...(platform === 'linux'
      ? ['screen=', '[ -n "${DISPLAY-}${WAYLAND_DISPLAY-}" ] || screen=--ozone-platform=headless']
      : []),
    `exec ${[program, ...args].map(shellWord).join(' ')} ${platform === 'linux' ? '$screen ' : ''}--command-line -- "$@"`,
    '',
  ].join('\n')
}

function howToUse({ platform, env }: Desk, folder: string): string {
  if (platform === 'win32') return say`Open a new terminal and type vitrine --help.`
  const isOnPath = (env['PATH'] ?? '').split(':').includes(folder)
  if (isOnPath) return say`Open a terminal and type vitrine --help.`
  const profile = platform === 'darwin' ? '~/.zprofile' : '~/.profile'
  return say`Type vitrine --help in a new terminal. If it is not found there, ${folder} is not on your PATH: add the line export PATH="$HOME/.local/bin:$PATH" to ${profile}.`
}

/** Changes the person's own PATH, and nothing else in it: variables in it stay variables. */
export function userPathScript(folder: string, change: 'add' | 'remove'): string {
  return [
    "$ErrorActionPreference = 'Stop'",
    `$folder = ${powershellText(folder)}`,
    "$key = [Microsoft.Win32.Registry]::CurrentUser.OpenSubKey('Environment', $true)",
    "$now = [string]$key.GetValue('Path', '', 'DoNotExpandEnvironmentNames')",
    "$rest = @($now -split ';' | Where-Object { $_ -ne '' -and $_ -ne $folder })",
    change === 'add' ? '$rest += $folder' : '',
    "$key.SetValue('Path', ($rest -join ';'), 'ExpandString')",
    // Writing any variable this way tells the programs that run of the change.
    "[Environment]::SetEnvironmentVariable('VITRINE_PATH_CHANGED', $null, 'User')",
  ].join('\r\n')
}

async function changing(path: string, change: () => Promise<void>): Promise<void> {
  try {
    await change()
  } catch (error) {
    if (error instanceof ToolProblem) throw error
    const { code } = error as NodeJS.ErrnoException
    throw new ToolProblem(say`${path} could not be changed (${code ?? say`no reason is known`}).`)
  }
}
