import { useWorkspace } from '../app/workspace-context.ts'
import { CommandLineRow } from './CommandLineRow.tsx'
import { UpdateRows } from './UpdateRows.tsx'
import { t } from '../../shared/language/text.ts'

/** What concerns the installed program itself; a browser has none. */
export function ProgramPage() {
  const { isDesktop } = useWorkspace()
  if (!isDesktop)
    return (
      <p className="f2">{t`This is set in the desktop program; the browser shows the same batches without it.`}</p>
    )
  return (
    <>
      <UpdateRows />
      <CommandLineRow />
    </>
  )
}
