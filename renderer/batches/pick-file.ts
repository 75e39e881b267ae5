import { Fault } from '../../shared/rpc/fault.ts'
import { t } from '../../shared/language/text.ts'
import type { Workspace } from '../app/workspace.ts'
import { largestFile } from '../intake/dropped-files.ts'
import { sendFiles } from '../intake/send-files.ts'

const sendingMs = 600_000

/**
 * Asks for a picture of this computer in the place of an image that failed, and opens the sheet with what that costs.
 * Leads to where own files are set up where they are not.
 */
export function pickFile(workspace: Workspace, image: number) {
  return workspace.attempt(async () => {
    const { pickRefusal } = await workspace.api.images.details({ image })
    if (pickRefusal !== null) return workspace.say(pickRefusal)
    if (!isSetUp(workspace)) {
      workspace.go({ kind: 'preferences', page: 'files' })
      return workspace.say(
        workspace.isDesktop
          ? t`Set up here how pictures of this computer are sent; then pick the file again.`
          : t`Set up a storage here, by which a page in the browser sends pictures; then pick the file again.`,
      )
    }
    const drop = workspace.isDesktop
      ? (await workspace.api.shell.pickSources({ what: 'picture' })).drop
      : await handOver(await askForFile())
    if (drop === null) return
    workspace.open({
      kind: 'retry',
      target: { ids: [image] },
      title: t`Try again with another picture`,
      pick: drop,
    })
  })
}

/** A page in a browser does not learn where a file lies: what it hands over is uploaded. */
function isSetUp({ mirrors, isDesktop }: Workspace): boolean {
  const ways = mirrors.ownFiles.getState().value
  return ways !== undefined && (ways.storage !== null || (isDesktop && ways.published !== null))
}

async function handOver(file: File | undefined): Promise<string | null> {
  if (!file) return null
  if (file.size > largestFile) {
    throw new Fault(
      'refused',
      t`This file is too large for a page in the browser, which takes pictures up to 60 MB.`,
    )
  }
  const [drop] = await sendFiles([{ name: file.name, file }], AbortSignal.timeout(sendingMs))
  return drop ?? null
}

function askForFile(): Promise<File | undefined> {
  return new Promise((resolve) => {
    const field = document.createElement('input')
    field.type = 'file'
    field.addEventListener('change', () => resolve(field.files?.[0]), { once: true })
    field.addEventListener('cancel', () => resolve(undefined), { once: true })
    field.click()
  })
}
