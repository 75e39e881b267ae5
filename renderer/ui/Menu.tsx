import { useRef, type MouseEvent, type ReactElement, type ReactNode } from 'react'
import {
  Menu as AriaMenu,
  MenuItem,
  MenuSection,
  MenuTrigger,
  Popover,
  Separator,
  type PopoverProps,
} from 'react-aria-components'
import { figure } from '../../shared/language/text.ts'
import { CheckMark } from './Checkbox.tsx'
import { classes } from './class-names.ts'

export interface MenuAction {
  readonly kind: 'action'
  readonly id: string
  /** With its price where it spends: "Retry, 6 credits". */
  readonly label: string
  readonly icon?: ReactNode
  readonly keys?: string
  readonly tone?: 'red'
  readonly isDisabled?: boolean
  readonly onAction: () => void
}

export interface MenuChecks {
  readonly kind: 'checks'
  readonly id: string
  readonly label: string
  readonly checks: readonly {
    readonly id: string
    readonly label: string
    /** What is shown in place of the label, such as a state with its glyph. */
    readonly content?: ReactNode
    readonly count?: number
    readonly isChecked: boolean
  }[]
  /** All that are ticked after the change. */
  readonly onChange: (ids: ReadonlySet<string>) => void
}

export type MenuEntry = MenuAction | MenuChecks | { readonly kind: 'line'; readonly id: string }

function Action({ entry }: { readonly entry: MenuAction }) {
  return (
    <MenuItem
      id={entry.id}
      textValue={entry.label}
      className={classes('menu-o', entry.tone)}
      isDisabled={entry.isDisabled ?? false}
      onAction={entry.onAction}
    >
      {entry.icon}
      <span className="grow">{entry.label}</span>
      {entry.keys !== undefined && <span className="f3">{entry.keys}</span>}
    </MenuItem>
  )
}

function Checks({ entry }: { readonly entry: MenuChecks }) {
  return (
    <MenuSection
      aria-label={entry.label}
      selectionMode="multiple"
      shouldCloseOnSelect={false}
      selectedKeys={entry.checks.filter((check) => check.isChecked).map((check) => check.id)}
      onSelectionChange={(keys) =>
        entry.onChange(
          new Set(
            entry.checks.map((check) => check.id).filter((id) => keys === 'all' || [...keys].includes(id)),
          ),
        )
      }
    >
      {entry.checks.map((check) => (
        <MenuItem key={check.id} id={check.id} textValue={check.label} className="menu-o">
          {({ isSelected }) => (
            <>
              <CheckMark state={isSelected ? 'on' : 'off'} />
              <span className="grow">{check.content ?? check.label}</span>
              {check.count !== undefined && <span className="f3">{figure(check.count)}</span>}
            </>
          )}
        </MenuItem>
      ))}
    </MenuSection>
  )
}

interface EntriesProps {
  readonly label: string
  readonly entries: readonly MenuEntry[]
  readonly onClose?: () => void
}

function Entries({ label, entries, onClose }: EntriesProps) {
  return (
    <AriaMenu className="menu" aria-label={label} {...(onClose === undefined ? {} : { onClose })}>
      {entries.map((entry) => {
        if (entry.kind === 'line') return <Separator key={entry.id} className="menu-line" />
        if (entry.kind === 'checks') return <Checks key={entry.id} entry={entry} />
        return <Action key={entry.id} entry={entry} />
      })}
    </AriaMenu>
  )
}

export interface MenuButtonProps {
  readonly label: string
  readonly entries: readonly MenuEntry[]
  /** The control that opens it: Button or IconButton's inner button. */
  readonly children: ReactElement
  readonly placement?: NonNullable<PopoverProps['placement']>
}

/** A control that opens a menu. */
export function MenuButton({ label, entries, children, placement = 'bottom start' }: MenuButtonProps) {
  return (
    <MenuTrigger>
      {children}
      <Popover className="pop" placement={placement} offset={4}>
        <Entries label={label} entries={entries} />
      </Popover>
    </MenuTrigger>
  )
}

/** Where a context menu opens, in pixels of the window; for the keyboard's menu key the middle of what has focus. */
export interface MenuPlace {
  readonly x: number
  readonly y: number
}

/** The place of a `contextmenu` event. */
export function placeOf(event: MouseEvent): MenuPlace {
  if (event.clientX !== 0 || event.clientY !== 0) return { x: event.clientX, y: event.clientY }
  const box = event.currentTarget.getBoundingClientRect()
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 }
}

export interface ContextMenuProps {
  readonly label: string
  readonly entries: readonly MenuEntry[]
  /** Undefined: closed. */
  readonly place: MenuPlace | undefined
  readonly onClose: () => void
}

/** A menu at a place: keep the place in a state, set it in `onContextMenu`, clear it in `onClose`. */
export function ContextMenu({ label, entries, place, onClose }: ContextMenuProps) {
  const point = useRef<HTMLSpanElement>(null)
  return (
    <>
      <span
        ref={point}
        aria-hidden="true"
        style={{ position: 'fixed', width: 0, height: 0, left: place?.x ?? 0, top: place?.y ?? 0 }}
      />
      <Popover
        className="pop"
        aria-label={label}
        triggerRef={point}
        isOpen={place !== undefined}
        onOpenChange={(open) => {
          if (!open) onClose()
        }}
        placement="bottom start"
        offset={2}
      >
        <Entries label={label} entries={entries} onClose={onClose} />
      </Popover>
    </>
  )
}
