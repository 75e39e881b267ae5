import { useState } from 'react'
import { useWorkspace } from '../app/workspace-context.ts'
import { Button } from '../ui/Button.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { TextField } from '../ui/TextField.tsx'
import { t } from '../../shared/language/text.ts'

export interface RenamePresetProps {
  readonly name: string
  /** The new name, or undefined where it stays. */
  readonly onDone: (to: string | undefined) => void
}

/** Another name for a preset; the engine says where it cannot be taken. */
export function RenamePreset({ name, onDone }: RenamePresetProps) {
  const workspace = useWorkspace()
  const [to, setTo] = useState(name)
  const rename = async () => {
    const next = to.trim()
    if (next === '' || next === name) return onDone(undefined)
    const done = await workspace.attempt(async () => {
      await workspace.api.presets.rename({ name, to: next })
      return true
    })
    if (done) onDone(next)
  }
  return (
    <Sheet
      title={t`Rename preset`}
      isOpen
      isDismissable
      width={400}
      onClose={() => onDone(undefined)}
      footer={
        <>
          <span className="sp" />
          <Button variant="ghost" onPress={() => onDone(undefined)}>
            {t`Cancel`}
          </Button>
          <Button variant="primary" size="l" isDisabled={to.trim() === ''} onPress={() => void rename()}>
            {t`Rename`}
          </Button>
        </>
      }
    >
      <TextField label={t`Name`} autoFocus value={to} onChange={setTo} onEnter={() => void rename()} />
    </Sheet>
  )
}
