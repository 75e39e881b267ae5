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

/** Moves or copies the files of marked images; nothing is overwritten, and it can be taken back. */
export function PlaceSheet() {
  const comparison = useComparison()
  const { workspace } = comparison
  const [what, setWhat] = useState<What>('kept')
  const [how, setHow] = useState<How>('copy')
  const [folder, setFolder] = useState(t`Kept`)
  const [path, setPath] = useState('')
  const [isBusy, setBusy] = useState(false)
  const close = () => comparison.looking.setState({ sheet: undefined })
  const isReady = how === 'elsewhere' ? path.trim() !== '' : folder.trim() !== ''
  const chooseWhat = (next: What) => {
    setWhat(next)
    if (folder === 'Kept' || folder === 'Rejected') setFolder(next === 'kept' ? t`Kept` : t`Rejected`)
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
            {how === 'move' ? t`Move` : t`Copy`} {what === 'kept' ? 'kept pictures' : 'rejected pictures'}
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
    const words = `${how === 'move' ? t`Moved` : t`Copied`} ${plural(files, 'file')}`
    const trouble = problems.length === 0 ? '' : `. ${problems[0]}`
    if (record === null)
      return workspace.say(files === 0 && trouble === '' ? t`Nothing is ${what}` : words + trouble)
    workspace.say(words + trouble, async () => {
      await workspace.api.compare.unplace({ record })
      await session.refresh()
    })
    await session.refresh()
  })
}
