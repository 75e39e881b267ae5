import type { Workspace } from '../app/workspace.ts'
import { namedFiles } from './dropped-files.ts'
import { uploadsPictures } from './intake.ts'
import { beginIntake } from './begin-intake.ts'
import { sendFiles } from './send-files.ts'

/** A folder of pictures is copied into the program's own folder meanwhile. */
const sendingMs = 600_000

/** Asks for a folder with the system's own dialog and opens the sheet with what is in it. */
export async function chooseFolder(workspace: Workspace): Promise<void> {
  if (workspace.isDesktop) {
    const picked = await workspace.attempt(() => workspace.api.shell.pickSources({ what: 'folders' }))
    const drop = picked?.drop
    if (drop !== null && drop !== undefined) {
      beginIntake(workspace, null, () => Promise.resolve([{ kind: 'drop', drop }]))
    }
    return
  }
  const files = await askFor()
  if (files.length === 0) return
  const named = namedFiles(files, uploadsPictures(workspace.mirrors))
  beginIntake(workspace, null, async () =>
    (await sendFiles(named, AbortSignal.timeout(sendingMs))).map((drop) => ({ kind: 'drop', drop })),
  )
}

function askFor(): Promise<readonly File[]> {
  return new Promise((resolve) => {
    const field = document.createElement('input')
    field.type = 'file'
    field.webkitdirectory = true
    field.addEventListener('change', () => resolve([...(field.files ?? [])]), { once: true })
    field.addEventListener('cancel', () => resolve([]), { once: true })
    field.click()
  })
}
