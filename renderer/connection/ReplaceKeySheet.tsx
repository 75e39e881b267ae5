import { useState } from 'react'
import { useStore } from 'zustand'
import { useWorkspace } from '../app/workspace-context.ts'
import { Button } from '../ui/Button.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { answered, failed, useProtection, type KeyState } from './key-check.ts'
import { KeyFields } from './KeyFields.tsx'
import { t } from '../../shared/language/text.ts'

/** Another key for a connection: it is checked first, and its batches stay. */
export function ReplaceKeySheet({ connection: id }: { readonly connection: string }) {
  const workspace = useWorkspace()
  const connection = useStore(workspace.mirrors.connections, ({ value }) =>
    value.find((one) => one.id === id),
  )
  const [key, setKey] = useState('')
  const [unprotected, setUnprotected] = useState(false)
  const [state, setState] = useState<KeyState>({ kind: 'untried' })
  const protection = useProtection()
  if (!connection) return null
  const replace = async () => {
    if (key === '' || state.kind === 'checking') return
    setState({ kind: 'checking' })
    const next = await workspace.api.connections.replaceKey({ id, key, unprotected }).then(answered, failed)
    setState(next)
    if (next.kind !== 'accepted') return
    workspace.closeOverlay()
    workspace.say(t`Key replaced. The queue goes on`)
  }
  return (
    <Sheet
      title={t`Replace key`}
      subtitle={<bdi>{connection.name}</bdi>}
      isOpen
      width={460}
      onClose={() => workspace.closeOverlay()}
      footer={
        <>
          <span className="sp" />
          <Button variant="ghost" onPress={() => workspace.closeOverlay()}>
            {t`Cancel`}
          </Button>
          <Button
            variant="primary"
            size="l"
            isDisabled={key === '' || state.kind === 'checking'}
            onPress={() => void replace()}
          >
            {state.kind === 'checking' ? t`Checking` : t`Replace key`}
          </Button>
        </>
      }
    >
      <KeyFields
        entry={{ baseUrl: connection.baseUrl, key }}
        state={state}
        isAddressFixed
        autoFocus
        onChange={(entry) => {
          setKey(entry.key)
          setState({ kind: 'untried' })
        }}
        onEnter={() => void replace()}
        protection={protection}
        unprotected={unprotected}
        onUnprotected={setUnprotected}
      />
    </Sheet>
  )
}
