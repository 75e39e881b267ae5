import { ChevronDown, Search, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button as AriaButton, Toolbar } from 'react-aria-components'
import { useStore } from 'zustand'
import type { BatchRecord } from '../../shared/contract/records.ts'
import type { ImageState } from '../../shared/states.ts'
import { sieveOf } from '../app/view.ts'
import { useKeys, useWorkspace } from '../app/workspace-context.ts'
import { Chip } from '../ui/Chip.tsx'
import { MenuButton } from '../ui/Menu.tsx'
import { StateGlyph } from '../ui/StateLabel.tsx'
import { lookWords, type ItemLook } from '../ui/item-look.ts'
import { activeStates, chipsOf, isChipOn, type FilterChip } from './filters.ts'
import { t } from '../../shared/language/text.ts'

const chipLooks: Readonly<Record<string, { readonly look: ItemLook; readonly tone: string }>> = {
  waiting: { look: 'waiting', tone: '' },
  held: { look: 'held', tone: '' },
  active: { look: 'processing', tone: 'acc' },
  done: { look: 'done', tone: '' },
  failed: { look: 'failed', tone: 'red' },
  review: { look: 'review', tone: 'amb' },
  cancelled: { look: 'cancelled', tone: '' },
  skipped: { look: 'skipped', tone: '' },
}

const activeWords: readonly (readonly [ImageState, ItemLook, string])[] = [
  ['submitting', 'submitting', lookWords.submitting],
  ['running', 'processing', t`At the service`],
  ['downloading', 'downloading', lookWords.downloading],
]

interface ActiveMenuProps {
  readonly batch: BatchRecord
  readonly states: readonly ImageState[]
}

/** The active states one by one, with their counts. */
function ActiveMenu({ batch, states }: ActiveMenuProps) {
  const workspace = useWorkspace()
  const isOn = (state: ImageState) => states.includes(state)
  return (
    <MenuButton
      label={t`Active states`}
      entries={[
        {
          kind: 'checks',
          id: 'active',
          label: t`Active states`,
          checks: activeWords.map(([state, look, words]) => ({
            id: state,
            label: words,
            content: (
              <span className="row g6">
                <span className="acc">
                  <StateGlyph look={look} />
                </span>
                {words}
              </span>
            ),
            count: batch.counts[state],
            isChecked: isOn(state),
          })),
          onChange: (ids) => workspace.sieve({ states: activeStates.filter((state) => ids.has(state)) }),
        },
      ]}
    >
      <AriaButton className="chip chip-more" aria-label={t`Active states, one by one`}>
        <ChevronDown size={13} aria-hidden="true" />
      </AriaButton>
    </MenuButton>
  )
}

function Chips({ batch, states }: ActiveMenuProps) {
  const workspace = useWorkspace()
  const chip = (one: FilterChip) => {
    const look = chipLooks[one.id]
    return (
      <Chip
        key={one.id}
        label={one.label}
        count={one.count}
        isSelected={isChipOn(one, states)}
        onChange={() => workspace.sieve({ states: one.states })}
        icon={
          look && (
            <span className={look.tone}>
              <StateGlyph look={look.look} />
            </span>
          )
        }
      />
    )
  }
  return (
    <Toolbar className="chips" aria-label={t`Filter by state`}>
      {chipsOf(batch.counts).map((one) =>
        one.id === 'active' ? (
          <span key="active" className="chip-pair">
            {chip(one)}
            <ActiveMenu batch={batch} states={states} />
          </span>
        ) : (
          chip(one)
        ),
      )}
    </Toolbar>
  )
}

/** Milliseconds of quiet before what was typed is looked for. */
const settleMs = 150

function SearchField({ batch }: { readonly batch: BatchRecord }) {
  const workspace = useWorkspace()
  const keys = useKeys()
  const search = useStore(workspace.view, (view) => sieveOf(view, batch.id).search)
  const [typed, setTyped] = useState(search)
  useEffect(() => setTyped(search), [search])
  useEffect(() => {
    if (typed === search) return
    const timer = setTimeout(() => workspace.sieve({ search: typed.slice(0, 200) }), settleMs)
    return () => clearTimeout(timer)
  }, [typed, search, workspace])
  return (
    <div className="search" role="search">
      <Search size={13} aria-hidden="true" />
      <input
        data-search
        aria-label={t`Search names, folders, addresses and run ids`}
        placeholder={t`Search`}
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          if (typed === '') event.currentTarget.blur()
          setTyped('')
        }}
      />
      {typed === '' ? (
        <kbd>{keys('mod+f')}</kbd>
      ) : (
        <AriaButton className="search-clear" aria-label={t`Clear search`} onPress={() => setTyped('')}>
          <X size={13} />
        </AriaButton>
      )}
    </div>
  )
}

/** One chip per state that has images, and the search. */
export function FilterRow({ batch }: { readonly batch: BatchRecord }) {
  const workspace = useWorkspace()
  const states = useStore(workspace.view, (view) => sieveOf(view, batch.id).states)
  return (
    <div className="filters" data-region="filters">
      <Chips batch={batch} states={states} />
      <span className="sp" />
      <SearchField batch={batch} />
    </div>
  )
}
