import { FlaskConical, KeyRound, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useStore } from 'zustand'
import type { ConnectionRecord } from '../../shared/contract/records.ts'
import { useWorkspace } from '../app/workspace-context.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { rich } from '../ui/rich.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { Tag } from '../ui/Tag.tsx'
import { CommittedField } from './rows.tsx'
import { t } from '../../shared/language/text.ts'

const keyWords: Readonly<Record<ConnectionRecord['key'], string>> = {
  'key-store': t`Its key is in the system’s key store.`,
  unprotected: t`Its key is kept unprotected on this computer.`,
  'this-run': t`Its key is known until the program ends.`,
  missing: t`Its key is not known any more.`,
}

interface ForgetProps {
  readonly connection: ConnectionRecord
  readonly onClose: () => void
}

/** The practice service was named when it was set up, perhaps in another language. */
function nameOf({ kind, name }: ConnectionRecord): string {
  return kind === 'practice' ? t`Practice service` : name
}

function Forget({ connection, onClose }: ForgetProps) {
  const workspace = useWorkspace()
  return (
    <Sheet
      title={t`Forget this connection?`}
      isOpen
      isDismissable
      width={420}
      onClose={onClose}
      footer={
        <>
          <span className="sp" />
          <Button autoFocus variant="ghost" onPress={onClose}>
            {t`Keep`}
          </Button>
          <Button
            size="l"
            tone="red"
            onPress={() => {
              onClose()
              void workspace.attempt(() => workspace.api.connections.remove({ id: connection.id }))
            }}
          >
            {t`Forget`}
          </Button>
        </>
      }
    >
      <p>
        {rich`Its key is deleted from this computer. Batches of “${<bdi>{nameOf(connection)}</bdi>}” stay readable.`}
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
        <bdi className="m ell">{nameOf(connection)}</bdi>
        {active && <Tag tone="accent">{t`active`}</Tag>}
        <span className="sp" />
        {!active && (
          <Button
            size="s"
            onPress={() => void workspace.attempt(() => workspace.api.connections.activate({ id }))}
          >
            {t`Use this one`}
          </Button>
        )}
        {kind === 'account' && (
          <Button size="s" onPress={() => workspace.open({ kind: 'replace-key', connection: id })}>
            {t`Replace key`}
          </Button>
        )}
        <IconButton
          size="s"
          icon={<Trash2 size={14} />}
          label={t`Forget ${nameOf(connection)}`}
          onPress={() => setForgetting(true)}
        />
      </div>
      {kind === 'account' ? (
        <>
          <CommittedField
            label={t`Name`}
            value={connection.name}
            problem={(value) => (value === '' ? t`Type a name.` : undefined)}
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
        <p className="t12 f3">{t`Runs on this computer with play credits; its results are stand-ins.`}</p>
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
          {t`Connect an account`}
        </Button>
      </div>
    </>
  )
}
