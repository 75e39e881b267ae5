import type { MenuItemConstructorOptions } from 'electron'
import { describe, expect, test } from 'vitest'
import { menuCommands } from '../shared/contract/desktop-contract.ts'
import { menuTemplate } from './menu.ts'

const platforms = ['mac', 'windows', 'linux'] as const

function itemsOf(platform: (typeof platforms)[number], isPackaged = true) {
  const heard: string[] = []
  const acts = {
    command: (id: string) => void heard.push(id),
    zoom: () => undefined,
    showAbout: () => undefined,
  }
  const template = menuTemplate(platform, acts, isPackaged)
  // A menu of a role brings its own entries.
  const items = template.flatMap(({ submenu }) => (submenu ?? []) as MenuItemConstructorOptions[])
  return { template, items, heard }
}

describe.each(platforms)('on %s', (platform) => {
  test('every command of the page is in the menus, once, and says its name', () => {
    const { items, heard } = itemsOf(platform)
    const named = items.filter(({ id }) => id !== undefined)
    expect(named.map(({ id }) => String(id)).toSorted()).toEqual([...menuCommands].toSorted())
    for (const item of named) (item.click as () => void)()
    expect(heard).toEqual(named.map(({ id }) => id))
  })

  test('no shortcut stands twice, and those of the page are only shown', () => {
    const { items } = itemsOf(platform)
    const shortcuts = items.flatMap(({ accelerator }) =>
      typeof accelerator === 'string' ? [accelerator] : [],
    )
    expect(new Set(shortcuts).size).toBe(shortcuts.length)
    const shown = items.filter(({ id, accelerator }) => id !== undefined && accelerator !== undefined)
    expect(shown.length).toBeGreaterThan(8)
    expect(shown.filter(({ registerAccelerator }) => registerAccelerator !== false)).toEqual([])
  })

  test('text can be copied and pasted by the system’s own entries', () => {
    const roles = itemsOf(platform).items.map(({ role }) => role)
    expect(roles).toEqual(
      expect.arrayContaining(['undo', 'redo', 'cut', 'copy', 'paste', 'selectAll', 'quit']),
    )
  })

  test('the developer tools are in no menu of the installed program', () => {
    const roles = (isPackaged: boolean) => itemsOf(platform, isPackaged).items.map(({ role }) => role)
    expect(roles(true)).not.toContain('toggleDevTools')
    expect(roles(false)).toContain('toggleDevTools')
    expect(roles(true)).not.toContain('reload')
  })
})

test('on macOS the program has a menu of its own, with the settings where they are looked for', () => {
  const [program] = itemsOf('mac').template
  expect(program?.label).toBe('Vitrine')
  const submenu = program?.submenu as MenuItemConstructorOptions[]
  const labels = submenu.map(({ label, role }) => label ?? role)
  expect(labels.filter(Boolean)).toEqual([
    'About Vitrine',
    'Settings…',
    'Install command line tool…',
    'services',
    'hide',
    'hideOthers',
    'unhide',
    'quit',
  ])
})
