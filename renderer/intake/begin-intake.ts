import type { Workspace } from '../app/workspace.ts'
import { Intake, type IntakeSource } from './intake.ts'
import { t } from '../../shared/language/text.ts'

/** Opens the sheet and begins to read; what an earlier sheet had found is let go. */
export function beginIntake(
  workspace: Workspace,
  addTo: string | null,
  sources: (intake: Intake) => Promise<readonly IntakeSource[]>,
  preset?: string,
): void {
  workspace.intake.getState().current?.discard()
  const intake = new Intake(workspace, addTo, preset)
  workspace.intake.setState({ current: intake })
  workspace.open({ kind: 'intake' })
  void intake.read(sources)
}

/** The sample shoot that the practice service carries. */
export function trySamples(workspace: Workspace): void {
  beginIntake(workspace, null, () => Promise.resolve([{ kind: 'samples' }]))
}

/** Text with addresses in it. */
export function readText(workspace: Workspace, text: string, addTo: string | null = null): void {
  beginIntake(workspace, addTo, () => Promise.resolve([{ kind: 'text', text, shown: t`Pasted text` }]))
}

/** Whether a pasted text is worth opening the sheet for. */
export function holdsAddresses(text: string): boolean {
  return /(?:^|\s|["',;<(])(?:https?|htps?):\/\/\S/i.test(text)
}
