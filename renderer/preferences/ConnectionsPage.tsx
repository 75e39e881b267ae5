import { FlaskConical, KeyRound, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useStore } from 'zustand'
import type { ConnectionRecord } from '../../shared/contract/records.ts'
import { useWorkspace } from '../app/workspace-context.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { Tag } from '../ui/Tag.tsx'
import { CommittedField } from './rows.tsx'

const keyWords: Readonly<Record<ConnectionRecord['key'], string>> = {
  'key-store': 'Its key is in the system’s key store.',
  unprotected: 'Its key is kept unprotected on this computer.',
  'this-run': 'Its key is known until the program ends.',
  missing: 'Its key is not known any more.',
}

function Forget({
  connection,
  onClose,
}: {
  readonly connection: ConnectionRecord
  readonly onClose: () => void
}) {
  const workspace = useWorkspace()
  return (
    <Sheet
      title="Forget this connection?"
      isOpen
      isDismissable
      width={420}
      onClose={onClose}
      footer={
        <>
          <span className="sp" />
          <Button autoFocus variant="ghost" onPress={onClose}>
            Keep
          </Button>
          <Button
            size="l"
            tone="red"
            onPress={() => {
              onClose()
              void workspace.attempt(() => workspace.api.connections.remove({ id: connection.id }))
            }}
          >
            Forget
          </Button>
        </>
      }
    >
      <p>
        Its key is deleted from this computer. Batches of “<bdi>{connection.name}</bdi>” stay readable.
      </p>
    </Sheet>
  )
}

function ConnectionCard({ connection }: { readonly connection: ConnectionRecord }) {
  const workspace = useWorkspace()
  const [isForgetting, setForgetting] = useState(false)
  const { id, kind, active } = connection
  return (
    <li className="connection-card">
      <div className="row g8">
        {kind === 'practice' ? (
          <FlaskConical size={16} className="f2" aria-hidden="true" />
        ) : (
          <KeyRound size={16} className="f2" aria-hidden="true" />
        )}
        <bdi className="m ell">{connection.name}</bdi>
        {active && <Tag tone="accent">active</Tag>}
        <span className="sp" />
        {!active && (
          <Button
            size="s"
            onPress={() => void workspace.attempt(() => workspace.api.connections.activate({ id }))}
          >
            Use this one
          </Button>
        )}
        {kind === 'account' && (
          <Button size="s" onPress={() => workspace.open({ kind: 'replace-key', connection: id })}>
            Replace key
          </Button>
        )}
        <IconButton
          size="s"
          icon={<Trash2 size={14} />}
          label={`Forget ${connection.name}`}
          onPress={() => setForgetting(true)}
        />
      </div>
      {kind === 'account' ? (
        <>
          <CommittedField
            label="Name"
            value={connection.name}
            problem={(value) => (value === '' ? 'Type a name.' : undefined)}
            onCommit={(name) =>
              void workspace.attempt(() => workspace.api.connections.rename({ id, name: name.slice(0, 80) }))
            }
          />
          <p className="t12 f3">
            <bdi className="mono select-text">{connection.baseUrl}</bdi>
          </p>
          <p className="t12 f3">{keyWords[connection.key]}</p>
        </>
      ) : (
        <p className="t12 f3">Runs on this computer with play credits; its results are stand-ins.</p>
      )}
      {isForgetting && <Forget connection={connection} onClose={() => setForgetting(false)} />}
    </li>
  )
}

/** Every connection; one is active. A key is never shown again. */
export function ConnectionsPage() {
  const workspace = useWorkspace()
  const connections = useStore(workspace.mirrors.connections, ({ value }) => value)
  return (
    <>
      <ul className="connections">
        {connections.map((connection) => (
          <ConnectionCard key={connection.id} connection={connection} />
        ))}
      </ul>
      <div className="row g8">
        <Button icon={<Plus size={14} />} onPress={() => workspace.open({ kind: 'connect' })}>
          Connect an account
        </Button>
      </div>
    </>
  )
}
