import { Info } from 'lucide-react'
import { useState } from 'react'
import { range } from '../app/format.ts'
import { useWorkspace } from '../app/workspace-context.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { StateGlyph } from '../ui/StateLabel.tsx'
import { Choices, Source, type Choice } from './Choices.tsx'
import { useEvidence, useQuestions, type Evidence } from './use-review.ts'
import { t } from '../../shared/language/text.ts'

function decideWords(choice: Choice | undefined): string {
  switch (choice?.kind) {
    case 'adopt':
      return t`Use this run, no new charge`
    case 'send-again':
      return t`Send again`
    case 'drop':
      return t`Leave it out`
    case undefined:
      return t`Choose what to do`
  }
}

/** What is not known, and why a person has to decide. */
function whyWords({ why, cost }: Evidence): string {
  return cost === null
    ? why
    : t`${why} Sending it again could charge ${range(cost)} credits twice, so you decide.`
}

function Loading() {
  return (
    <div className="review-columns">
      <div className="review-source">
        <Skeleton height={200} />
      </div>
      <div className="review-choices">
        <Skeleton height={110} />
        <Skeleton height={110} />
      </div>
    </div>
  )
}

interface BodyProps {
  readonly review: ReturnType<typeof useEvidence>
  readonly choice: Choice | undefined
  readonly onChoose: (choice: Choice) => void
  readonly onDecide: () => void
}

function Body({ review, choice, onChoose, onDecide }: BodyProps) {
  const { evidence, trouble, lookAgain } = review
  if (trouble !== undefined && !evidence) {
    return <EmptyState title={trouble} actions={<Button onPress={lookAgain}>{t`Look again`}</Button>} />
  }
  if (!evidence) return <Loading />
  return (
    <div
      className="review-columns"
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.target instanceof HTMLInputElement) onDecide()
      }}
    >
      <Source answer={evidence} />
      <Choices answer={evidence} choice={choice} onChoose={onChoose} onLookAgain={lookAgain} />
    </div>
  )
}

interface DecisionProps {
  readonly image: number
  readonly position: string
  readonly onDone: () => void
  readonly onLater: () => void
}

function Decision({ image, position, onDone, onLater }: DecisionProps) {
  const workspace = useWorkspace()
  const review = useEvidence(image)
  const { evidence } = review
  const [chosen, setChosen] = useState<Choice>()
  const likely: Choice | undefined =
    evidence?.likely == null ? undefined : { kind: 'adopt', runId: evidence.likely }
  const choice = chosen ?? likely
  const decide = async () => {
    if (!choice) return
    const decision = choice.kind === 'adopt' ? choice : { kind: choice.kind }
    const done = await workspace.attempt(async () => {
      await workspace.api.review.decide({ image, decision })
      return true
    })
    if (done) onDone()
  }
  const price = choice?.kind === 'send-again' && evidence?.cost ? t`${range(evidence.cost)} cr` : undefined
  return (
    <Sheet
      title={
        <span className="row g12">
          <span className="amb">
            <StateGlyph look="review" size={20} />
          </span>
          {t`Was this picture sent?`} <span className="t12 f3">{position}</span>
        </span>
      }
      subtitle={evidence && whyWords(evidence)}
      isOpen
      bare
      width={980}
      onClose={() => workspace.closeOverlay()}
      footer={
        <>
          <Info size={14} className="f3" aria-hidden="true" />
          <span className="t12 f3">{t`The queue keeps running. This picture waits for you.`}</span>
          <span className="sp" />
          <Button variant="ghost" onPress={onLater}>
            {t`Decide later`}
          </Button>
          <Button
            variant="primary"
            size="l"
            keys="↵"
            isDisabled={!choice || !evidence}
            price={price}
            onPress={() => void decide()}
          >
            {decideWords(choice)}
          </Button>
        </>
      }
    >
      <Body review={review} choice={choice} onChoose={setChosen} onDecide={() => void decide()} />
    </Sheet>
  )
}

export interface ReviewSheetProps {
  readonly batch: string
  /** Where to begin. */
  readonly image: number | undefined
}

/** Pictures of which nobody knows whether they were sent: the evidence, and a decision each. */
export function ReviewSheet({ batch, image }: ReviewSheetProps) {
  const workspace = useWorkspace()
  const { questions, setQuestions } = useQuestions(batch, image)
  if (!questions) return null
  const { ids, at } = questions
  const current = ids[at]
  if (current === undefined) {
    return (
      <Sheet
        title={t`Nothing to decide`}
        isOpen
        isDismissable
        onClose={() => workspace.closeOverlay()}
        width={400}
      >
        <p>{t`Every picture of this batch is settled.`}</p>
      </Sheet>
    )
  }
  const next = (left: readonly number[], from: number) => {
    if (from >= left.length) workspace.closeOverlay()
    else setQuestions({ ids: left, at: from })
  }
  return (
    <Decision
      key={current}
      image={current}
      position={ids.length > 1 ? t`${at + 1} of ${ids.length}` : ''}
      onDone={() =>
        next(
          ids.filter((id) => id !== current),
          at,
        )
      }
      onLater={() => next(ids, at + 1)}
    />
  )
}
