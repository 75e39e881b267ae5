import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  installTool,
  lookAtTool,
  removeTool,
  ToolProblem,
  toolText,
  userPathScript,
} from './command-line-tool.ts'
import type { Desk } from './entries.ts'

const run = promisify(execFile)

async function scene() {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-command-'))
  onTestFinished(async () => await rm(folder, { recursive: true, force: true }))
  const programs = join(folder, `it's "here" 50%`)
  await mkdir(programs)
  await symlink(process.execPath, join(programs, 'Vitrine'))
  const script = join(programs, 'say.mjs')
  await writeFile(script, 'console.log(JSON.stringify(process.argv.slice(2))); process.exitCode = 2')
  const desk: Desk = {
    platform: 'linux',
    userHome: folder,
    env: { PATH: '/usr/bin:/bin' },
    launch: { program: join(programs, 'Vitrine'), args: [script] },
  }
  return { folder, desk, bin: join(folder, '.local', 'bin') }
}

describe.skipIf(process.platform === 'win32')('with a real shell', () => {
  test('the command is found on the PATH, hands every argument on, and ends as the program ends', async () => {
    const { desk, bin } = await scene()
    expect(await lookAtTool(desk)).toEqual({
      path: join(bin, 'vitrine'),
      isInstalled: false,
      sentence: 'Not installed.',
    })
    const installed = await installTool(desk)
    expect(installed.isInstalled).toBe(true)
    expect(installed.sentence).toContain(`${bin} is not on your PATH: add the line export PATH=`)
    const env = { PATH: `${bin}:/usr/bin:/bin`, DISPLAY: ':9' }
    const end = await run('/bin/sh', ['-c', `vitrine run "it's" '--name' '{name} 50%\n$x' -- '*' ''`], {
      env,
    }).catch((error: unknown) => error)
    expect(end).toMatchObject({ code: 2 })
    const said = JSON.parse((end as { stdout: string }).stdout) as string[]
    expect(said).toEqual(['--command-line', '--', 'run', "it's", '--name', '{name} 50%\n$x', '--', '*', ''])
    expect((await lookAtTool({ ...desk, env })).sentence).toBe('Open a terminal and type vitrine --help.')
    await removeTool(desk)
    await expect(run('/bin/sh', ['-c', 'vitrine'], { env })).rejects.toMatchObject({ code: 127 })
  })

  test('without a screen Chromium is told so', async () => {
    const { desk, bin } = await scene()
    await installTool(desk)
    const end = await run(join(bin, 'vitrine'), ['--help'], { env: { PATH: '/bin' } }).catch(
      (error: unknown) => error,
    )
    const said = JSON.parse((end as { stdout: string }).stdout) as string[]
    expect(said).toEqual(['--ozone-platform=headless', '--command-line', '--', '--help'])
  })

  test('a program that has moved is told in a sentence', async () => {
    const { desk, bin } = await scene()
    await installTool(desk)
    await rm(desk.launch.program)
    const end = run(join(bin, 'vitrine'), [], { env: { PATH: '/bin' } })
    await expect(end).rejects.toMatchObject({
      code: 69,
      stderr: expect.stringContaining('any more. Open it'),
    })
  })
})

test('a command of another program stays as it is', async () => {
  const { desk, bin } = await scene()
  await mkdir(bin, { recursive: true })
  await writeFile(join(bin, 'vitrine'), 'mine')
  await expect(installTool(desk)).rejects.toThrow(ToolProblem)
  expect(await removeTool(desk)).toMatchObject({ isInstalled: false })
  expect(await readFile(join(bin, 'vitrine'), 'utf8')).toBe('mine')
  expect(existsSync(join(bin, 'vitrine.part'))).toBe(false)
})

test('a large file is another program’s, whatever stands in it', async () => {
  const { desk, bin } = await scene()
  await installTool(desk)
  const ours = await readFile(join(bin, 'vitrine'), 'utf8')
  await writeFile(join(bin, 'vitrine'), ours + '#'.repeat(70_000))
  expect(await lookAtTool(desk)).toMatchObject({ isInstalled: false })
  await expect(installTool(desk)).rejects.toThrow('belongs to another program')
})

test('on Windows the command is the program with every argument, and ends as it ends', async () => {
  const launch = { program: String.raw`C:\it's 50% %PATH%\Vitrine.exe`, args: [String.raw`C:\a b\main.js`] }
  const { desk } = await scene()
  const lines = toolText({ ...desk, platform: 'win32', launch }).split('\r\n')
  expect(lines).toEqual([
    '@echo off',
    expect.stringMatching(/^rem .*Vitrine/),
    String.raw`"C:\it's 50%% %%PATH%%\Vitrine.exe" "C:\a b\main.js" --command-line -- %*`,
    'exit /b %errorlevel%',
    '',
  ])
})

test('of the PATH of Windows only our folder is ever added or taken out', () => {
  const folder = String.raw`C:\Users\O'Hara\bin`
  const [added, removed] = (['add', 'remove'] as const).map((change) =>
    userPathScript(folder, change).split('\r\n'),
  )
  // The rest is all that is there without it.
  const rest = "$rest = @($now -split ';' | Where-Object { $_ -ne '' -and $_ -ne $folder })"
  for (const script of [added!, removed!]) {
    expect(script).toContain(String.raw`$folder = 'C:\Users\O''Hara\bin'`)
    expect(script).toContain(rest)
    expect(script).toContain("$key.SetValue('Path', ($rest -join ';'), 'ExpandString')")
  }
  expect([added!, removed!].map((script) => script.includes('$rest += $folder'))).toEqual([true, false])
})

test('a folder that cannot be written is told by name', async () => {
  const { desk, folder, bin } = await scene()
  await writeFile(join(folder, '.local'), 'a file')
  await expect(installTool(desk)).rejects.toThrow(`${join(bin, 'vitrine')} could not be changed (`)
})
