import {
  ArrowDown,
  ArrowUp,
  FileText,
  FolderOpen,
  FolderPen,
  Images,
  Pause,
  Pencil,
  Play,
  Table,
  Trash2,
  Wallet,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { BatchRecord } from '../../shared/contract/records.ts'
import { activeStates, countOf } from './filters.ts'
import { priceTag } from '../app/format.ts'
import type { Workspace } from '../app/workspace.ts'
import type { MenuEntry } from '../ui/Menu.tsx'
import { moveBatch, pauseBatch, startBatch, writeReport } from './batch-commands.ts'
import { revealImage } from './image-commands.ts'
import { runStateOf } from './run-state.ts'
import { t } from '../../shared/language/text.ts'

const size = 15

function entry(id: string, label: string, icon: ReactNode, onAction: () => unknown, isDisabled = false) {
  return { kind: 'action' as const, id, label, icon, isDisabled, onAction: () => void onAction() }
}

function working(workspace: Workspace, batch: BatchRecord): readonly MenuEntry[] {
  const { main } = runStateOf(batch, workspace.mirrors.queue.getState().value)
  const price = main === 'start' ? priceTag(batch.pricePerImage, batch.counts.waiting) : undefined
  const start = main !== 'start' ? t`Resume` : price === undefined ? t`Start` : t`Start, ${price}`
  return [
    ...(main === 'start' || main === 'resume'
      ? [entry('start', start, <Play size={size} />, () => startBatch(workspace, batch))]
      : []),
    ...(main === 'pause'
      ? [entry('pause', t`Pause`, <Pause size={size} />, () => pauseBatch(workspace, batch))]
      : []),
    ...(workspace.isDesktop
      ? [
          entry('open', t`Open output folder`, <FolderOpen size={size} />, () =>
            revealImage(workspace, batch.id),
          ),
        ]
      : []),
  ]
}

/** What can be done with a batch, for its context menu and the menu in its header. */
export function batchMenu(workspace: Workspace, batch: BatchRecord): readonly MenuEntry[] {
  const { order } = workspace.mirrors.batches.getState().value
  const at = order.indexOf(batch.id)
  const isAtWork = countOf(batch.counts, activeStates) > 0
  const open = (kind: 'rename-batch' | 'budget' | 'out-dir' | 'remove-batch') => () =>
    workspace.open({ kind, batch: batch.id })
  return [
    ...working(workspace, batch),
    entry('rename', t`Rename`, <Pencil size={size} />, open('rename-batch')),
    entry('budget', t`Budget`, <Wallet size={size} />, open('budget')),
    entry('out-dir', t`Output folder`, <FolderPen size={size} />, open('out-dir')),
    { kind: 'line', id: 'line-1' },
    entry(
      'up',
      t`Move up in the queue`,
      <ArrowUp size={size} />,
      () => moveBatch(workspace, batch.id, -1),
      at <= 0,
    ),
    entry(
      'down',
      t`Move down in the queue`,
      <ArrowDown size={size} />,
      () => moveBatch(workspace, batch.id, 1),
      at < 0 || at === order.length - 1,
    ),
    { kind: 'line', id: 'line-3' },
    entry('contact-sheet', t`Write contact sheet`, <Images size={size} />, () =>
      writeReport(workspace, batch, 'contact-sheet'),
    ),
    entry('pdf', t`Write contact sheet (PDF)`, <FileText size={size} />, () =>
      writeReport(workspace, batch, 'pdf'),
    ),
    entry('csv', t`Write table (CSV)`, <Table size={size} />, () => writeReport(workspace, batch, 'csv')),
    { kind: 'line', id: 'line-2' },
    entry('remove', t`Remove from the list`, <Trash2 size={size} />, open('remove-batch'), isAtWork),
  ]
}
