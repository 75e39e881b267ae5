import { ChevronRight, CircleX, Copy, ExternalLink, FolderOpen, Image, RotateCcw } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import { presetTitle } from '../../shared/presets.ts'
import type { BatchRecord, ImageDetails, ImageRecord } from '../../shared/contract/records.ts'
import { effectiveSettings, settingRules } from '../../shared/settings.ts'
import { bytes, clockSeconds, dayTime, duration, figure, plural, priceTag } from '../app/format.ts'
import { useWorkspace } from '../app/workspace-context.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { classes } from '../ui/class-names.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { lookWords } from '../ui/item-look.ts'
import { StateGlyph } from '../ui/StateLabel.tsx'
import { askRetryFailed, askRetrySelected } from './batch-commands.ts'
import { copyReport, copyText, revealImage } from './image-commands.ts'
import { formatName, lookOfImage, pictureOf } from './image-look.ts'
import { pickFile } from './pick-file.ts'
import { Picture } from './Picture.tsx'
import { useLeading } from './use-leading.ts'
import { said } from '../../shared/language/said.ts'
import { t } from '../../shared/language/text.ts'

/** Details of an image; asked again whenever its row changes. */
function useDetails(image: ImageRecord): ImageDetails | undefined {
  const workspace = useWorkspace()
  const [details, setDetails] = useState<ImageDetails>()
  useEffect(() => {
    const ends = new AbortController()
    workspace.api.images
      .details({ image: image.id }, { signal: ends.signal })
      .then(setDetails, () => undefined)
    return () => ends.abort()
  }, [workspace, image])
  return details?.image.id === image.id ? details : undefined
}

function Remedies({ details }: { readonly details: ImageDetails }) {
  const workspace = useWorkspace()
  const { image } = details
  return (
    <div className="row g6 wrap">
      {image.state === 'failed' && (
        <Button
          size="s"
          icon={<RotateCcw size={13} />}
          price={priceTag(image.estimate ?? workspace.batch?.pricePerImage ?? null)}
          onPress={() => askRetrySelected(workspace)}
        >
          {t`Retry`}
        </Button>
      )}
      {image.state === 'review' && (
        <Button
          size="s"
          onPress={() => workspace.open({ kind: 'review', batch: details.batch, image: image.id })}
        >
          {t`Decide`}
        </Button>
      )}
      {workspace.isDesktop && (
        <Button
          size="s"
          icon={<ExternalLink size={13} />}
          onPress={() => void workspace.attempt(() => workspace.api.shell.openSource({ image: image.id }))}
        >
          {t`Open link`}
        </Button>
      )}
      {image.state === 'failed' && details.pickRefusal === null && (
        <Button size="s" icon={<Image size={13} />} onPress={() => void pickFile(workspace, image.id)}>
          {t`Pick file`}
        </Button>
      )}
      {workspace.isDesktop && image.outputs.length > 0 && (
        <Button
          size="s"
          icon={<FolderOpen size={13} />}
          onPress={() => void revealImage(workspace, details.batch, image.id)}
        >
          {t`Show in folder`}
        </Button>
      )}
    </div>
  )
}

function WhatHappened({ details }: { readonly details: ImageDetails }) {
  const { image } = details
  const look = lookOfImage(image)
  const isFailed = image.state === 'failed'
  return (
    <section className="sect happened" aria-label={t`What happened`}>
      <h2 className={classes('row', 'g8', isFailed && 'red')}>
        {isFailed ? <CircleX size={16} aria-hidden="true" /> : <StateGlyph look={look} size={15} />}
        <span className="f1">{details.heading ?? lookWords[look]}</span>
      </h2>
      {details.advice !== null && <p className="f2">{details.advice}</p>}
      {details.error !== null && (
        <pre className="raw select-text" dir="auto">
          {said(details.error)}
        </pre>
      )}
      <Remedies details={details} />
      {isFailed && image.credits !== null && (
        <p className="t12 f3">
          {image.credits === 0
            ? t`This attempt was not charged.`
            : t`This attempt was charged ${plural(image.credits, 'credit')}.`}
        </p>
      )}
    </section>
  )
}

function Attempts({ details }: { readonly details: ImageDetails }) {
  if (details.attempts.length === 0) return null
  return (
    <section className="sect" aria-label={t`Attempts`}>
      <div className="hd">
        <span className="lb">{plural(details.attempts.length, 'attempt')}</span>
        <span className="sp" />
        {details.image.took !== null && <span className="t12 f3">{duration(details.image.took)}</span>}
      </div>
      <ol className="attempts">
        {details.attempts.map((attempt, index) => (
          <li key={`${attempt.at} ${index}`}>
            <span className="grow">{said(attempt.outcome)}</span>
            <time className="f3" dateTime={new Date(attempt.at).toISOString()} title={dayTime(attempt.at)}>
              {clockSeconds(attempt.at)}
            </time>
          </li>
        ))}
      </ol>
    </section>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** "11 sent, 2 account", and the keys on demand. */
function SettingsFact({ details }: { readonly details: ImageDetails }) {
  const [isOpen, setOpen] = useState(false)
  const { sent } = effectiveSettings(details.recipe.settings)
  const count = Object.keys(sent).length
  return (
    <>
      <button type="button" className="fold" aria-expanded={isOpen} onClick={() => setOpen((open) => !open)}>
        {t`${figure(count)} sent, ${figure(settingRules.length - count)} account`}
        <ChevronRight size={13} aria-hidden="true" />
      </button>
      {isOpen && (
        <span className="sent">
          {Object.entries(sent).map(([key, value]) => (
            <span key={key} className="mono">{`${key} ${String(value)}`}</span>
          ))}
        </span>
      )}
    </>
  )
}

/** The link, and that which the picture had before another was chosen in its place. */
function LinkFacts({ details }: { readonly details: ImageDetails }) {
  const workspace = useWorkspace()
  return (
    <>
      <Fact name={t`Link`}>
        <bdi className="mono ell select-text" title={details.source}>
          {details.source.replace(/^https?:\/\//, '')}
        </bdi>
        <IconButton
          size="s"
          icon={<Copy size={13} />}
          label={t`Copy link`}
          onPress={() => void copyText(workspace, details.source, t`Link`)}
        />
      </Fact>
      {details.formerSource !== null && (
        <Fact name={t`Link before`}>
          <bdi className="mono ell select-text" title={details.formerSource}>
            {details.formerSource.replace(/^https?:\/\//, '')}
          </bdi>
        </Fact>
      )}
    </>
  )
}

function Facts({ details }: { readonly details: ImageDetails }) {
  const workspace = useWorkspace()
  const { image } = details
  return (
    <section className="sect" aria-label={t`Facts`}>
      <dl className="facts">
        {details.runId !== null && (
          <Fact name={t`Run`}>
            <bdi className="mono ell select-text" title={details.runId}>
              {details.runId}
            </bdi>
            <IconButton
              size="s"
              icon={<Copy size={13} />}
              label={t`Copy run id`}
              onPress={() => void copyText(workspace, details.runId ?? '', t`Run id`)}
            />
          </Fact>
        )}
        <Fact name={t`App`}>
          <bdi className="ell">{details.recipe.appId}</bdi>
        </Fact>
        {details.preset !== null && (
          <Fact name={t`Preset`}>
            <bdi className="ell">{presetTitle(details.preset)}</bdi>
          </Fact>
        )}
        <Fact name={t`Charged`}>{image.credits === null ? t`Not yet` : plural(image.credits, 'credit')}</Fact>
        <LinkFacts details={details} />
        <Fact name={t`Settings`}>
          <SettingsFact details={details} />
        </Fact>
        {details.outputs.map((output) => (
          <Fact key={output.slug} name={output.label}>
            <bdi className={classes('ell', !output.present && 'amb')} title={output.path}>
              {output.path}
            </bdi>
            <span className="f3 nw">{output.present ? bytes(output.bytes) : t`not there any more`}</span>
          </Fact>
        ))}
      </dl>
    </section>
  )
}

function DetailsFoot({ image, batch }: { readonly image: ImageRecord; readonly batch: BatchRecord }) {
  const workspace = useWorkspace()
  if (image.state !== 'failed') return null
  return (
    <div className="insp-foot">
      <Button icon={<Copy size={14} />} onPress={() => void copyReport(workspace, image.id)}>
        {t`Copy report`}
      </Button>
      <span className="sp" />
      {batch.counts.failed > 1 && (
        <Button
          icon={<RotateCcw size={14} />}
          price={priceTag(batch.pricePerImage, batch.counts.failed)}
          onPress={() => askRetryFailed(workspace, batch)}
        >
          {t`Retry ${figure(batch.counts.failed)} failed`}
        </Button>
      )}
    </div>
  )
}

function Details({ image, batch }: { readonly image: ImageRecord; readonly batch: BatchRecord }) {
  const details = useDetails(image)
  return (
    <>
      <div className="insp-body">
        <div className="prev">
          <Picture src={pictureOf(image, 512)} fallback={formatName(image.title)} alt={image.title} />
        </div>
        {details ? (
          <>
            <WhatHappened details={details} />
            <Attempts details={details} />
            <Facts details={details} />
          </>
        ) : (
          <div className="insp-loading">
            <Skeleton height={20} width="80%" />
            <Skeleton height={16} />
            <Skeleton height={16} width="60%" />
          </div>
        )}
      </div>
      <DetailsFoot image={image} batch={batch} />
    </>
  )
}

/** Everything about the leading image: what happened, what the service said, what to do, what it cost. */
export function DetailsTab({ batch }: { readonly batch: BatchRecord }) {
  const image = useLeading()
  if (!image) {
    return <EmptyState title={t`Nothing selected`}>{t`Choose an image to see what became of it.`}</EmptyState>
  }
  return <Details image={image} batch={batch} />
}
