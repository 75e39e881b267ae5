import { Info, RefreshCw } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import type { z } from 'zod'
import type { engineContract } from '../../shared/contract/engine-contract.ts'
import { runThumbnailPath, thumbnailPath } from '../../shared/contract/pictures.ts'
import { Fault } from '../../shared/rpc/fault.ts'
import { effectiveSettings, settingRules } from '../../shared/settings.ts'
import { clockSeconds, clockTime, duration, figure, plural, range } from '../app/format.ts'
import type { Workspace } from '../app/workspace.ts'
import { useWorkspace } from '../app/workspace-context.ts'
import { formatName } from '../batches/image-look.ts'
import { Picture } from '../batches/Picture.tsx'
import { Button } from '../ui/Button.tsx'
import { classes } from '../ui/class-names.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { StateGlyph, StateLabel } from '../ui/StateLabel.tsx'
import { Tag } from '../ui/Tag.tsx'
import { runLook } from '../history/run-look.ts'

type Answer = z.output<(typeof engineContract)['review']['candidates']['output']>
type Choice = { readonly kind: 'adopt'; readonly runId: string } | { readonly kind: 'send-again' | 'drop' }

/** Images of a batch that wait for a decision, in queue order. */
async function waitingImages(workspace: Workspace, batch: string): Promise<readonly number[]> {
  const query = { batch, states: ['review' as const] }
  return (await workspace.api.images.ids({ query, from: 0, to: 9999 })).ids
}

interface Question {
  readonly ids: readonly number[]
  readonly at: number
}

/** The images to decide about, beginning with the one that was asked for. */
function useQuestions(batch: string, first: number | undefined) {
  const workspace = useWorkspace()
  const [question, setQuestion] = useState<Question>()
  useEffect(() => {
    let isWanted = true
    void workspace
      .attempt(() => waitingImages(workspace, batch))
      .then((ids = []) => {
        if (!isWanted) return
        const at = first === undefined ? 0 : Math.max(0, ids.indexOf(first))
        setQuestion({ ids, at })
      })
    return () => {
      isWanted = false
    }
  }, [workspace, batch, first])
  return { question, setQuestion }
}

function useCandidates(image: number | undefined) {
  const { api } = useWorkspace()
  const [answer, setAnswer] = useState<Answer>()
  const [trouble, setTrouble] = useState<string>()
  const [asked, setAsked] = useState(0)
  useEffect(() => {
    if (image === undefined) return
    const ends = new AbortController()
    api.review.candidates({ image }, { signal: ends.signal }).then(
      (next) => {
        setAnswer(next)
        setTrouble(undefined)
      },
      (error: unknown) => {
        if (!ends.signal.aborted) {
          setTrouble(error instanceof Fault ? error.message : 'The runs could not be asked for. Look again.')
        }
      },
    )
    return () => ends.abort()
  }, [api, image, asked])
  const isCurrent = answer !== undefined && answer.image.image.id === image
  return { answer: isCurrent ? answer : undefined, trouble, lookAgain: () => setAsked((count) => count + 1) }
}

function Source({ answer }: { readonly answer: Answer }) {
  const { image, recipe } = answer.image
  const { sent } = effectiveSettings(recipe.settings)
  const count = Object.keys(sent).length
  return (
    <div className="review-source">
      <h3>Your picture</h3>
      <div className="review-picture">
        <Picture
          src={thumbnailPath(image.id, 'source', 512, image.version)}
          fallback={formatName(image.title)}
          alt={image.title}
        />
      </div>
      <dl className="facts">
        <div>
          <dt>File</dt>
          <dd>
            <bdi className="ell" title={image.title}>
              {image.title}
            </bdi>
          </dd>
        </div>
        {image.folder !== '' && (
          <div>
            <dt>Folder</dt>
            <dd>
              <bdi className="ell">{image.folder.split('/').join(' / ')}</bdi>
            </dd>
          </div>
        )}
        {answer.sentFrom !== null && (
          <div>
            <dt>Sending at</dt>
            <dd>{clockSeconds(answer.sentFrom)}</dd>
          </div>
        )}
        <div>
          <dt>App</dt>
          <dd>
            <bdi className="ell">{recipe.appId}</bdi>
          </dd>
        </div>
        <div>
          <dt>Settings</dt>
          <dd>{`${figure(count)} sent, ${figure(settingRules.length - count)} from account`}</dd>
        </div>
      </dl>
    </div>
  )
}

interface ChoiceProps {
  readonly isOn: boolean
  readonly onChoose: () => void
  readonly group: string
  readonly autoFocus?: boolean
}

function apartWords({ apart, sameApp }: Answer['runs'][number]): string {
  const app = sameApp ? 'same app' : 'another app'
  if (apart === null) return app
  if (Math.abs(apart) < 1000) return `Same second, ${app}`
  return `${duration(Math.abs(apart))} ${apart < 0 ? 'earlier' : 'later'}, ${app}`
}

interface CandidateProps extends ChoiceProps {
  readonly candidate: Answer['runs'][number]
  readonly isLikely: boolean
}

function Candidate({ candidate, isLikely, isOn, onChoose, group, autoFocus }: CandidateProps) {
  const { run } = candidate
  const created = new Date(run.created).getTime()
  return (
    <label className={classes('candidate', isOn && 'on')}>
      <input
        type="radio"
        className="rad-input"
        name={group}
        checked={isOn}
        onChange={onChoose}
        autoFocus={autoFocus}
      />
      <span className="candidate-picture">
        <Picture src={runThumbnailPath(run.runId, 256)} fallback="No picture yet" />
      </span>
      <span className="grow col g4">
        <span className="row g8">
          <bdi className="mono ell">{run.runId}</bdi>
          {isLikely && <Tag tone="accent">Likely match</Tag>}
        </span>
        <span className="t12 f2">
          {[
            Number.isNaN(created) ? run.created : `Created ${clockSeconds(created)}`,
            run.appTitle ?? run.appId,
            run.credits === null ? 'not charged yet' : `${plural(run.credits, 'credit')} charged`,
          ].join(' · ')}
        </span>
        <StateLabel look={runLook(run.status).look}>{runLook(run.status).words}</StateLabel>
        <span className="t12 f3">
          {apartWords(candidate)}.{isLikely && ' Check that it shows your piece.'}
        </span>
      </span>
    </label>
  )
}

interface PlainChoiceProps extends ChoiceProps {
  readonly title: string
  readonly note: string
}

function PlainChoice({ title, note, isOn, onChoose, group, autoFocus }: PlainChoiceProps) {
  return (
    <label className={classes('candidate', isOn && 'on')}>
      <input
        type="radio"
        className="rad-input"
        name={group}
        checked={isOn}
        onChange={onChoose}
        autoFocus={autoFocus}
      />
      <span className="grow">
        <span className="m">{title}</span>
        <span className="t12 f2 block">{note}</span>
      </span>
    </label>
  )
}

interface ChoicesProps {
  readonly answer: Answer
  readonly choice: Choice | undefined
  readonly onChoose: (choice: Choice) => void
  readonly onLookAgain: () => void
}

function Choices({ answer, choice, onChoose, onLookAgain }: ChoicesProps) {
  const group = useId()
  const { runs, likely, cost, sentFrom, sentTo } = answer
  const price = cost === null ? 'the price of a run' : plural(cost.max, 'credit')
  const when =
    sentFrom === null
      ? 'Runs on your account that no picture here has claimed'
      : `Runs on your account between ${clockTime(sentFrom - 60_000)} and ${clockTime((sentTo ?? sentFrom) + 60_000)} that no picture here has claimed`
  return (
    <div className="review-choices" role="radiogroup" aria-label="What to do">
      <div className="row g8">
        <h3 className="grow">{when}</h3>
        <Button size="s" variant="ghost" icon={<RefreshCw size={13} />} onPress={onLookAgain}>
          Look again
        </Button>
      </div>
      {runs.length === 0 && <p className="f2 t12">There are none.</p>}
      {runs.map((candidate, index) => (
        <Candidate
          key={candidate.run.runId}
          candidate={candidate}
          isLikely={candidate.run.runId === likely}
          group={group}
          autoFocus={index === 0}
          isOn={choice?.kind === 'adopt' && choice.runId === candidate.run.runId}
          onChoose={() => onChoose({ kind: 'adopt', runId: candidate.run.runId })}
        />
      ))}
      <PlainChoice
        group={group}
        autoFocus={runs.length === 0}
        title={runs.length === 0 ? 'Send it again' : 'None of these: send it again'}
        note={`Back to Waiting, ${cost === null ? price : range(cost) + ' credits'}. If the first one did arrive after all, you pay twice.`}
        isOn={choice?.kind === 'send-again'}
        onChoose={() => onChoose({ kind: 'send-again' })}
      />
      <PlainChoice
        group={group}
        title="Leave it out"
        note="Cancelled, nothing more is sent."
        isOn={choice?.kind === 'drop'}
        onChoose={() => onChoose({ kind: 'drop' })}
      />
    </div>
  )
}

function decideWords(
  choice: Choice | undefined,
  answer: Answer | undefined,
): { words: string; price?: string } {
  switch (choice?.kind) {
    case 'adopt':
      return { words: 'Use this run, no new charge' }
    case 'send-again':
      return { words: 'Send again', ...(answer?.cost ? { price: `${range(answer.cost)} cr` } : {}) }
    case 'drop':
      return { words: 'Leave it out' }
    case undefined:
      return { words: 'Choose what to do' }
  }
}

interface DecisionProps {
  readonly image: number
  readonly position: string
  readonly onDone: () => void
  readonly onLater: () => void
}

function Decision({ image, position, onDone, onLater }: DecisionProps) {
  const workspace = useWorkspace()
  const { answer, trouble, lookAgain } = useCandidates(image)
  const [chosen, setChosen] = useState<Choice>()
  const choice =
    chosen ?? (answer?.likely == null ? undefined : { kind: 'adopt' as const, runId: answer.likely })
  const { words, price } = decideWords(choice, answer)
  const decide = async () => {
    if (!choice) return
    const decision = choice.kind === 'adopt' ? choice : { kind: choice.kind }
    const done = await workspace.attempt(async () => {
      await workspace.api.review.decide({ image, decision })
      return true
    })
    if (done) onDone()
  }
  return (
    <Sheet
      title={
        <span className="row g12">
          <span className="amb">
            <StateGlyph look="review" size={20} />
          </span>
          Was this picture sent? <span className="t12 f3">{position}</span>
        </span>
      }
      subtitle={
        answer &&
        `${answer.why}${answer.cost ? ` Sending it again could charge ${range(answer.cost)} credits twice, so you decide.` : ''}`
      }
      isOpen
      bare
      width={980}
      onClose={() => workspace.closeOverlay()}
      footer={
        <>
          <Info size={14} className="f3" aria-hidden="true" />
          <span className="t12 f3">The queue keeps running. This picture waits for you.</span>
          <span className="sp" />
          <Button variant="ghost" onPress={onLater}>
            Decide later
          </Button>
          <Button
            variant="primary"
            size="l"
            keys="↵"
            isDisabled={!choice || !answer}
            price={price}
            onPress={() => void decide()}
          >
            {words}
          </Button>
        </>
      }
    >
      {trouble !== undefined && !answer ? (
        <EmptyState title={trouble} actions={<Button onPress={lookAgain}>Look again</Button>} />
      ) : answer ? (
        <div
          className="review-columns"
          onKeyDown={(event) => {
            if (event.key === 'Enter' && event.target instanceof HTMLInputElement) void decide()
          }}
        >
          <Source answer={answer} />
          <Choices answer={answer} choice={choice} onChoose={setChosen} onLookAgain={lookAgain} />
        </div>
      ) : (
        <div className="review-columns">
          <div className="review-source">
            <Skeleton height={200} />
          </div>
          <div className="review-choices">
            <Skeleton height={110} />
            <Skeleton height={110} />
          </div>
        </div>
      )}
    </Sheet>
  )
}

/** Pictures of which nobody knows whether they were sent: the evidence, and a decision each. */
export function ReviewSheet({
  batch,
  image,
}: {
  readonly batch: string
  readonly image: number | undefined
}) {
  const workspace = useWorkspace()
  const { question, setQuestion } = useQuestions(batch, image)
  const current = question?.ids[question.at]
  if (!question) return null
  if (current === undefined) {
    return (
      <Sheet
        title="Nothing to decide"
        isOpen
        isDismissable
        onClose={() => workspace.closeOverlay()}
        width={400}
      >
        <p>Every picture of this batch is settled.</p>
      </Sheet>
    )
  }
  const next = (ids: readonly number[], at: number) => {
    if (at >= ids.length) workspace.closeOverlay()
    else setQuestion({ ids, at })
  }
  return (
    <Decision
      key={current}
      image={current}
      position={question.ids.length > 1 ? `${question.at + 1} of ${question.ids.length}` : ''}
      onDone={() =>
        next(
          question.ids.filter((id) => id !== current),
          question.at,
        )
      }
      onLater={() => next(question.ids, question.at + 1)}
    />
  )
}
