import { Folder, Globe } from 'lucide-react'
import { useState } from 'react'
import { Fault } from '../../shared/rpc/fault.ts'
import type { PublishedFolder } from '../../shared/own-files.ts'
import { PickFolder } from '../app/PickFolder.tsx'
import { useWorkspace } from '../app/workspace-context.ts'
import { Button } from '../ui/Button.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { TextField } from '../ui/TextField.tsx'
import { t } from '../../shared/language/text.ts'

interface PublishedSheetProps {
  readonly published: PublishedFolder | null
  readonly onClose: () => void
}

interface FieldsProps {
  readonly form: PublishedFolder
  readonly problem: string | undefined
  readonly onChange: (form: PublishedFolder) => void
  readonly onEnter: () => void
}

const exampleAddress = 'https://…'

/** Whether it could be the address of a folder: a problem is shown at the address only where that is wrong. */
function isAddressOfFolder(text: string): boolean {
  const url = URL.parse(text.trim())
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    `${url.username}${url.password}${url.search}${url.hash}` === ''
  )
}

function Fields({ form, problem, onChange, onEnter }: FieldsProps) {
  const isOfAddress = problem !== undefined && !isAddressOfFolder(form.address)
  return (
    <div className="own-form">
      <TextField
        label={t`Folder on this computer`}
        autoFocus
        value={form.folder}
        onChange={(folder) => onChange({ ...form, folder })}
        error={isOfAddress ? undefined : problem}
        icon={<Folder size={15} className="f2" aria-hidden="true" />}
        trailing={
          <PickFolder
            title={t`Folder on this computer`}
            current={form.folder}
            onPick={(folder) => onChange({ ...form, folder })}
          />
        }
      />
      <TextField
        label={t`Its address`}
        type="url"
        placeholder={exampleAddress}
        value={form.address}
        onChange={(address) => onChange({ ...form, address })}
        onEnter={onEnter}
        error={isOfAddress ? problem : undefined}
        note={t`That of the folder itself. Before each batch its first picture is looked for there.`}
        icon={<Globe size={15} className="f3" aria-hidden="true" />}
      />
    </div>
  )
}

/** A folder, and its address on the web. */
export function PublishedSheet({ published, onClose }: PublishedSheetProps) {
  const workspace = useWorkspace()
  const [form, setForm] = useState(published ?? { folder: '', address: '' })
  const [problem, setProblem] = useState<string>()
  const isWhole = form.folder.trim() !== '' && form.address.trim() !== ''
  const save = async () => {
    if (!isWhole) return
    try {
      await workspace.api.ownFiles.setPublished({ folder: form.folder.trim(), address: form.address.trim() })
      onClose()
    } catch (error) {
      setProblem(error instanceof Fault ? error.message : t`That did not work. Try again.`)
    }
  }
  const change = (next: PublishedFolder) => {
    setForm(next)
    setProblem(undefined)
  }
  return (
    <Sheet
      title={t`A folder that is on the web`}
      isOpen
      width={500}
      onClose={onClose}
      footer={
        <>
          <span className="sp" />
          <Button variant="ghost" onPress={onClose}>
            {t`Cancel`}
          </Button>
          <Button variant="primary" size="l" isDisabled={!isWhole} onPress={() => void save()}>
            {t`Set up`}
          </Button>
        </>
      }
    >
      <Fields form={form} problem={problem} onChange={change} onEnter={() => void save()} />
    </Sheet>
  )
}
