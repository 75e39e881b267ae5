import { FlaskConical, LayoutGrid } from 'lucide-react'
import { priceTag } from '../../app/format.ts'
import { useQueue, useWorkspace } from '../../app/workspace-context.ts'
import { Button } from '../../ui/Button.tsx'
import type { PreviewFeed } from './preview-feed.ts'
import { usePlan, type PlannedTry, type RunningTry, type TryDesk } from './use-try.ts'
import { t } from '../../../shared/language/text.ts'

/** What a person is told of a try under way; undefined once its result is there. */
export function tryWords({ record }: RunningTry, queueState: string | undefined): string | undefined {
  switch (record.state) {
    case 'held':
    case 'waiting':
      return queueState === undefined || queueState === 'running'
        ? t`Waiting for its turn`
        : t`Waiting: the queue stands still`
    case 'submitting':
      return t`Sending`
    case 'running':
      return t`At the service`
    case 'downloading':
      return t`Downloading`
    case 'failed':
      return t`Failed: ${record.reason ?? t`the service could not do it`}`
    case 'review':
      return t`Needs your decision: see its batch`
    case 'cancelled':
      return t`Cancelled`
    case 'delivered':
    case 'skipped':
      return undefined
  }
}

/** The price as it stands on the button; without a known base price what is known of it. */
function priceOf(plan: PlannedTry | undefined): string | undefined {
  if (!plan) return undefined
  if (plan.known !== null) return t`done`
  return priceTag(plan.price) ?? t`${plan.extras.max} cr + base`
}

export interface TryBarProps {
  readonly image: number
  readonly feed: PreviewFeed
  readonly desk: TryDesk
  /** Undefined where there is no preview to make them from. */
  readonly onVariants: (() => void) | undefined
  readonly onResult: (image: number) => void
}

/** Under the preview: one run for real, with its price, and the steps of one setting. */
export function TryBar({ image, feed, desk, onVariants, onResult }: TryBarProps) {
  const workspace = useWorkspace()
  const queue = useQueue()
  const { current, isStarting, start } = desk
  const plan = usePlan(workspace, image, feed, current?.record.state)
  const words = current && tryWords(current, queue?.state)
  const isOver = current?.record.state === 'failed' || current?.record.state === 'cancelled'
  const isGoing = words !== undefined && !isOver
  return (
    <div className="try-bar">
      <Button
        size="s"
        icon={<FlaskConical size={13} />}
        price={priceOf(plan)}
        isDisabled={!plan || isStarting || isGoing}
        onPress={() => plan && start(plan)}
      >
        {t`Try on this image`}
      </Button>
      <Button
        size="s"
        variant="ghost"
        icon={<LayoutGrid size={13} />}
        isDisabled={!onVariants}
        onPress={() => onVariants?.()}
      >
        {t`Variants`}
      </Button>
      {current && (
        <div className="try-state" role="status">
          {words ?? (
            <Button size="s" variant="line" onPress={() => onResult(current.record.id)}>
              {t`Show the result`}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
