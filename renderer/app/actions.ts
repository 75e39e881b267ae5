import { startBatch, pauseBatch, askRetryFailed, askRetrySelected } from '../batches/batch-commands.ts'
import { chipsOf } from '../batches/filters.ts'
import { cancelImages, markImages, revealImage } from '../batches/image-commands.ts'
import { runStateOf } from '../batches/run-state.ts'
import { chooseFolder } from '../intake/choose-folder.ts'
import type { Action } from './action.ts'
import { plural, priceTag } from './format.ts'
import { pictureSizes, toggleInspector } from './layout.ts'
import { moveToRegion } from './regions.ts'
import { breakpoints } from './use-media.ts'
import type { Workspace } from './workspace.ts'
import { t } from '../../shared/language/text.ts'

const always = () => true
const inBatch = (workspace: Workspace) => workspace.batch !== undefined
const hasSelection = (workspace: Workspace) => inBatch(workspace) && workspace.selection.count > 0
const isConnected = (workspace: Workspace) => workspace.mirrors.connections.getState().value.length > 0

function stateOf(workspace: Workspace) {
  const { batch } = workspace
  return batch && runStateOf(batch, workspace.mirrors.queue.getState().value)
}

const programActions: readonly Action[] = [
  {
    id: 'new-batch',
    group: 'Program',
    label: t`New batch`,
    keys: ['mod+n'],
    isEnabled: isConnected,
    run: (workspace) => workspace.go({ kind: 'start' }),
  },
  {
    id: 'choose-folder',
    group: 'Program',
    label: t`Choose folder`,
    keys: ['mod+o'],
    isEnabled: isConnected,
    run: (workspace) => chooseFolder(workspace),
  },
  {
    id: 'paste',
    group: 'Program',
    label: t`Paste URLs`,
    keys: ['mod+v'],
    isBound: false,
    isEnabled: isConnected,
    run: (workspace) => workspace.open({ kind: 'paste' }),
  },
  {
    id: 'pause-all',
    group: 'Program',
    label: (workspace) =>
      workspace.mirrors.queue.getState().value?.state === 'paused' ? t`Resume all` : t`Pause all`,
    isEnabled: isConnected,
    run: async (workspace) => {
      const paused = workspace.mirrors.queue.getState().value?.state === 'paused'
      await workspace.attempt(() => (paused ? workspace.api.queue.resume({}) : workspace.api.queue.pause({})))
    },
  },
  {
    id: 'undo',
    group: 'Program',
    label: t`Undo marks, cancels, moves and settings for a batch`,
    keys: ['mod+z'],
    isEnabled: always,
    run: (workspace) => workspace.takeBack(),
  },
  {
    id: 'hot-folder',
    group: 'Program',
    label: t`Watch a folder (hot folder)`,
    isEnabled: isConnected,
    run: (workspace) => workspace.open({ kind: 'hot-folder', id: null }),
  },
  {
    id: 'history',
    group: 'Program',
    label: t`History`,
    isEnabled: isConnected,
    run: (workspace) => workspace.go({ kind: 'history' }),
  },
  {
    id: 'presets',
    group: 'Program',
    label: t`Presets`,
    isEnabled: isConnected,
    run: (workspace) => workspace.go({ kind: 'presets' }),
  },
  {
    id: 'preferences',
    group: 'Program',
    label: t`Settings`,
    keys: ['mod+,'],
    isEnabled: always,
    run: (workspace) => workspace.go({ kind: 'preferences', page: 'general' }),
  },
  {
    id: 'command-line',
    group: 'Program',
    label: t`Install command line tool`,
    isEnabled: (workspace) => workspace.isDesktop,
    run: (workspace) => workspace.go({ kind: 'preferences', page: 'program' }),
  },
  {
    id: 'palette',
    group: 'Program',
    label: t`Commands`,
    keys: ['mod+k'],
    isEnabled: always,
    run: (workspace) => workspace.open({ kind: 'palette' }),
  },
  {
    id: 'keys',
    group: 'Program',
    label: t`All shortcuts`,
    keys: ['?'],
    isEnabled: always,
    run: (workspace) => workspace.open({ kind: 'keys' }),
  },
]

const batchActions: readonly Action[] = [
  {
    id: 'start',
    group: 'Batch',
    label: (workspace) => {
      const { batch } = workspace
      const price = batch && priceTag(batch.pricePerImage, batch.counts.waiting)
      return price === undefined ? t`Start` : t`Start, ${price}`
    },
    keys: ['mod+enter'],
    isEnabled: (workspace) => stateOf(workspace)?.main === 'start',
    run: async (workspace) => {
      if (workspace.batch) await startBatch(workspace, workspace.batch)
    },
  },
  {
    id: 'pause',
    group: 'Batch',
    label: (workspace) => (stateOf(workspace)?.main === 'resume' ? t`Resume` : t`Pause`),
    keys: ['mod+.'],
    isEnabled: (workspace) => ['pause', 'resume'].includes(stateOf(workspace)?.main ?? ''),
    run: async (workspace) => {
      const { batch } = workspace
      if (!batch) return
      await (stateOf(workspace)?.main === 'resume'
        ? startBatch(workspace, batch)
        : pauseBatch(workspace, batch))
    },
  },
  {
    id: 'retry-failed',
    group: 'Batch',
    label: (workspace) => {
      const failed = workspace.batch?.counts.failed ?? 0
      return failed === 0 ? t`Retry failed images` : t`Retry ${plural(failed, 'failed image')}`
    },
    keys: ['mod+shift+r'],
    isEnabled: (workspace) => (workspace.batch?.counts.failed ?? 0) > 0,
    run: (workspace) => {
      if (workspace.batch) askRetryFailed(workspace, workspace.batch)
    },
  },
  {
    id: 'review',
    group: 'Batch',
    label: t`Decide about images that need review`,
    isEnabled: (workspace) => (workspace.batch?.counts.review ?? 0) > 0,
    run: (workspace) => {
      if (workspace.batch) workspace.open({ kind: 'review', batch: workspace.batch.id, image: undefined })
    },
  },
  {
    id: 'open-out-dir',
    group: 'Batch',
    label: t`Open output folder`,
    isEnabled: (workspace) => inBatch(workspace) && workspace.isDesktop,
    run: async (workspace) => {
      if (workspace.batch) await revealImage(workspace, workspace.batch.id)
    },
  },
]

const marking = (mark: 'keep-1' | 'keep-2' | 'reject' | null, label: string, key: string): Action => ({
  id: `mark-${mark ?? 'none'}`,
  group: 'Images',
  label,
  keys: [key],
  isEnabled: hasSelection,
  run: async (workspace) => {
    const { target } = workspace.selection
    if (target) await markImages(workspace, target, mark)
  },
})

const imageActions: readonly Action[] = [
  {
    id: 'compare',
    group: 'Images',
    label: t`Compare`,
    keys: ['c', 'enter'],
    isEnabled: hasSelection,
    run: (workspace) => {
      const image = workspace.selection.leading
      if (image !== undefined) workspace.open({ kind: 'compare', of: { image } })
    },
  },
  marking('keep-1', t`Keep De-Banded`, '1'),
  marking('keep-2', t`Keep Original`, '2'),
  marking('reject', t`Reject`, 'x'),
  marking(null, t`Clear mark`, 'u'),
  {
    id: 'retry',
    group: 'Images',
    label: t`Run selected again, asks with the price`,
    keys: ['r'],
    isEnabled: hasSelection,
    run: (workspace) => askRetrySelected(workspace),
  },
  {
    id: 'cancel',
    group: 'Images',
    label: t`Cancel waiting`,
    keys: ['backspace'],
    isEnabled: hasSelection,
    run: async (workspace) => {
      const { target } = workspace.selection
      if (target) await cancelImages(workspace, target)
    },
  },
  {
    id: 'reveal',
    group: 'Images',
    label: t`Show in folder`,
    keys: ['mod+r'],
    isEnabled: (workspace) => hasSelection(workspace) && workspace.isDesktop,
    run: async (workspace) => {
      const { batch, selection } = workspace
      if (batch) await revealImage(workspace, batch.id, selection.leading)
    },
  },
  {
    id: 'select-all',
    group: 'Images',
    label: t`Select all`,
    keys: ['mod+a'],
    isEnabled: inBatch,
    run: (workspace) => workspace.selection.selectAll(),
  },
]

const chipAction = (number: number): Action => ({
  id: `chip-${number}`,
  group: 'View',
  label: t`Filter ${number}`,
  keys: [`alt+${number}`],
  isEnabled: (workspace) => {
    const { batch } = workspace
    return batch !== undefined && chipsOf(batch.counts)[number - 1] !== undefined
  },
  run: (workspace) => {
    const chip = workspace.batch && chipsOf(workspace.batch.counts)[number - 1]
    if (chip) workspace.sieve({ states: chip.states })
  },
})

const resize = (workspace: Workspace, by: number) => {
  const { pictureSize } = workspace.layout.getState()
  const size = Math.min(pictureSizes.max, Math.max(pictureSizes.min, pictureSize + by))
  workspace.layout.setState({ pictureSize: size })
}

const sizing = (id: string, label: string, keys: NonNullable<Action['keys']>, by: number): Action => ({
  id,
  group: 'View',
  label,
  keys,
  isEnabled: inBatch,
  run: (workspace) => resize(workspace, by),
})

const viewActions: readonly Action[] = [
  {
    id: 'search',
    group: 'View',
    label: t`Search`,
    keys: ['mod+f'],
    isEnabled: inBatch,
    run: () => document.querySelector<HTMLInputElement>('[data-search]')?.focus(),
  },
  {
    id: 'arrangement',
    group: 'View',
    label: t`Grid or table`,
    keys: ['g'],
    isEnabled: inBatch,
    run: ({ layout }) =>
      layout.setState({ arrangement: layout.getState().arrangement === 'grid' ? 'table' : 'grid' }),
  },
  {
    id: 'sidebar',
    group: 'View',
    label: t`Sidebar`,
    keys: ['mod+b'],
    isEnabled: always,
    run: ({ layout }) => layout.setState({ sidebarOpen: !layout.getState().sidebarOpen }),
  },
  {
    id: 'inspector',
    group: 'View',
    label: t`Inspector`,
    keys: ['mod+i'],
    isEnabled: inBatch,
    run: ({ layout }) => toggleInspector(layout, matchMedia(breakpoints.wide).matches),
  },
  sizing('larger', t`Larger pictures`, ['plus', '='], 16),
  sizing('smaller', t`Smaller pictures`, ['minus'], -16),
  ...[1, 2, 3, 4, 5, 6, 7].map(chipAction),
  {
    id: 'next-region',
    group: 'View',
    label: t`Next region`,
    keys: ['f6'],
    isEnabled: always,
    run: () => moveToRegion(1),
  },
  {
    id: 'previous-region',
    group: 'View',
    label: t`Previous region`,
    keys: ['shift+f6'],
    isEnabled: always,
    run: () => moveToRegion(-1),
  },
]

/** Everything a person can do from anywhere. */
export const actions: readonly Action[] = [
  ...programActions,
  ...batchActions,
  ...imageActions,
  ...viewActions,
]

export function actionById(id: string): Action | undefined {
  return actions.find((action) => action.id === id)
}
