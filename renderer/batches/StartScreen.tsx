import { ClipboardPaste, FolderOpen, PowerOff, ReceiptText, ShieldCheck } from 'lucide-react'
import { Button as AriaButton } from 'react-aria-components'
import { useActiveConnection, useKeys, useWorkspace } from '../app/workspace-context.ts'
import { chooseFolder } from '../intake/choose-folder.ts'
import { trySamples } from '../intake/begin-intake.ts'
import { Button } from '../ui/Button.tsx'
import { rich } from '../ui/rich.tsx'
import { Showcase } from '../ui/Showcase.tsx'
import { t } from '../../shared/language/text.ts'

function Promises() {
  return (
    <ul className="promises">
      <li>
        <ShieldCheck size={15} aria-hidden="true" />
        {t`Originals are never changed`}
      </li>
      <li>
        <ReceiptText size={15} aria-hidden="true" />
        {t`Price shown before anything starts`}
      </li>
      <li>
        <PowerOff size={15} aria-hidden="true" />
        {t`Survives closing and crashing`}
      </li>
    </ul>
  )
}

/** The empty window: where a shoot is dropped. */
export function StartScreen() {
  const workspace = useWorkspace()
  const keys = useKeys()
  const connection = useActiveConnection()
  const isPractice = connection?.kind === 'practice'
  const samples = async () => {
    if (!isPractice) {
      const done = await workspace.attempt(async () => {
        await workspace.api.connections.usePractice({})
        return true
      })
      if (!done) return
    }
    trySamples(workspace)
  }
  return (
    <main className="main start" aria-label={t`New batch`} data-region="start">
      <div className="drop-field">
        <Showcase />
        <h1>{t`Drop a shoot here`}</h1>
        <p>
          {rich`Drop folders, URL lists (.txt, .csv, .json),${<br />}.url/.webloc shortcuts or paste URLs`}
        </p>
        <div className="row g8">
          <Button
            variant="primary"
            size="l"
            icon={<FolderOpen size={16} />}
            keys={keys('mod+o')}
            onPress={() => void chooseFolder(workspace)}
          >
            {t`Choose folder`}
          </Button>
          <Button
            size="l"
            icon={<ClipboardPaste size={16} />}
            keys={keys('mod+v')}
            onPress={() => workspace.open({ kind: 'paste' })}
          >
            {t`Paste URLs`}
          </Button>
        </div>
        <p className="t12 f3">
          {t`No pictures at hand?`}{' '}
          <AriaButton className="link" onPress={() => void samples()}>
            {isPractice ? t`Try the sample shoot` : t`Try the sample shoot on the practice service`}
          </AriaButton>
        </p>
        <Promises />
      </div>
    </main>
  )
}
