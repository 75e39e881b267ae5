import { useEffect } from 'react'
import { beginIntake, holdsAddresses, readText } from '../intake/begin-intake.ts'
import { takeTransfer } from '../intake/dropped-files.ts'
import { actionOf } from './action.ts'
import { actions } from './actions.ts'
import { isTextField } from './keys.ts'
import { useWorkspace } from './workspace-context.ts'
import { t } from '../../shared/language/text.ts'

/** Listens for shortcuts and for pasted addresses in the whole window. */
export function useActionKeys(): void {
  const workspace = useWorkspace()
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (workspace.view.getState().overlay) return
      const action = actionOf(event, actions, workspace)
      if (!action) return
      event.preventDefault()
      void action.run(workspace)
    }
    const paste = (event: ClipboardEvent) => {
      const isFirstRun = workspace.mirrors.connections.getState().value.length === 0
      if (isTextField(event.target) || !event.clipboardData || isFirstRun) return
      if (workspace.view.getState().overlay) return
      const pasted = takeTransfer(event.clipboardData)
      if (pasted.files.length > 0) {
        beginIntake(workspace, null, (intake) => intake.handOver(pasted))
      } else if (holdsAddresses(pasted.text)) {
        readText(workspace, pasted.text)
      } else if (pasted.text.trim() !== '') {
        workspace.say(t`No addresses in what was pasted`)
      }
    }
    document.addEventListener('keydown', press)
    document.addEventListener('paste', paste)
    return () => {
      document.removeEventListener('keydown', press)
      document.removeEventListener('paste', paste)
    }
  }, [workspace])
}
