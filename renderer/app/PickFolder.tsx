import { Button } from '../ui/Button.tsx'
import { useWorkspace } from './workspace-context.ts'
import { t } from '../../shared/language/text.ts'

export interface PickFolderProps {
  /** The title of the system's dialog. */
  readonly title: string
  /** The folder that the dialog opens in. */
  readonly current: string
  readonly onPick: (path: string) => void
}

/** "Choose" beside a field for a folder: the system's own dialog. A browser has none, so there is no button. */
export function PickFolder({ title, current, onPick }: PickFolderProps) {
  const workspace = useWorkspace()
  const pick = async () => {
    const picked = await workspace.attempt(() => workspace.api.shell.pickFolder({ title, current }))
    if (picked?.path != null) onPick(picked.path)
  }
  if (!workspace.isDesktop) return null
  return (
    <Button size="s" onPress={() => void pick()}>
      {t`Choose`}
    </Button>
  )
}
