import { Pause, Play, Settings2, Trash2 } from 'lucide-react'
import type { HotFolderRecord } from '../../shared/contract/hot-folder-records.ts'
import type { Workspace } from '../app/workspace.ts'
import type { MenuEntry } from '../ui/Menu.tsx'
import { t } from '../../shared/language/text.ts'

const size = 15

export function setPaused(workspace: Workspace, id: number, paused: boolean) {
  return workspace.attempt(() => workspace.api.hotFolders.setPaused({ id, paused }))
}

/** Watches a folder no more. What it was set up with is kept for a moment, to be taken back. */
export async function removeHotFolder(workspace: Workspace, folder: HotFolderRecord) {
  const { id, name, path, preset, outDir, budget, moveDone, polling } = folder
  await workspace.attempt(async () => {
    await workspace.api.hotFolders.remove({ id })
    workspace.say(t`“${name}” is watched no more`, async () => {
      const again = { name, path, preset, outDir, budget, moveDone, polling, takeExisting: false }
      await workspace.api.hotFolders.add(again)
    })
  })
}

/** What can be done with a hot folder. */
export function hotFolderMenu(workspace: Workspace, folder: HotFolderRecord): readonly MenuEntry[] {
  const isPaused = folder.state === 'paused'
  return [
    {
      kind: 'action',
      id: 'settings',
      label: t`Settings`,
      icon: <Settings2 size={size} />,
      onAction: () => workspace.open({ kind: 'hot-folder', id: folder.id }),
    },
    {
      kind: 'action',
      id: 'pause',
      label: isPaused ? t`Resume` : t`Pause`,
      icon: isPaused ? <Play size={size} /> : <Pause size={size} />,
      onAction: () => void setPaused(workspace, folder.id, !isPaused),
    },
    { kind: 'line', id: 'line' },
    {
      kind: 'action',
      id: 'remove',
      label: t`Watch no more`,
      icon: <Trash2 size={size} />,
      onAction: () => void removeHotFolder(workspace, folder),
    },
  ]
}
