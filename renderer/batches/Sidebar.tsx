import { History, PanelLeft, Pause, Play, Plus, SlidersHorizontal } from 'lucide-react'
import { useState, type MouseEvent, type ReactNode } from 'react'
import { useStore } from 'zustand'
import type { BatchRecord } from '../../shared/contract/records.ts'
import { figure } from '../app/format.ts'
import { breakpoints, useMedia } from '../app/use-media.ts'
import { writeHash, type Screen } from '../app/view.ts'
import { useKeys, useLayout, useQueue, useWorkspace } from '../app/workspace-context.ts'
import { HotFolderLinks } from '../hot-folders/HotFolderLinks.tsx'
import { classes } from '../ui/class-names.ts'
import { IconButton } from '../ui/Button.tsx'
import { Logo } from '../ui/Logo.tsx'
import { ContextMenu, placeOf, type MenuPlace } from '../ui/Menu.tsx'
import { BalanceCard } from './BalanceCard.tsx'
import { batchLook } from './batch-look.tsx'
import { batchMenu } from './batch-menu.tsx'
import { SidebarEdge } from './SidebarEdge.tsx'
import { t } from '../../shared/language/text.ts'

interface NavLinkProps {
  readonly to: Screen
  readonly isOn: boolean
  readonly isRail: boolean
  readonly glyph: ReactNode
  readonly name: string
  readonly note?: string | undefined
  /** Below the name; the link is then taller. */
  readonly sub?: string | undefined
  readonly onContextMenu?: (event: MouseEvent) => void
}

function NavLink({ to, isOn, isRail, glyph, name, note, sub, onContextMenu }: NavLinkProps) {
  const workspace = useWorkspace()
  return (
    <a
      href={writeHash(to)}
      className={classes('nav', isOn && 'on', !isRail && sub !== undefined && 'two')}
      aria-current={isOn ? 'page' : undefined}
      {...(isRail ? { 'aria-label': [name, sub ?? note].filter(Boolean).join(', '), title: name } : {})}
      onClick={(event) => {
        event.preventDefault()
        workspace.go(to)
      }}
      onContextMenu={onContextMenu}
    >
      {glyph}
      {!isRail && (
        <>
          <span className="grow nav-words">
            <bdi className="ell" title={name}>
              {name}
            </bdi>
            {sub !== undefined && <span className="sub ell">{sub}</span>}
          </span>
          {sub === undefined && note !== undefined && <span className="n">{note}</span>}
        </>
      )}
    </a>
  )
}

interface BatchLinksProps {
  readonly isRail: boolean
  readonly onMenu: (batch: BatchRecord, place: MenuPlace) => void
}

function BatchLinks({ isRail, onMenu }: BatchLinksProps) {
  const workspace = useWorkspace()
  const { known, value } = useStore(workspace.mirrors.batches)
  const queue = useQueue()
  const screen = useStore(workspace.view, (view) => view.screen)
  if (value.order.length === 0) {
    return known && !isRail ? <p className="nav-none">{t`None yet`}</p> : null
  }
  return value.order.map((id) => {
    const batch = value.byId.get(id)
    if (!batch) return null
    const isOn = screen.kind === 'batch' && screen.batch === id
    const { glyph, short, long } = batchLook(batch, queue)
    return (
      <NavLink
        key={id}
        to={{ kind: 'batch', batch: id }}
        isOn={isOn}
        isRail={isRail}
        glyph={glyph}
        name={batch.name}
        note={short}
        sub={isOn || isRail ? long : undefined}
        onContextMenu={(event) => {
          event.preventDefault()
          onMenu(batch, placeOf(event))
        }}
      />
    )
  })
}

function SidebarTop({ isRail, canUnfold }: { readonly isRail: boolean; readonly canUnfold: boolean }) {
  const workspace = useWorkspace()
  const keys = useKeys()
  return (
    <div className="side-top">
      {!isRail && (
        <span className="side-name">
          <Logo size={18} />
          {'Vitrine'}
        </span>
      )}
      {isRail && !canUnfold ? (
        <span className="side-name">
          <Logo size={20} />
        </span>
      ) : (
        <IconButton
          icon={<PanelLeft size={16} />}
          label={isRail ? t`Unfold the sidebar` : t`Fold the sidebar`}
          keys={keys('mod+b')}
          onPress={() => workspace.layout.setState({ sidebarOpen: isRail })}
        />
      )}
    </div>
  )
}

/** Holds every batch, or lets them go on; there while there is something to hold. */
function PauseAll() {
  const workspace = useWorkspace()
  const isPaused = useQueue()?.state === 'paused'
  const isRunning = useStore(workspace.mirrors.batches, ({ value }) =>
    [...value.byId.values()].some((batch) => batch.state === 'running'),
  )
  if (!isPaused && !isRunning) return null
  const Glyph = isPaused ? Play : Pause
  return (
    <IconButton
      size="s"
      icon={<Glyph size={14} />}
      label={isPaused ? t`Resume all batches` : t`Pause all batches`}
      tooltipPlacement="right"
      onPress={() =>
        void workspace.attempt(() =>
          isPaused ? workspace.api.queue.resume({}) : workspace.api.queue.pause({}),
        )
      }
    />
  )
}

function Pages({ isRail }: { readonly isRail: boolean }) {
  const workspace = useWorkspace()
  const screen = useStore(workspace.view, (view) => view.screen)
  const presets = useStore(workspace.mirrors.presets, ({ value }) => value.presets.length)
  return (
    <>
      <NavLink
        to={{ kind: 'history' }}
        isOn={screen.kind === 'history'}
        isRail={isRail}
        glyph={<History size={16} aria-hidden="true" />}
        name={t`History`}
      />
      <NavLink
        to={{ kind: 'presets' }}
        isOn={screen.kind === 'presets'}
        isRail={isRail}
        glyph={<SlidersHorizontal size={16} aria-hidden="true" />}
        name={t`Presets`}
        note={presets === 0 ? undefined : figure(presets)}
      />
    </>
  )
}

/** The column of batches, history and presets, with the balance at its foot; a rail of glyphs where it is folded. */
export function Sidebar() {
  const workspace = useWorkspace()
  const keys = useKeys()
  const canUnfold = useMedia(breakpoints.sidebar)
  const isOpen = useLayout((layout) => layout.sidebarOpen)
  const width = useLayout((layout) => layout.sidebarWidth)
  const [menu, setMenu] = useState<{ readonly batch: BatchRecord; readonly place: MenuPlace }>()
  const isRail = !canUnfold || !isOpen
  return (
    <nav
      className={classes('side', isRail && 'rail')}
      aria-label={t`Batches and pages`}
      data-region="sidebar"
      style={isRail ? {} : { width }}
    >
      <SidebarTop isRail={isRail} canUnfold={canUnfold} />
      <div className="side-scroll">
        <div className="side-sec">
          <div className="side-h">
            {!isRail && (
              <>
                <h2 className="grow">{t`Batches`}</h2>
                <PauseAll />
              </>
            )}
            <IconButton
              size="s"
              icon={<Plus size={15} />}
              label={t`New batch`}
              keys={keys('mod+n')}
              tooltipPlacement="right"
              onPress={() => workspace.go({ kind: 'start' })}
            />
          </div>
          <BatchLinks isRail={isRail} onMenu={(batch, place) => setMenu({ batch, place })} />
        </div>
        <HotFolderLinks isRail={isRail} />
        {isRail && <hr className="rail-line" />}
        <div className="side-sec">
          <Pages isRail={isRail} />
        </div>
      </div>
      <BalanceCard isRail={isRail} />
      {!isRail && <SidebarEdge />}
      <ContextMenu
        label={t`Batch`}
        entries={menu ? batchMenu(workspace, menu.batch) : []}
        place={menu?.place}
        onClose={() => setMenu(undefined)}
      />
    </nav>
  )
}
