import { Plus, RefreshCw, Settings } from 'lucide-react'
import { Button as AriaButton, Dialog, DialogTrigger, Popover } from 'react-aria-components'
import { useStore } from 'zustand'
import { duration, figure } from '../app/format.ts'
import { useActiveConnection, useKeys, useNow, useQueue, useWorkspace } from '../app/workspace-context.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { CheckMark } from '../ui/Checkbox.tsx'
import { classes } from '../ui/class-names.ts'
import { balanceLook, balanceRows, type BalanceLook } from './balance.ts'
import { t } from '../../shared/language/text.ts'

function Connections({ onDone }: { readonly onDone: () => void }) {
  const workspace = useWorkspace()
  const connections = useStore(workspace.mirrors.connections, ({ value }) => value)
  return (
    <div className="bal-connections" role="group" aria-label={t`Connections`}>
      {connections.map((connection) => (
        <AriaButton
          key={connection.id}
          className="menu-o"
          aria-pressed={connection.active}
          onPress={() => {
            onDone()
            void workspace.attempt(() => workspace.api.connections.activate({ id: connection.id }))
          }}
        >
          <CheckMark state={connection.active ? 'on' : 'off'} />
          <bdi className="ell grow">{connection.name}</bdi>
        </AriaButton>
      ))}
      <AriaButton
        className="menu-o"
        onPress={() => {
          onDone()
          workspace.open({ kind: 'connect' })
        }}
      >
        <Plus size={15} aria-hidden="true" />
        <span className="grow">{t`Connect an account`}</span>
      </AriaButton>
    </div>
  )
}

function BalanceDetails({ close }: { readonly close: () => void }) {
  const workspace = useWorkspace()
  const connection = useActiveConnection()
  const queue = useQueue()
  const now = useNow()
  return (
    <>
      <dl className="facts">
        {balanceRows(connection, queue).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      {queue?.balance && (
        <p className="t11 f3">{t`Checked ${duration(Math.max(0, now - queue.balance.at))} ago`}</p>
      )}
      <div className="row g6">
        <Button
          size="s"
          icon={<RefreshCw size={13} />}
          onPress={() => void workspace.attempt(() => workspace.api.queue.checkBalance({}))}
        >
          {t`Check balance`}
        </Button>
        {workspace.isDesktop && connection?.kind === 'account' && (
          <Button size="s" onPress={() => void workspace.attempt(() => workspace.api.shell.openService({}))}>
            {t`Add credits`}
          </Button>
        )}
      </div>
      <Connections onDone={close} />
    </>
  )
}

function BalanceBar({ look }: { readonly look: BalanceLook }) {
  return (
    <span className={classes('bal', look.isShort && 'short')} aria-hidden="true">
      <i style={{ width: `${Math.round(look.committed * 100)}%` }} />
    </span>
  )
}

/** The foot of the sidebar: connection and balance; a press opens what makes it up, and the other connections. */
export function BalanceCard({ isRail }: { readonly isRail: boolean }) {
  const workspace = useWorkspace()
  const keys = useKeys()
  const connection = useActiveConnection()
  const queue = useQueue()
  const look = balanceLook(connection, queue)
  const total = queue?.balance?.total
  return (
    <div className={classes('side-foot', isRail && 'rail')}>
      <DialogTrigger>
        <AriaButton className="bal-card">
          {isRail ? (
            <>
              <span className={classes('dot', look.dot)} />
              <b>{total === undefined ? '–' : figure(total)}</b>
              <span className="t11 f2">{t`credits`}</span>
            </>
          ) : (
            <>
              <span className="row g8">
                <span className={classes('dot', look.dot)} />
                <span className="t12 f2 ell">{look.status}</span>
              </span>
              <span className="bal-line ell">
                <b className={classes(look.isLow && 'amb')}>{look.credits ?? t`No balance yet`}</b>
                {queue?.balance?.tier != null && <span className="f2"> · {queue.balance.tier}</span>}
              </span>
              <BalanceBar look={look} />
              <span className="t11 f3 ell">{look.note}</span>
            </>
          )}
        </AriaButton>
        <Popover className="pop" placement={isRail ? 'right bottom' : 'top start'} offset={6}>
          <Dialog className="bal-pop" aria-label={t`Balance`}>
            {({ close }) => <BalanceDetails close={close} />}
          </Dialog>
        </Popover>
      </DialogTrigger>
      <div className="bal-gear">
        <IconButton
          size="s"
          icon={<Settings size={15} />}
          label={t`Settings`}
          keys={keys('mod+,')}
          tooltipPlacement="top"
          onPress={() => workspace.go({ kind: 'preferences', page: 'general' })}
        />
      </div>
    </div>
  )
}
