import { useState } from 'react'
import { plural } from '../app/format.ts'
import { PickFolder } from '../app/PickFolder.tsx'
import { Button } from '../ui/Button.tsx'
import { RadioCards, type RadioCard } from '../ui/RadioCards.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { TextField } from '../ui/TextField.tsx'
import { useComparison } from './compare-context.ts'

type What = 'kept' | 'rejected'
type How = 'move' | 'copy' | 'elsewhere'

const whatCards: readonly RadioCard<What>[] = [
  { value: 'kept', title: 'Kept', note: 'Of each image the output that was kept.' },
  { value: 'rejected', title: 'Rejected', note: 'Every output of rejected images.' },
]

const howCards: readonly RadioCard<How>[] = [
  { value: 'copy', title: 'Copy into a folder of the batch', note: 'The files stay where they are too.' },
  { value: 'move', title: 'Move into a folder of the batch', note: 'Within the output folder.' },
  { value: 'elsewhere', title: 'Copy to another folder', note: 'A folder that is there already.' },
]

/** Moves or copies the files of marked images; nothing is overwritten, and it can be taken back. */
export function PlaceSheet() {
  const comparison = useComparison()
  const { workspace } = comparison
  const [what, setWhat] = useState<What>('kept')
  const [how, setHow] = useState<How>('copy')
  const [folder, setFolder] = useState('Kept')
  const [path, setPath] = useState('')
  const [isBusy, setBusy] = useState(false)
  const close = () => comparison.looking.setState({ sheet: undefined })
  const isReady = how === 'elsewhere' ? path.trim() !== '' : folder.trim() !== ''
  const chooseWhat = (next: What) => {
    setWhat(next)
    if (folder === 'Kept' || folder === 'Rejected') setFolder(next === 'kept' ? 'Kept' : 'Rejected')
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
      title="Move or copy marked pictures"
      subtitle="Marks stay as they are. No file is overwritten: a name that is taken gets a number."
      isOpen
      onClose={close}
      width={600}
      footer={
        <>
          <span className="sp" />
          <Button variant="ghost" onPress={close}>
            Cancel
          </Button>
          <Button
            variant="primary"
            size="l"
            isDisabled={!isReady || isBusy}
            onPress={() => void go()}
            autoFocus
          >
            {how === 'move' ? 'Move' : 'Copy'} {what === 'kept' ? 'kept pictures' : 'rejected pictures'}
          </Button>
        </>
      }
    >
      <div className="place-sheet">
        <RadioCards label="Which" value={what} onChange={chooseWhat} cards={whatCards} />
        <RadioCards label="How" value={how} onChange={setHow} cards={howCards} />
        {how === 'elsewhere' ? (
          <FolderField path={path} onChange={setPath} />
        ) : (
          <TextField label="Folder name" value={folder} onChange={setFolder} />
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
      label="Folder"
      value={path}
      onChange={onChange}
      trailing={<PickFolder title="Where the copies go" current={path} onPick={onChange} />}
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
    const words = `${how === 'move' ? 'Moved' : 'Copied'} ${plural(files, 'file')}`
    const trouble = problems.length === 0 ? '' : `. ${problems[0]}`
    if (record === null)
      return workspace.say(files === 0 && trouble === '' ? `Nothing is ${what}` : words + trouble)
    workspace.say(words + trouble, async () => {
      await workspace.api.compare.unplace({ record })
      await session.refresh()
    })
    await session.refresh()
  })
}
