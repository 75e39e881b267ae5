import { Ellipsis, Folder, LayoutGrid, List, PanelRight } from 'lucide-react'
import { Button as AriaButton } from 'react-aria-components'
import type { BatchRecord } from '../../shared/contract/records.ts'
import { shortPath } from '../app/format.ts'
import { toggleInspector } from '../app/layout.ts'
import { breakpoints, useMedia } from '../app/use-media.ts'
import { useKeys, useLayout, useWorkspace } from '../app/workspace-context.ts'
import { IconButton } from '../ui/Button.tsx'
import { MenuButton } from '../ui/Menu.tsx'
import { Segmented } from '../ui/Segmented.tsx'
import { Tooltip } from '../ui/Tooltip.tsx'
import { batchMenu } from './batch-menu.tsx'
import { copyText, revealImage } from './image-commands.ts'
import { t } from '../../shared/language/text.ts'

function OutputFolder({ batch }: { readonly batch: BatchRecord }) {
  const workspace = useWorkspace()
  const words = workspace.isDesktop ? t`Open ${batch.outDir}` : t`Copy ${batch.outDir}`
  return (
    <Tooltip text={words}>
      <AriaButton
        className="out-dir"
        aria-label={words}
        onPress={() =>
          void (workspace.isDesktop
            ? revealImage(workspace, batch.id)
            : copyText(workspace, batch.outDir, t`Output folder`))
        }
      >
        <Folder size={14} aria-hidden="true" />
        <bdi className="ell">{shortPath(batch.outDir)}</bdi>
      </AriaButton>
    </Tooltip>
  )
}

/** The title of the window: the batch's name, where its outputs go, grid or table, and what else can be done. */
export function BatchHeader({ batch }: { readonly batch: BatchRecord }) {
  const workspace = useWorkspace()
  const keys = useKeys()
  const arrangement = useLayout((layout) => layout.arrangement)
  const isWide = useMedia(breakpoints.wide)
  const isInspectorOpen = useLayout((layout) => (isWide ? layout.inspectorOpen : layout.inspectorFloating))
  return (
    <header className="head" data-region="header">
      <h1 className="ell">
        <bdi title={batch.name}>{batch.name}</bdi>
      </h1>
      <span className="sp" />
      <OutputFolder batch={batch} />
      <Segmented
        label={t`Arrangement`}
        icons
        size="l"
        value={arrangement}
        onChange={(next) => workspace.layout.setState({ arrangement: next })}
        options={[
          { value: 'grid', label: <LayoutGrid size={15} />, name: t`Grid` },
          { value: 'table', label: <List size={15} />, name: t`Table` },
        ]}
      />
      {!isInspectorOpen && (
        <IconButton
          icon={<PanelRight size={16} />}
          label={t`Inspector`}
          keys={keys('mod+i')}
          onPress={() => toggleInspector(workspace.layout, isWide)}
        />
      )}
      <MenuButton label={t`Batch`} entries={batchMenu(workspace, batch)} placement="bottom end">
        <IconButton icon={<Ellipsis size={16} />} label={t`More about this batch`} />
      </MenuButton>
    </header>
  )
}
