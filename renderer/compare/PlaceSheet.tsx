import { useState } from 'react'
import { plural } from '../app/format.ts'
import { PickFolder } from '../app/PickFolder.tsx'
import { Button } from '../ui/Button.tsx'
import { RadioCards, type RadioCard } from '../ui/RadioCards.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { TextField } from '../ui/TextField.tsx'
import { useComparison } from './compare-context.ts'
import { t } from '../../shared/language/text.ts'

type What = 'kept' | 'rejected'
type How = 'move' | 'copy' | 'elsewhere'

const whatCards: readonly RadioCard<What>[] = [
  { value: 'kept', title: t`Kept`, note: t`Of each image the output that was kept.` },
  { value: 'rejected', title: t`Rejected`, note: t`Every output of rejected images.` },
]

const howCards: readonly RadioCard<How>[] = [
  { value: 'copy', title: t`Copy into a folder of the batch`, note: t`The files stay where they are too.` },
  { value: 'move', title: t`Move into a folder of the batch`, note: t`Within the output folder.` },
  { value: 'elsewhere', title: t`Copy to another folder`, note: t`A folder that is there already.` },
]

/** Folders that are proposed. */
const folderNames: Readonly<Record<What, string>> = { kept: t`Kept`, rejected: t`Rejected` }

function actionWords(how: How, what: What): string {
  if (how === 'move') return what === 'kept' ? t`Move kept pictures` : t`Move rejected pictures`
  return what === 'kept' ? t`Copy kept pictures` : t`Copy rejected pictures`
}

/** Moves or copies the files of marked images; nothing is overwritten, and it can be taken back. */
export function PlaceSheet() {
  const comparison = useComparison()
  const { workspace } = comparison
  const [what, setWhat] = useState<What>('kept')
  const [how, setHow] = useState<How>('copy')
  const [folder, setFolder] = useState(folderNames.kept)
  const [path, setPath] = useState('')
  const [isBusy, setBusy] = useState(false)
  const close = () => comparison.looking.setState({ sheet: undefined })
  const isReady = how === 'elsewhere' ? path.trim() !== '' : folder.trim() !== ''
  const chooseWhat = (next: What) => {
    setWhat(next)
    if (folder === folderNames[what]) setFolder(folderNames[next])
  }
  const go = async () => {
    const { batch } = workspace
    if (!batch) return
    setBusy(true)
    await place(comparison, batch.id, what, how, how === 'elsewhere' ? path.trim() : folder.trim())
    setBusy(false)
    close()
  }
  return (
    <Sheet
      title={t`Move or copy marked pictures`}
      subtitle={t`Marks stay as they are. No file is overwritten: a name that is taken gets a number.`}
      isOpen
      onClose={close}
      width={600}
      footer={
        <>
          <span className="sp" />
          <Button variant="ghost" onPress={close}>
            {t`Cancel`}
          </Button>
          <Button
            variant="primary"
            size="l"
            isDisabled={!isReady || isBusy}
            onPress={() => void go()}
            autoFocus
          >
            {actionWords(how, what)}
          </Button>
        </>
      }
    >
      <div className="place-sheet">
        <RadioCards label={t`Which`} value={what} onChange={chooseWhat} cards={whatCards} />
        <RadioCards label={t`How`} value={how} onChange={setHow} cards={howCards} />
        {how === 'elsewhere' ? (
          <FolderField path={path} onChange={setPath} />
        ) : (
          <TextField label={t`Folder name`} value={folder} onChange={setFolder} />
        )}
      </div>
    </Sheet>
  )
}

function FolderField({
  path,
  onChange,
}: {
  readonly path: string
  readonly onChange: (path: string) => void
}) {
  return (
    <TextField
      label={t`Folder`}
      value={path}
      onChange={onChange}
      trailing={<PickFolder title={t`Where the copies go`} current={path} onPick={onChange} />}
    />
  )
}

async function place(
  { workspace, session }: ReturnType<typeof useComparison>,
  batch: string,
  what: What,
  how: How,
  where: string,
) {
  await workspace.attempt(async () => {
    const { record, files, problems } = await workspace.api.compare.place({
      batch,
      what,
      how: how === 'move' ? 'move' : 'copy',
      to: how === 'elsewhere' ? { path: where } : { folder: where },
    })
    const count = plural(files, 'file')
    const words = how === 'move' ? t`Moved ${count}` : t`Copied ${count}`
    const trouble = problems.length === 0 ? '' : `. ${problems[0]}`
    if (record === null) {
      const none = what === 'kept' ? t`Nothing is kept` : t`Nothing is rejected`
      return workspace.say(files === 0 && trouble === '' ? none : words + trouble)
    }
    workspace.say(words + trouble, async () => {
      await workspace.api.compare.unplace({ record })
      await session.refresh()
    })
    await session.refresh()
  })
}
