import { describe, expect, test } from 'vitest'
import { menuCommands } from '../../shared/contract/desktop-contract.ts'
import { actionById, actions } from './actions.ts'
import { isShortcut, isSingleKey, printShortcut } from './keys.ts'

const press = (
  key: string,
  held: Partial<Record<'metaKey' | 'ctrlKey' | 'altKey' | 'shiftKey', boolean>> = {},
  code = '',
) => ({
  key,
  code,
  metaKey: false,
  ctrlKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
})

describe('shortcuts', () => {
  test('are printed as each system prints them', () => {
    expect(printShortcut('mod+shift+r', 'mac')).toBe('⇧⌘R')
    expect(printShortcut('mod+shift+r', 'windows')).toBe('Ctrl Shift R')
    expect(printShortcut('alt+1', 'linux')).toBe('Alt 1')
    expect(printShortcut('mod+enter', 'mac')).toBe('⌘↵')
  })

  test('take ⌘ on a Mac and Ctrl elsewhere, and nothing that is held besides', () => {
    expect(isShortcut('mod+k', press('k', { metaKey: true }), 'mac')).toBe(true)
    expect(isShortcut('mod+k', press('k', { ctrlKey: true }), 'mac')).toBe(false)
    expect(isShortcut('mod+k', press('k', { ctrlKey: true }), 'windows')).toBe(true)
    expect(isShortcut('mod+k', press('K', { ctrlKey: true, shiftKey: true }), 'windows')).toBe(false)
    expect(isShortcut('r', press('r', { ctrlKey: true }), 'windows')).toBe(false)
    expect(isShortcut('mod+shift+r', press('R', { ctrlKey: true, shiftKey: true }), 'linux')).toBe(true)
  })

  test('signs and digits are found on keyboards of all countries', () => {
    expect(isShortcut('?', press('?', { shiftKey: true }), 'linux')).toBe(true)
    expect(isShortcut('?', press('?'), 'linux')).toBe(true)
    expect(isShortcut('plus', press('+', { shiftKey: true }), 'linux')).toBe(true)
    // Option changes what a digit writes on a Mac.
    expect(isShortcut('alt+1', press('¡', { altKey: true }, 'Digit1'), 'mac')).toBe(true)
  })

  test('single letters are told apart, since they may be turned off', () => {
    expect(['c', '1', '?', 'backspace'].map(isSingleKey)).toEqual([true, true, true, true])
    expect(['mod+k', 'alt+1', 'f6', 'mod+shift+r', 'shift+f6'].map(isSingleKey)).toEqual([
      false,
      false,
      false,
      false,
      false,
    ])
  })
})

describe('actions', () => {
  test('no two of them take the same keys, and no name is given twice', () => {
    const keys = actions.flatMap((action) => action.keys ?? [])
    expect(keys).toEqual([...new Set(keys)])
    const ids = actions.map((action) => action.id)
    expect(ids).toEqual([...new Set(ids)])
  })

  test('nothing that spends is on a single key', () => {
    for (const id of ['start', 'retry-failed']) {
      for (const key of actionById(id)?.keys ?? []) expect(isSingleKey(key)).toBe(false)
    }
  })

  test('every entry of the window menus has its action', () => {
    expect(menuCommands.filter((id) => actionById(id) === undefined)).toEqual([])
  })
})
