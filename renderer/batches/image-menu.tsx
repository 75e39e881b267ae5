import {
  ArrowUpToLine,
  Ban,
  Check,
  Columns2,
  Copy,
  ExternalLink,
  FolderOpen,
  Hand,
  HelpCircle,
  Image,
  Link,
  RotateCcw,
  Undo2,
  X,
  ZoomIn,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { ImageRecord } from '../../shared/contract/records.ts'
import { printShortcut } from '../app/keys.ts'
import type { ImageWindow } from '../app/image-window.ts'
import { priceTag } from '../app/format.ts'
import type { Workspace } from '../app/workspace.ts'
import type { MenuEntry } from '../ui/Menu.tsx'
import { askRetrySelected } from './batch-commands.ts'
import {
  cancelImages,
  copyReport,
  copyText,
  markImages,
  moveImagesFirst,
  putBackImages,
  releaseImages,
  revealImage,
  settledStates,
} from './image-commands.ts'
import { pickFile } from './pick-file.ts'
import { t } from '../../shared/language/text.ts'

const size = 15

interface Ask {
  readonly workspace: Workspace
  readonly batch: string
  /** The only image; undefined where several are selected. */
  readonly image: ImageRecord | undefined
  /** States of the selected images as far as they are known; empty where they are not. */
  readonly states: ReadonlySet<ImageRecord['state']>
}

function may({ states }: Ask, wanted: readonly ImageRecord['state'][]): boolean {
  return states.size === 0 || wanted.some((state) => states.has(state))
}

function entry(
  id: string,
  label: string,
  icon: ReactNode,
  onAction: () => unknown,
  keys?: string,
): MenuEntry {
  return {
    kind: 'action',
    id,
    label,
    icon,
    onAction: () => void onAction(),
    ...(keys === undefined ? {} : { keys }),
  }
}

function looking(ask: Ask): readonly MenuEntry[] {
  const { workspace, image, batch } = ask
  if (!image) return []
  return [
    entry(
      'compare',
      t`Compare`,
      <Columns2 size={size} />,
      () => workspace.open({ kind: 'compare', of: { image: image.id } }),
      'C',
    ),
    entry(
      'preview',
      t`Large preview`,
      <ZoomIn size={size} />,
      () => workspace.open({ kind: 'large-picture', image: image.id }),
      printShortcut('space', workspace.platform),
    ),
    ...(workspace.isDesktop && image.outputs.length > 0
      ? [
          entry(
            'reveal',
            t`Show in folder`,
            <FolderOpen size={size} />,
            () => revealImage(workspace, batch, image.id),
            printShortcut('mod+r', workspace.platform),
          ),
        ]
      : []),
    ...(workspace.isDesktop
      ? [
          entry('source', t`Open link`, <ExternalLink size={size} />, () =>
            workspace.attempt(() => workspace.api.shell.openSource({ image: image.id })),
          ),
        ]
      : []),
  ]
}

function working(ask: Ask): readonly MenuEntry[] {
  const { workspace, image } = ask
  const { target, count } = workspace.selection
  if (!target) return []
  const price = priceTag(image?.estimate ?? workspace.batch?.pricePerImage ?? null, count)
  const again = image?.state === 'failed' ? t`Retry` : t`Run again`
  return [
    ...(image?.state === 'review'
      ? [
          entry('decide', t`Decide`, <HelpCircle size={size} />, () =>
            workspace.open({ kind: 'review', batch: ask.batch, image: image.id }),
          ),
        ]
      : []),
    ...(may(ask, settledStates)
      ? [
          entry(
            'retry',
            price === undefined ? again : `${again}, ${price}`,
            <RotateCcw size={size} />,
            () => askRetrySelected(workspace),
            'R',
          ),
        ]
      : []),
    ...(image?.state === 'failed'
      ? [entry('pick', t`Pick file…`, <Image size={size} />, () => pickFile(workspace, image.id))]
      : []),
    ...(may(ask, ['held'])
      ? [entry('release', t`Release`, <Hand size={size} />, () => releaseImages(workspace, target))]
      : []),
    ...(may(ask, ['waiting'])
      ? [
          entry('first', t`Move first`, <ArrowUpToLine size={size} />, () =>
            moveImagesFirst(workspace, target),
          ),
        ]
      : []),
    ...(may(ask, ['waiting', 'held'])
      ? [
          entry(
            'cancel',
            t`Cancel waiting`,
            <Ban size={size} />,
            () => cancelImages(workspace, target),
            printShortcut('backspace', workspace.platform),
          ),
        ]
      : []),
    ...(may(ask, ['cancelled'])
      ? [entry('back', t`Put back`, <Undo2 size={size} />, () => putBackImages(workspace, target))]
      : []),
  ]
}

function marking({ workspace, image }: Ask): readonly MenuEntry[] {
  const { target } = workspace.selection
  if (!target) return []
  const second =
    image && image.outputs.length < 2 ? [] : [{ mark: 'keep-2' as const, label: t`Keep Original`, key: '2' }]
  return [
    entry('keep-1', t`Keep`, <Check size={size} />, () => markImages(workspace, target, 'keep-1'), '1'),
    ...second.map(({ mark, label, key }) =>
      entry(mark, label, <Check size={size} />, () => markImages(workspace, target, mark), key),
    ),
    entry('reject', t`Reject`, <X size={size} />, () => markImages(workspace, target, 'reject'), 'X'),
    entry('unmark', t`Clear mark`, <Undo2 size={size} />, () => markImages(workspace, target, null), 'U'),
  ]
}

function copying({ workspace, image }: Ask): readonly MenuEntry[] {
  if (!image) return []
  const details = () => workspace.api.images.details({ image: image.id })
  return [
    entry('copy-url', t`Copy link`, <Link size={size} />, () =>
      workspace.attempt(async () => copyText(workspace, (await details()).source, t`Link`)),
    ),
    entry('copy-run', t`Copy run id`, <Copy size={size} />, () =>
      workspace.attempt(async () => {
        const { runId } = await details()
        if (runId === null) workspace.say(t`This image has no run yet`)
        else await copyText(workspace, runId, t`Run id`)
      }),
    ),
    ...(image.state === 'failed'
      ? [entry('report', t`Copy report`, <Copy size={size} />, () => copyReport(workspace, image.id))]
      : []),
  ]
}

/** What can be done with what is selected. */
export function imageMenu(workspace: Workspace, images: ImageWindow): readonly MenuEntry[] {
  const { all, ids } = workspace.selection.state.getState()
  const only = !all && ids.size === 1 ? [...ids][0] : undefined
  const known = all ? [] : [...ids].map((id) => images.record(id))
  const states = known.every((record) => record !== undefined) ? known.map((record) => record.state) : []
  const ask: Ask = {
    workspace,
    batch: images.query.batch,
    image: only === undefined ? undefined : images.record(only),
    states: new Set(states),
  }
  const groups = [looking(ask), working(ask), marking(ask), copying(ask)].filter((group) => group.length > 0)
  return groups.flatMap((group, index) =>
    index === 0 ? group : [{ kind: 'line' as const, id: `line-${index}` }, ...group],
  )
}
