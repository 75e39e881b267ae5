import { RefreshCw } from 'lucide-react'
import { useId } from 'react'
import { presetTitle } from '../../shared/presets.ts'
import { runThumbnailPath, thumbnailPath } from '../../shared/contract/pictures.ts'
import { effectiveSettings, settingRules } from '../../shared/settings.ts'
import { clockSeconds, clockTime, duration, figure, plural, range } from '../app/format.ts'
import { formatName } from '../batches/image-look.ts'
import { Picture } from '../batches/Picture.tsx'
import { runLook } from '../history/run-look.ts'
import { Button } from '../ui/Button.tsx'
import { classes } from '../ui/class-names.ts'
import { StateLabel } from '../ui/StateLabel.tsx'
import { Tag } from '../ui/Tag.tsx'
import type { Evidence } from './use-review.ts'
import { t } from '../../shared/language/text.ts'

/** What a person may decide. */
export type Choice =
  | { readonly kind: 'adopt'; readonly runId: string }
  | { readonly kind: 'send-again' | 'drop' }

/** The picture that the question is about. */
export function Source({ answer }: { readonly answer: Evidence }) {
  const { image, recipe } = answer.image
  const { sent } = effectiveSettings(recipe.settings)
  const count = Object.keys(sent).length
  return (
    <div className="review-source">
      <h3>{t`Your picture`}</h3>
      <div className="review-picture">
        <Picture
          src={thumbnailPath(image.id, 'source', 512, image.version)}
          fallback={formatName(image.title)}
          alt={image.title}
        />
      </div>
      <dl className="facts">
        <div>
          <dt>{t`File`}</dt>
          <dd>
            <bdi className="ell" title={image.title}>
              {image.title}
            </bdi>
          </dd>
        </div>
        {image.preset !== null && <PresetFact preset={presetTitle(image.preset)} />}
        {image.folder !== '' && (
          <div>
            <dt>{t`Folder`}</dt>
            <dd>
              <bdi className="ell">{image.folder.split('/').join(' / ')}</bdi>
            </dd>
          </div>
        )}
        {answer.sentFrom !== null && (
          <div>
            <dt>{t`Sending at`}</dt>
            <dd>{clockSeconds(answer.sentFrom)}</dd>
          </div>
        )}
        <div>
          <dt>{t`App`}</dt>
          <dd>
            <bdi className="ell">{recipe.appId}</bdi>
          </dd>
        </div>
        <div>
          <dt>{t`Settings`}</dt>
          <dd>{t`${figure(count)} sent, ${figure(settingRules.length - count)} from account`}</dd>
        </div>
      </dl>
    </div>
  )
}

/** Where several images are made of one picture, this tells which of them is meant. */
function PresetFact({ preset }: { readonly preset: string }) {
  return (
    <div>
      <dt>{t`Preset`}</dt>
      <dd>
        <bdi className="ell" title={preset}>
          {preset}
        </bdi>
      </dd>
    </div>
  )
}

interface ChoiceProps {
  readonly isOn: boolean
  readonly onChoose: () => void
  readonly group: string
  readonly autoFocus?: boolean
}

function apartWords({ apart, sameApp }: Evidence['runs'][number]): string {
  if (apart === null) return sameApp ? t`same app.` : t`another app.`
  if (Math.abs(apart) < 1000) return sameApp ? t`Same second, same app.` : t`Same second, another app.`
  const time = duration(Math.abs(apart))
  if (apart < 0) return sameApp ? t`${time} earlier, same app.` : t`${time} earlier, another app.`
  return sameApp ? t`${time} later, same app.` : t`${time} later, another app.`
}

interface CandidateProps extends ChoiceProps {
  readonly candidate: Evidence['runs'][number]
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
        <Picture src={runThumbnailPath(run.runId, 256)} fallback={t`No picture yet`} />
      </span>
      <span className="grow col g4">
        <span className="row g8">
          <bdi className="mono ell">{run.runId}</bdi>
          {isLikely && <Tag tone="accent">{t`Likely match`}</Tag>}
        </span>
        <span className="t12 f2">
          {[
            Number.isNaN(created) ? run.created : t`Created ${clockSeconds(created)}`,
            run.appTitle ?? run.appId,
            run.credits === null
              ? t`not charged yet`
              : plural(run.credits, 'credit charged', 'credits charged'),
          ].join(' · ')}
        </span>
        <StateLabel look={runLook(run.status).look}>{runLook(run.status).words}</StateLabel>
        <span className="t12 f3">
          {apartWords(candidate)}
          {isLikely && ` ${t`Check that it shows your piece.`}`}
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

export interface ChoicesProps {
  readonly answer: Evidence
  readonly choice: Choice | undefined
  readonly onChoose: (choice: Choice) => void
  readonly onLookAgain: () => void
}

/** The candidates, sending again, leaving it out. Nothing is chosen but the one likely run. */
export function Choices({ answer, choice, onChoose, onLookAgain }: ChoicesProps) {
  const group = useId()
  const { runs, likely, cost, sentFrom, sentTo } = answer
  const when =
    sentFrom === null
      ? t`Runs on your account that no picture here has claimed`
      : t`Runs on your account between ${clockTime(sentFrom - 60_000)} and ${clockTime((sentTo ?? sentFrom) + 60_000)} that no picture here has claimed`
  return (
    <div className="review-choices" role="radiogroup" aria-label={t`What to do`}>
      <div className="row g8">
        <h3 className="grow">{when}</h3>
        <Button size="s" variant="ghost" icon={<RefreshCw size={13} />} onPress={onLookAgain}>
          {t`Look again`}
        </Button>
      </div>
      {runs.length === 0 && <p className="f2 t12">{t`There are none.`}</p>}
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
        title={runs.length === 0 ? t`Send it again` : t`None of these: send it again`}
        note={
          cost === null
            ? t`Back to Waiting, the price of a run. If the first one did arrive after all, you pay twice.`
            : t`Back to Waiting, ${range(cost)} credits. If the first one did arrive after all, you pay twice.`
        }
        isOn={choice?.kind === 'send-again'}
        onChoose={() => onChoose({ kind: 'send-again' })}
      />
      <PlainChoice
        group={group}
        title={t`Leave it out`}
        note={t`Cancelled, nothing more is sent.`}
        isOn={choice?.kind === 'drop'}
        onChoose={() => onChoose({ kind: 'drop' })}
      />
    </div>
  )
}
