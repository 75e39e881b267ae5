import { isShortcut, isSingleKey, isTextField, type Shortcut } from '../app/keys.ts'
import type { Comparison } from './comparison.ts'
import type { Point } from './view.ts'
import { t } from '../../shared/language/text.ts'

export const commandGroups = ['Decide', 'Modes', 'Zoom and place', 'View'] as const
type CommandGroup = (typeof commandGroups)[number]

export const commandGroupNames: Readonly<Record<CommandGroup, string>> = {
  Decide: t`Decide`,
  Modes: t`Modes`,
  'Zoom and place': t`Zoom and place`,
  View: t`View`,
}

/** What a person can do while comparing, as data: keys and their sheet are made of it. */
export interface Command {
  readonly group: CommandGroup
  readonly label: string
  readonly keys: readonly Shortcut[]
  readonly run: (comparison: Comparison) => void | Promise<void>
}

const arrows: readonly (readonly [string, Point])[] = [
  ['arrowleft', { x: 64, y: 0 }],
  ['arrowright', { x: -64, y: 0 }],
  ['arrowup', { x: 0, y: 64 }],
  ['arrowdown', { x: 0, y: -64 }],
]

/** Moves the picture, or the loupe where it is out. */
const moving = ([key, by]: readonly [string, Point], index: number): Command => ({
  group: 'Zoom and place',
  label: index === 0 ? t`Move the picture or the loupe` : '',
  keys: [`shift+${key}`],
  run: (comparison) => {
    if (!comparison.carryLoupe({ x: -by.x / 8, y: -by.y / 8 })) comparison.session.stage.pan(by)
  },
})

/** A command without a label is told in the sheet by the one before it. F is not among them: it can be held. */
export const commands: readonly Command[] = [
  { group: 'Decide', label: t`Keep the first output`, keys: ['1'], run: (c) => c.mark('keep-1') },
  { group: 'Decide', label: t`Keep the second output`, keys: ['2'], run: (c) => c.mark('keep-2') },
  { group: 'Decide', label: t`Reject`, keys: ['x'], run: (c) => c.mark('reject') },
  { group: 'Decide', label: t`Clear the mark`, keys: ['u'], run: (c) => c.mark(null) },
  { group: 'Decide', label: t`Next`, keys: ['space', 'arrowright'], run: (c) => c.step(1) },
  { group: 'Decide', label: t`Previous`, keys: ['shift+space', 'arrowleft'], run: (c) => c.step(-1) },
  { group: 'Decide', label: t`Undo the last mark`, keys: ['mod+z'], run: (c) => c.workspace.takeBack() },
  {
    group: 'Decide',
    label: t`Move or copy the kept ones`,
    keys: ['mod+shift+m'],
    run: (c) => c.looking.setState({ sheet: 'place' }),
  },
  { group: 'Modes', label: t`Side by side`, keys: ['a'], run: (c) => c.setMode('side') },
  { group: 'Modes', label: t`Split`, keys: ['s'], run: (c) => c.setMode('split') },
  { group: 'Modes', label: t`Difference`, keys: ['d'], run: (c) => c.setMode('difference') },
  { group: 'Modes', label: t`All presets of the picture`, keys: ['v'], run: (c) => c.togglePresets() },
  { group: 'Decide', label: t`The next preset`, keys: ['arrowdown'], run: (c) => c.stepPreset(1) },
  { group: 'Decide', label: t`The preset before`, keys: ['arrowup'], run: (c) => c.stepPreset(-1) },
  { group: 'Modes', label: t`The source as a third picture`, keys: ['o'], run: (c) => c.toggleSource() },
  {
    group: 'Zoom and place',
    label: t`100 % at the pointer, and back`,
    keys: ['z'],
    run: (c) => c.toggleFull(),
  },
  { group: 'Zoom and place', label: t`Fit`, keys: ['0'], run: (c) => c.session.stage.fit() },
  {
    group: 'Zoom and place',
    label: t`Zoom in`,
    keys: ['plus', '='],
    run: (c) => c.session.stage.step(1, c.pointer),
  },
  {
    group: 'Zoom and place',
    label: t`Zoom out`,
    keys: ['minus'],
    run: (c) => c.session.stage.step(-1, c.pointer),
  },
  ...arrows.map(moving),
  { group: 'View', label: t`Loupe`, keys: ['l'], run: (c) => c.toggleLoupe() },
  { group: 'View', label: t`Surround`, keys: ['b'], run: (c) => c.nextSurround() },
  {
    group: 'View',
    label: t`Picture information`,
    keys: ['i'],
    run: (c) => c.looking.setState(({ hasInfo }) => ({ hasInfo: !hasInfo })),
  },
  { group: 'View', label: t`What lies under transparent pictures`, keys: ['t'], run: (c) => c.nextGround() },
  { group: 'View', label: t`All shortcuts`, keys: ['?'], run: (c) => c.looking.setState({ sheet: 'keys' }) },
  { group: 'View', label: t`Back to the batch`, keys: ['escape'], run: (c) => c.leave() },
]

/** Milliseconds after which a pressed F counts as held. */
const held = 250

/** Whether something nearer to the person takes the key: a sheet, a menu, a field, a slider, a button with Space. */
function isTaken(event: KeyboardEvent): boolean {
  const { target } = event
  if (event.defaultPrevented || event.isComposing || isTextField(target)) return true
  if (!(target instanceof Element)) return false
  if (target.closest('[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"].pop'))
    return true
  const own: Readonly<Record<string, string>> = {
    ' ': 'button, video, [role="radio"], input',
    ArrowLeft: 'input, [role="slider"], [role="radiogroup"], video',
    ArrowRight: 'input, [role="slider"], [role="radiogroup"], video',
  }
  const takers = own[event.key]
  return takers !== undefined && target.closest(takers) !== null
}

/** Listens for keys in the whole window. @returns what ends it. */
export function listenToKeys(comparison: Comparison): () => void {
  const { workspace } = comparison
  let pressed: number | undefined
  let before: string | undefined
  const mayUseLetters = () => workspace.mirrors.preferences.getState().value?.letterKeys ?? true
  const down = (event: KeyboardEvent) => {
    if (isTaken(event)) return
    if (isShortcut('f', event, workspace.platform) && mayUseLetters()) {
      event.preventDefault()
      if (event.repeat) return
      pressed = event.timeStamp
      before = comparison.session.state.getState().mode
      if (before !== 'flicker') comparison.holdOther(true)
      return
    }
    const command = commands.find(({ keys }) =>
      keys.some((key) => isShortcut(key, event, workspace.platform) && (mayUseLetters() || !isLetter(key))),
    )
    if (!command) return
    event.preventDefault()
    void command.run(comparison)
  }
  const up = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'f' || pressed === undefined) return
    const isHeld = event.timeStamp - pressed > held
    pressed = undefined
    if (isHeld && before !== 'flicker') comparison.holdOther(false)
    else if (!isHeld && before !== 'flicker') comparison.beginFlicker()
    else if (!isHeld) comparison.toggleFlicker()
  }
  document.addEventListener('keydown', down)
  document.addEventListener('keyup', up)
  return () => {
    document.removeEventListener('keydown', down)
    document.removeEventListener('keyup', up)
  }
}

/** Letters, digits and signs can be turned off (WCAG 2.1.4); Escape, Space and arrows stay. */
function isLetter(key: Shortcut): boolean {
  return isSingleKey(key) && !/escape|space|arrow/.test(key)
}
