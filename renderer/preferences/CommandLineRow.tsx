import { useEffect, useState } from 'react'
import { useWorkspace } from '../app/workspace-context.ts'
import { Button } from '../ui/Button.tsx'
import { Row } from './rows.tsx'
import { t } from '../../shared/language/text.ts'

interface Tool {
  readonly path: string
  readonly isInstalled: boolean
  readonly sentence: string
}

/** The command `vitrine` for terminals: installed and removed here. */
export function CommandLineRow() {
  const workspace = useWorkspace()
  const [tool, setTool] = useState<Tool>()
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    const ends = new AbortController()
    workspace.api.shell.commandLine({ act: 'look' }, { signal: ends.signal }).then(setTool, () => undefined)
    return () => ends.abort()
  }, [workspace])
  const act = async (what: 'install' | 'remove') => {
    setBusy(true)
    const done = await workspace.attempt(() => workspace.api.shell.commandLine({ act: what }))
    if (done) setTool(done)
    setBusy(false)
  }
  return (
    <Row
      title={t`Command line`}
      note={
        tool && (
          <>
            {tool.sentence} <bdi className="mono select-text">{tool.path}</bdi>
          </>
        )
      }
    >
      <Button isDisabled={!tool || isBusy} onPress={() => void act(tool?.isInstalled ? 'remove' : 'install')}>
        {tool?.isInstalled ? t`Remove` : t`Install`}
      </Button>
    </Row>
  )
}
