import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emptyFolder, stage } from './testing/stage.ts'

/** What bash offers for a line, as the tab key would. */
function offeredByBash(script: string, words: readonly string[]): string[] {
  const asked = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _vitrine; printf '%s\\n' "\${COMPREPLY[@]}"`
  const out = execFileSync('bash', ['--norc', '-c', asked, 'bash', script, ...words], { encoding: 'utf8' })
  return out.split('\n').filter(Boolean)
}

test('bash completes commands, their own commands, options and choices, and leaves files to itself', async (context) => {
  const { call, write } = await stage(context)
  const { status, out } = await call(['completions', 'bash'])
  expect(status).toBe(0)
  const script = await write('vitrine.bash', out)
  const offered = (...words: string[]) => offeredByBash(script, ['vitrine', ...words])
  expect(offered('ru')).toEqual(['run', 'runs'])
  expect(offered('presets', 'im')).toEqual(['import'])
  expect(offered('presets', 'import', '--')).toEqual(['--yes', '--help'])
  expect(offered('run', '--on')).toEqual(['--on-conflict'])
  expect(offered('run', 'list.txt', '--on-conflict', '')).toEqual(['rename', 'skip', 'overwrite'])
  expect(offered('run', '--out', '')).toEqual([])
  // The name of a preset that is called like a command changes nothing.
  expect(offered('run', '--preset', 'presets', '--bud')).toEqual(['--budget'])
  expect(offered('hot-folders', 'add', 'Studio', '--mo')).toEqual(['--move-done'])
  expect(offered('completions', '')).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish', 'powershell']))
})

test('every command of the program is in every script', async (context) => {
  const { call } = await stage(context)
  const help = (await call(['--help'])).out
  const commands = [...help.matchAll(/^ {2}([a-z][a-z-]+)/gm)].map(([, name]) => name!)
  expect(commands.length).toBeGreaterThan(10)
  for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
    const { out } = await call(['completions', shell])
    for (const name of commands) expect(out, `${shell}: ${name}`).toMatch(new RegExp(`[ "']${name}[ "']`))
  }
  expect((await call(['completions', 'csh'])).status).toBe(64)
})

/** Shells that not every machine has; bash, above, is on all that run these tests. */
const has = (shell: string) => spawnSync(shell, ['--version']).status === 0

test.runIf(has('fish'))('fish completes', async (context) => {
  const { call } = await stage(context)
  const home = await emptyFolder(context)
  const { out } = await call(['completions', 'fish'])
  const offered = (line: string) =>
    execFileSync('fish', ['--no-config', '-c', `${out}\ncomplete --do-complete '${line}'`], {
      encoding: 'utf8',
      env: { ...process.env, HOME: home },
    })
      .split('\n')
      .filter(Boolean)
  expect(offered('vitrine ru')).toEqual(['run', 'runs'])
  expect(offered('vitrine presets im')).toEqual(['import'])
  expect(offered('vitrine run --on-conflict ')).toEqual(['overwrite', 'rename', 'skip'])
})

test.runIf(has('zsh'))('zsh takes the script, and completes', async (context) => {
  const { call, write } = await stage(context)
  const script = await write('_vitrine', (await call(['completions', 'zsh'])).out)
  const dump = join(await emptyFolder(context), 'zcompdump')
  // compadd is asked what it would add: -O takes the matches into a list.
  const asked = `autoload -U compinit; compinit -u -d "$2"; source "$1"; shift 2
    compadd() { while [[ "$1" != -- ]]; do shift; done; shift; print -l -- "$@" }
    _files() { print FILES }
    words=("$@"); CURRENT=$#; _vitrine`
  const offered = (...words: string[]) =>
    execFileSync('zsh', ['-f', '-c', asked, 'zsh', script, dump, 'vitrine', ...words], { encoding: 'utf8' })
      .split('\n')
      .filter(Boolean)
  expect(offered('')).toEqual(expect.arrayContaining(['run', 'report', 'completions']))
  expect(offered('presets', '')).toEqual(expect.arrayContaining(['import', 'FILES']))
  expect(offered('run', '--on-conflict', '')).toEqual(['rename', 'skip', 'overwrite'])
  expect(offered('run', '--out', '')).toEqual(['FILES'])
})
