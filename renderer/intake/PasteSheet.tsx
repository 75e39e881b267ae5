import { useState } from 'react'
import { useWorkspace } from '../app/workspace-context.ts'
import { Button } from '../ui/Button.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { TextField } from '../ui/TextField.tsx'
import { holdsAddresses, readText } from './begin-intake.ts'
import { t } from '../../shared/language/text.ts'

/** A field for addresses, for those who do not paste with the keyboard. */
export function PasteSheet() {
  const workspace = useWorkspace()
  const [text, setText] = useState('')
  const [isTried, setTried] = useState(false)
  const go = () => {
    setTried(true)
    if (holdsAddresses(text)) readText(workspace, text)
  }
  return (
    <Sheet
      title={t`Paste URLs`}
      subtitle={t`One address a line, a table, or any text with addresses in it.`}
      isOpen
      isDismissable
      width={560}
      onClose={() => workspace.closeOverlay()}
      footer={
        <>
          <span className="f3 t12">{t`Nothing is sent yet.`}</span>
          <span className="sp" />
          <Button variant="ghost" onPress={() => workspace.closeOverlay()}>
            {t`Cancel`}
          </Button>
          <Button variant="primary" size="l" isDisabled={text.trim() === ''} onPress={go}>
            {t`Look through`}
          </Button>
        </>
      }
    >
      <TextField
        label={t`Addresses`}
        hideLabel
        autoFocus
        mono
        lines={10}
        value={text}
        placeholder={'https://…/R1042-front.tif\nhttps://…/R1187-hero.tif'}
        onChange={setText}
        error={isTried && !holdsAddresses(text) ? t`There is no address in this text.` : undefined}
      />
    </Sheet>
  )
}
