import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { browserPaths, findBrowser } from './browser.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-browser-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('a stated browser is the only one that is looked for', () => {
  const places = {
    platform: 'linux',
    env: { VITRINE_CHROMIUM: '/opt/chromium', PATH: '/bin' },
    playwright: '/p',
  } as const
  expect(browserPaths(places)).toEqual(['/opt/chromium'])
})

test('each system has its places; the one that Playwright fetched comes last', () => {
  const paths = (platform: NodeJS.Platform, env = {}) => browserPaths({ platform, env, playwright: '/own' })
  expect(paths('linux')[0]).toBe('/usr/bin/chromium')
  expect(paths('darwin')[0]).toContain('Chromium.app')
  expect(paths('win32', { PROGRAMFILES: 'C:\\Programs' })[0]).toBe(
    'C:\\Programs\\Google\\Chrome\\Application\\chrome.exe',
  )
  for (const platform of ['linux', 'darwin', 'win32'] as const) expect(paths(platform).at(-1)).toBe('/own')
})

test('one that is not there does not count', async () => {
  const path = join(folder, 'chromium')
  const places = { platform: 'linux', env: { VITRINE_CHROMIUM: path }, playwright: '/own' } as const
  expect(findBrowser(places)).toBeUndefined()
  await writeFile(path, '#!/bin/sh\n')
  await chmod(path, 0o755)
  expect(findBrowser(places)).toBe(path)
})
