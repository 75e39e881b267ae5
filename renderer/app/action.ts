import { t } from '../../shared/language/text.ts'
import { isShortcut, isSingleKey, isTextField, type Shortcut } from './keys.ts'
import type { Workspace } from './workspace.ts'

export const actionGroups = ['Program', 'Batch', 'Images', 'View'] as const
export type ActionGroup = (typeof actionGroups)[number]

export const groupNames: Readonly<Record<ActionGroup, string>> = {
  Program: t`Program`,
  Batch: t`Batch`,
  Images: t`Images`,
  View: t`View`,
}

/** Something a person can do, as data: menus, buttons, the palette and the sheet of shortcuts are made of these. */
export interface Action {
  readonly id: string
  readonly group: ActionGroup
  readonly label: string | ((workspace: Workspace) => string)
  /** The first one is printed. */
  readonly keys?: readonly Shortcut[]
  /** False for keys that something else listens to (paste, arrows): they are only told in the sheet. */
  readonly isBound?: boolean
  /** Whether it can be done now. */
  readonly isEnabled: (workspace: Workspace) => boolean
  readonly run: (workspace: Workspace) => void | Promise<void>
}

export function labelOf(action: Action, workspace: Workspace): string {
  return typeof action.label === 'string' ? action.label : action.label(workspace)
}

/** Whether an open menu, sheet or list keeps keys to itself. */
function isElsewhere(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('[role="dialog"],[role="alertdialog"],[role="menu"],.pop') !== null
  )
}

/** The action that a key press means; undefined for none. Single letters never act in a text field or a sheet. */
export function actionOf(
  event: KeyboardEvent,
  actions: readonly Action[],
  workspace: Workspace,
): Action | undefined {
  if (event.defaultPrevented || event.isComposing || isElsewhere(event.target)) return undefined
  const letters = workspace.mirrors.preferences.getState().value?.letterKeys ?? true
  const inText = isTextField(event.target)
  return actions.find(
    (action) =>
      action.isBound !== false &&
      action.keys?.some(
        (shortcut) =>
          isShortcut(shortcut, event, workspace.platform) &&
          (!isSingleKey(shortcut) || (letters && !inText)) &&
          !(inText && /^mod\+[az]$/.test(shortcut)),
      ) === true &&
      action.isEnabled(workspace),
  )
}
