import { ArrowDown, ArrowUp, FolderOpen, FolderPen, Pause, Pencil, Play, Trash2, Wallet } from 'lucide-react'
import type { ReactNode } from 'react'
import type { BatchRecord } from '../../shared/contract/records.ts'
import { activeStates, countOf } from './filters.ts'
import { priceTag } from '../app/format.ts'
import type { Workspace } from '../app/workspace.ts'
import type { MenuEntry } from '../ui/Menu.tsx'
import { moveBatch, pauseBatch, startBatch } from './batch-commands.ts'
import { revealImage } from './image-commands.ts'
import { runStateOf } from './run-state.ts'

const size = 15

/** What can be done with a batch, for its context menu and the menu in its header. */
export function batchMenu(workspace: Workspace, batch: BatchRecord): readonly MenuEntry[] {
  const { main } = runStateOf(batch, workspace.mirrors.queue.getState().value)
  const { order } = workspace.mirrors.batches.getState().value
  const at = order.indexOf(batch.id)
  const price = main === 'start' ? priceTag(batch.pricePerImage, batch.counts.waiting) : undefined
  const isAtWork = countOf(batch.counts, activeStates) > 0
  return [
    ...(main === 'start' || main === 'resume'
      ? [
          {
            kind: 'action' as const,
            id: 'start',
            label: `${main === 'start' ? 'Start' : 'Resume'}${price === undefined ? '' : `, ${price}`}`,
            icon: <Play size={size} />,
            onAction: () => void startBatch(workspace, batch),
          },
        ]
      : []),
    ...(main === 'pause'
      ? [
          {
            kind: 'action' as const,
            id: 'pause',
            label: 'Pause',
            icon: <Pause size={size} />,
            onAction: () => void pauseBatch(workspace, batch),
          },
        ]
      : []),
    ...(workspace.isDesktop
      ? [
          {
            kind: 'action' as const,
            id: 'open',
            label: 'Open output folder',
            icon: <FolderOpen size={size} />,
            onAction: () => void revealImage(workspace, batch.id),
          },
        ]
      : []),
    sheet(workspace, batch, 'rename-batch', 'Rename', <Pencil size={size} />),
    sheet(workspace, batch, 'budget', 'Budget', <Wallet size={size} />),
    sheet(workspace, batch, 'out-dir', 'Output folder', <FolderPen size={size} />),
    { kind: 'line', id: 'line-1' },
    {
      kind: 'action',
      id: 'up',
      label: 'Move up in the queue',
      icon: <ArrowUp size={size} />,
      isDisabled: at <= 0,
      onAction: () => void moveBatch(workspace, batch.id, -1),
    },
    {
      kind: 'action',
      id: 'down',
      label: 'Move down in the queue',
      icon: <ArrowDown size={size} />,
      isDisabled: at < 0 || at === order.length - 1,
      onAction: () => void moveBatch(workspace, batch.id, 1),
    },
    { kind: 'line', id: 'line-2' },
    {
      ...sheet(workspace, batch, 'remove-batch', 'Remove from the list', <Trash2 size={size} />),
      isDisabled: isAtWork,
    },
  ]
}

function sheet(
  workspace: Workspace,
  batch: BatchRecord,
  kind: 'rename-batch' | 'budget' | 'out-dir' | 'remove-batch',
  label: string,
  icon: ReactNode,
) {
  return {
    kind: 'action' as const,
    id: kind,
    label,
    icon,
    onAction: () => workspace.open({ kind, batch: batch.id }),
  }
}
