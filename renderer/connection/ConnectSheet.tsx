import { FlaskConical } from 'lucide-react'
import { useState } from 'react'
import { useStore } from 'zustand'
import { useWorkspace } from '../app/workspace-context.ts'
import { Button } from '../ui/Button.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { TextField } from '../ui/TextField.tsx'
import { answered, failed, nameFor, useKeyCheck, type KeyEntry } from './key-check.ts'
import { KeyFields } from './KeyFields.tsx'
import { t } from '../../shared/language/text.ts'

/** What is typed into the sheet, and what its button does next. */
function useConnecting(onDone: () => void) {
  const { api } = useWorkspace()
  const [name, setName] = useState('')
  const [entry, setEntry] = useState<KeyEntry>({ baseUrl: '', key: '' })
  const [unprotected, setUnprotected] = useState(false)
  const [isAdding, setAdding] = useState(false)
  const { state, setState, protection, check, reset } = useKeyCheck()
  const isEmpty = entry.baseUrl.trim() === '' || entry.key === ''
  const isChecking = state.kind === 'checking' || isAdding
  const go = async () => {
    if (isEmpty || isChecking) return
    if (state.kind !== 'accepted') return void (await check(entry))
    setAdding(true)
    const { baseUrl } = state
    const added = await api.connections
      .add({ name: name.trim() || nameFor(baseUrl), baseUrl, key: entry.key, unprotected })
      .then(answered, failed)
    setAdding(false)
    if (added.kind === 'accepted') onDone()
    else setState(added)
  }
  const type = (next: KeyEntry) => {
    setEntry(next)
    reset()
  }
  return {
    name,
    setName,
    entry,
    type,
    protection,
    unprotected,
    setUnprotected,
    state,
    go,
    isPossible: !isEmpty && !isChecking,
    isChecking,
  }
}

/** Connects one more account; the key is checked before it is kept. */
export function ConnectSheet() {
  const workspace = useWorkspace()
  const hasPractice = useStore(workspace.mirrors.connections, ({ value }) =>
    value.some((one) => one.kind === 'practice'),
  )
  const form = useConnecting(() => workspace.closeOverlay())
  const { state } = form
  const practise = async () => {
    await workspace.attempt(() => workspace.api.connections.usePractice({}))
    workspace.closeOverlay()
  }
  return (
    <Sheet
      title={t`Connect an account`}
      subtitle={t`Batches remember which connection they ran on.`}
      isOpen
      width={480}
      onClose={() => workspace.closeOverlay()}
      footer={
        <>
          {!hasPractice && (
            <Button variant="ghost" icon={<FlaskConical size={14} />} onPress={() => void practise()}>
              {t`Practice service`}
            </Button>
          )}
          <span className="sp" />
          <Button variant="ghost" onPress={() => workspace.closeOverlay()}>
            {t`Cancel`}
          </Button>
          <Button variant="primary" size="l" isDisabled={!form.isPossible} onPress={() => void form.go()}>
            {form.isChecking ? t`Checking` : state.kind === 'accepted' ? t`Connect` : t`Check key`}
          </Button>
        </>
      }
    >
      <div className="col g16">
        <KeyFields
          entry={form.entry}
          state={state}
          autoFocus
          onChange={form.type}
          onEnter={() => void form.go()}
          protection={form.protection}
          unprotected={form.unprotected}
          onUnprotected={form.setUnprotected}
        />
        {state.kind === 'accepted' && (
          <TextField
            label={t`Name`}
            value={form.name}
            onChange={form.setName}
            placeholder={nameFor(state.baseUrl)}
            note={t`As it is shown in this program.`}
          />
        )}
      </div>
    </Sheet>
  )
}
