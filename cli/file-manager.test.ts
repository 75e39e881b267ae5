import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { stage } from './testing/stage.ts'

test('entries for the file manager: shown, written, run, listed, removed', async (context) => {
  const { call, folder } = await stage(context)
  const heard = join(folder, 'heard')
  const listen = join(folder, 'listen.mjs')
  await writeFile(
    listen,
    `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(heard)}, process.argv.slice(2).join('|'))`,
  )
  const options = {
    env: { HOME: folder, PATH: '', XDG_DATA_HOME: undefined, XDG_CONFIG_HOME: undefined },
    overrides: { platform: 'linux' as const, launch: { program: process.execPath, args: [listen] } },
  }
  const manager = async (...args: string[]) => await call(['file-manager', ...args], options)
  expect(await manager('install')).toMatchObject({ status: 64 })
  expect(await manager('install', '--for', 'norton')).toMatchObject({ status: 64 })
  expect((await call(['presets', 'save', 'Studio "A"', '--app', 'rescue'])).status).toBe(0)
  const shown = await manager('install', '--for', 'nautilus', '--print')
  expect(shown.out).toContain(
    `exec '${process.execPath}' '${listen}' '--with-preset=Studio%20%22A%22' -- "$@"`,
  )
  const scripts = join(folder, '.local', 'share', 'nautilus', 'scripts')
  await expect(readdir(scripts)).rejects.toThrow('ENOENT')
  expect(await manager('install', '--for', 'nautilus')).toMatchObject({ status: 0 })
  // Own presets alone, where there are some.
  expect((await readdir(scripts)).toSorted()).toEqual([
    'Process with Vitrine',
    'Process with Vitrine - Studio _A_',
  ])
  await mkdir(join(folder, 'Shoot'))
  await promisify(execFile)(join(scripts, 'Process with Vitrine - Studio _A_'), ['ring 1.jpg'], {
    cwd: join(folder, 'Shoot'),
  })
  expect(await readFile(heard, 'utf8')).toBe(
    `--with-preset=Studio%20%22A%22|--|${join(folder, 'Shoot')}/ring 1.jpg`,
  )
  expect((await manager('list')).out).toContain('nautilus  GNOME Files (Scripts): 2 of Vitrine')
  const chosen = await manager('install', '--preset', 'soft GREY', '--preset', 'Cut-out')
  expect(chosen.status).toBe(0)
  expect(await readdir(scripts)).toHaveLength(3)
  expect((await manager('install', '--preset', 'none')).status).toBe(64)
  await writeFile(join(scripts, 'Process with Vitrine - Retouch only'), 'mine')
  expect(await manager('install', '--preset', 'Retouch only')).toMatchObject({ status: 73 })
  expect((await manager('remove')).status).toBe(0)
  expect(await readdir(scripts)).toEqual(['Process with Vitrine - Retouch only'])
})
