import { useEffect, useState } from 'react'
import type { z } from 'zod'
import type { engineContract } from '../../shared/contract/engine-contract.ts'
import type { Target } from '../../shared/contract/records.ts'
import { Fault } from '../../shared/rpc/fault.ts'
import { figure, plural, range } from '../app/format.ts'
import { useQueue, useWorkspace } from '../app/workspace-context.ts'
import type { Workspace } from '../app/workspace.ts'
import { Button } from '../ui/Button.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { t } from '../../shared/language/text.ts'

type Images = (typeof engineContract)['images']
type Plan = z.output<Images['planRetry']['output']> &
  Partial<Pick<z.output<Images['planPick']['output']>, 'file'>>

export interface RetrySheetProps {
  readonly target: Target
  readonly title: string
  /** The drop with another picture for the only image. */
  readonly pick?: string | undefined
}

function plannedFor(workspace: Workspace, { target, pick }: RetrySheetProps, signal: AbortSignal) {
  const { images } = workspace.api
  const [image] = 'ids' in target ? target.ids : []
  return pick !== undefined && image !== undefined
    ? images.planPick({ image, drop: pick }, { signal })
    : images.planRetry(target, { signal })
}

/** What is sent again, and what that costs. */
function paidWords({ paid, cost, extras }: Plan): string {
  if (cost !== null) {
    return paid === 1
      ? t`1 image is sent again for ${range(cost)} credits.`
      : t`${figure(paid)} images are sent again for ${range(cost)} credits.`
  }
  return paid === 1
    ? t`1 image is sent again. The base price of this app is not known yet; the extras are ${range(extras)} credits.`
    : t`${figure(paid)} images are sent again. The base price of this app is not known yet; the extras are ${range(extras)} credits.`
}

function PlanWords({ plan }: { readonly plan: Plan }) {
  const queue = useQueue()
  const after =
    plan.cost !== null && queue?.balance
      ? queue.balance.total - (queue.committed?.max ?? 0) - plan.cost.max
      : undefined
  return (
    <div className="plan">
      {plan.file !== undefined && (
        <p>{t`“${plan.file}” takes the place of its picture. The name of its result stays.`}</p>
      )}
      {plan.free > 0 && (
        <p>
          {plural(
            plan.free,
            'result is fetched again. That costs nothing.',
            'results are fetched again. That costs nothing.',
          )}
        </p>
      )}
      {plan.paid > 0 && <p>{paidWords(plan)}</p>}
      {plan.paid === 0 && plan.free === 0 && <p>{t`None of these can be run again.`}</p>}
      {plan.alreadyCharged > 0 && (
        <p className="amb">
          {plural(
            plan.alreadyCharged,
            'credit was charged for them before.',
            'credits were charged for them before.',
          )}
        </p>
      )}
      {after !== undefined && plan.paid > 0 && (
        <p className="f3">
          {after >= 0
            ? t`Balance after: ${figure(after)}`
            : t`The balance is ${figure(-after)} short; the rest waits until it allows.`}
        </p>
      )}
    </div>
  )
}

/** Running images once more: asks with the price, and carries out exactly what was shown. */
export function RetrySheet({ target, title, pick }: RetrySheetProps) {
  const workspace = useWorkspace()
  const [plan, setPlan] = useState<Plan>()
  const [trouble, setTrouble] = useState<string>()
  const [isSending, setSending] = useState(false)
  useEffect(() => {
    const ends = new AbortController()
    plannedFor(workspace, { target, title, pick }, ends.signal).then(setPlan, (error: unknown) => {
      if (!ends.signal.aborted)
        setTrouble(error instanceof Fault ? error.message : t`That cannot be planned.`)
    })
    return () => ends.abort()
  }, [workspace, target, title, pick])
  const count = plan ? plan.paid + plan.free : 0
  const retry = async () => {
    if (!plan || count === 0) return
    setSending(true)
    const done = await workspace.attempt(() => workspace.api.images.retry({ plan: plan.plan }))
    setSending(false)
    workspace.closeOverlay()
    if (done) workspace.say(t`${plural(done.images, 'image')} put back into the queue`)
  }
  return (
    <Sheet
      title={title}
      isOpen
      isDismissable
      width={440}
      onClose={() => workspace.closeOverlay()}
      footer={
        <>
          <span className="sp" />
          <Button variant="ghost" onPress={() => workspace.closeOverlay()}>
            {t`Cancel`}
          </Button>
          <Button
            key={plan ? 'planned' : 'planning'}
            autoFocus
            variant="primary"
            size="l"
            keys="↵"
            isDisabled={count === 0 || isSending}
            price={plan && plan.cost !== null && plan.paid > 0 ? t`${range(plan.cost)} cr` : undefined}
            onPress={() => void retry()}
          >
            {plan && plan.paid === 0 ? t`Fetch again` : t`Retry`}
          </Button>
        </>
      }
    >
      {trouble !== undefined ? (
        <p className="red">{trouble}</p>
      ) : plan ? (
        <PlanWords plan={plan} />
      ) : (
        <Skeleton height={40} />
      )}
    </Sheet>
  )
}
