import { Search } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Dialog, Modal, ModalOverlay } from 'react-aria-components'
import { useStore } from 'zustand'
import { classes } from '../ui/class-names.ts'
import { Kbd } from '../ui/Kbd.tsx'
import { groupNames, labelOf } from './action.ts'
import { actions } from './actions.ts'
import { useKeys, useWorkspace } from './workspace-context.ts'
import { t } from '../../shared/language/text.ts'

interface Entry {
  readonly id: string
  readonly label: string
  readonly keys: string | undefined
  readonly group: string
  readonly run: () => void
}

/** Every command that can be used now, then every batch by name. */
function useEntries(): readonly Entry[] {
  const workspace = useWorkspace()
  const keys = useKeys()
  const batches = useStore(workspace.mirrors.batches, ({ value }) => value)
  return useMemo(
    () => [
      ...actions
        .filter((action) => action.id !== 'palette' && !action.id.startsWith('chip-'))
        .filter((action) => action.isEnabled(workspace))
        .map((action) => ({
          id: action.id,
          label: labelOf(action, workspace),
          keys: action.keys?.[0] === undefined ? undefined : keys(action.keys[0]),
          group: groupNames[action.group],
          run: () => void action.run(workspace),
        })),
      ...batches.order.map((id) => ({
        id: `batch ${id}`,
        label: batches.byId.get(id)?.name ?? id,
        keys: undefined,
        group: t`Open batch`,
        run: () => workspace.go({ kind: 'batch', batch: id }),
      })),
    ],
    // The keys of a platform never change.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [batches, workspace],
  )
}

/** Whether every word that was typed begins or is inside a label. */
function fits(entry: Entry, typed: string): boolean {
  const label = entry.label.toLocaleLowerCase()
  return typed
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => label.includes(word))
}

interface EntriesProps {
  readonly entries: readonly Entry[]
  readonly at: number
  readonly onRun: (entry: Entry) => void
}

function Entries({ entries, at, onRun }: EntriesProps) {
  return (
    <ul className="palette-list" id="palette-list" role="listbox" aria-label={t`Commands`}>
      {entries.map((entry, index) => (
        <li
          key={entry.id}
          id={`palette-${index}`}
          role="option"
          aria-selected={index === at}
          className={classes('palette-o', index === at && 'on')}
          ref={index === at ? (item) => item?.scrollIntoView({ block: 'nearest' }) : null}
          onClick={() => onRun(entry)}
        >
          <span className="ell grow">
            <bdi>{entry.label}</bdi>
          </span>
          <span className="f3 t11">{entry.group}</span>
          {entry.keys !== undefined && <Kbd>{entry.keys}</Kbd>}
        </li>
      ))}
    </ul>
  )
}

/** ⌘K: every command and every batch, found by typing. */
export function CommandPalette() {
  const workspace = useWorkspace()
  const entries = useEntries()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const found = entries.filter((entry) => fits(entry, typed.trim()))
  const chosen = Math.min(at, found.length - 1)
  const run = (entry: Entry) => {
    workspace.closeOverlay()
    entry.run()
  }
  const press = (key: string) => {
    if (key === 'ArrowDown') setAt(Math.min(chosen + 1, found.length - 1))
    else if (key === 'ArrowUp') setAt(Math.max(chosen - 1, 0))
    else if (key === 'Enter' && found[chosen]) run(found[chosen])
    else return false
    return true
  }
  return (
    <ModalOverlay
      className="scrim top"
      isOpen
      isDismissable
      onOpenChange={(open) => open || workspace.closeOverlay()}
    >
      <Modal className="palette">
        <Dialog className="palette-dialog" aria-label={t`Commands`}>
          <div className="palette-search">
            <Search size={16} aria-hidden="true" />
            <input
              autoFocus
              role="combobox"
              aria-expanded
              aria-controls="palette-list"
              aria-activedescendant={found.length > 0 ? `palette-${chosen}` : undefined}
              aria-label={t`Command or batch`}
              placeholder={t`Type a command or a batch`}
              spellCheck={false}
              value={typed}
              onChange={(event) => {
                setTyped(event.target.value)
                setAt(0)
              }}
              onKeyDown={(event) => {
                if (press(event.key)) event.preventDefault()
              }}
            />
          </div>
          {found.length === 0 ? (
            <p className="palette-none">{t`Nothing called “${typed}”.`}</p>
          ) : (
            <Entries entries={found} at={chosen} onRun={run} />
          )}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
