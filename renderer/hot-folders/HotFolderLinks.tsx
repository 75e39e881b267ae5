import { Plus, TriangleAlert } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useStore } from 'zustand'
import type { HotFolderRecord } from '../../shared/contract/hot-folder-records.ts'
import { figure } from '../app/format.ts'
import { useActiveConnection, useWorkspace } from '../app/workspace-context.ts'
import { IconButton } from '../ui/Button.tsx'
import { classes } from '../ui/class-names.ts'
import { ContextMenu, placeOf, type MenuPlace } from '../ui/Menu.tsx'
import { hotFolderMenu } from './hot-folder-menu.tsx'
import { said } from '../../shared/language/said.ts'
import { t } from '../../shared/language/text.ts'

interface Look {
  readonly glyph: ReactNode
  readonly words: string
}

/** How a hot folder shows: what keeps it from working comes first. */
function lookOf({ state, trouble, pictures, imagesToday }: HotFolderRecord): Look {
  const dot = (look: string) => <span className={classes('hot-dot', look)} aria-hidden="true" />
  if (state === 'paused') return { glyph: dot('off'), words: t`Paused` }
  if (state === 'elsewhere') return { glyph: dot('off'), words: t`Not connected` }
  if (trouble !== null || pictures !== null) {
    return {
      glyph: (
        <span className="amb">
          <TriangleAlert size={14} aria-hidden="true" />
        </span>
      ),
      words: trouble === null ? t`${figure(imagesToday)} today` : t`Look here`,
    }
  }
  return { glyph: dot('on'), words: imagesToday === 0 ? '' : t`${figure(imagesToday)} today` }
}

interface LinkProps {
  readonly folder: HotFolderRecord
  readonly isRail: boolean
  readonly onMenu: (folder: HotFolderRecord, place: MenuPlace) => void
}

function HotFolderLink({ folder, isRail, onMenu }: LinkProps) {
  const workspace = useWorkspace()
  const { glyph, words } = lookOf(folder)
  const about = folder.trouble ?? (folder.pictures === null ? folder.path : said(folder.pictures))
  return (
    <button
      type="button"
      className="nav hot-link"
      title={isRail ? `${folder.name}: ${about}` : about}
      {...(isRail ? { 'aria-label': [folder.name, words].filter(Boolean).join(', ') } : {})}
      onClick={() => workspace.open({ kind: 'hot-folder', id: folder.id })}
      onContextMenu={(event) => {
        event.preventDefault()
        onMenu(folder, placeOf(event))
      }}
    >
      <span className="hot-glyph">{glyph}</span>
      {!isRail && (
        <>
          <span className="grow nav-words">
            <bdi className="ell">{folder.name}</bdi>
          </span>
          {words !== '' && <span className="n">{words}</span>}
        </>
      )}
    </button>
  )
}

/** The section of watched folders in the sidebar. */
export function HotFolderLinks({ isRail }: { readonly isRail: boolean }) {
  const workspace = useWorkspace()
  const isConnected = useActiveConnection() !== undefined
  const { known, value: folders } = useStore(workspace.mirrors.hotFolders)
  const [menu, setMenu] = useState<{ readonly folder: HotFolderRecord; readonly place: MenuPlace }>()
  if (!isConnected || (isRail && folders.length === 0)) return null
  return (
    <>
      {isRail && <hr className="rail-line" />}
      <div className="side-sec">
        <div className="side-h">
          {!isRail && <h2 className="grow">{t`Hot folders`}</h2>}
          <IconButton
            size="s"
            icon={<Plus size={15} />}
            label={t`Watch a folder`}
            tooltipPlacement="right"
            onPress={() => workspace.open({ kind: 'hot-folder', id: null })}
          />
        </div>
        {known && folders.length === 0 && <p className="nav-none">{t`None yet`}</p>}
        {folders.map((folder) => (
          <HotFolderLink
            key={folder.id}
            folder={folder}
            isRail={isRail}
            onMenu={(folder, place) => setMenu({ folder, place })}
          />
        ))}
        <ContextMenu
          label={t`Hot folder`}
          entries={menu ? hotFolderMenu(workspace, menu.folder) : []}
          place={menu?.place}
          onClose={() => setMenu(undefined)}
        />
      </div>
    </>
  )
}
