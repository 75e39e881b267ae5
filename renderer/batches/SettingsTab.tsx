import { useStore } from 'zustand'
import type { AppRecord, BatchRecord, Target } from '../../shared/contract/records.ts'
import { isRetoucher } from '../../shared/settings.ts'
import { plural } from '../app/format.ts'
import type { Workspace } from '../app/workspace.ts'
import { useActiveConnection, useImages, useQueue, useWorkspace } from '../app/workspace-context.ts'
import { rememberColor } from '../presets/remember-color.ts'
import { usePresetBar } from '../presets/use-preset-bar.ts'
import { useApps } from '../presets/use-apps.ts'
import { costLine, costParts } from '../settings/cost-line.ts'
import { backgroundExtra, debandingExtra } from '../settings/extra-price.ts'
import { ImagePreview, type ImagePreviewProps } from '../settings/preview/ImagePreview.tsx'
import { usePreviewFeed } from '../settings/preview/use-preview-feed.ts'
import { SettingsInspector } from '../settings/SettingsInspector.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { formatName, pictureOf } from './image-look.ts'
import { Picture } from './Picture.tsx'
import { useImage, useLeading } from './use-leading.ts'
import { useSettings, useTarget, type SettingsAnswer } from './use-settings.ts'
import { t } from '../../shared/language/text.ts'

interface SubjectProps extends Pick<ImagePreviewProps, 'feed' | 'onChange' | 'onApplied' | 'isDisabled'> {
  readonly batch: BatchRecord
  /** False for an app whose effect cannot be foretold. */
  readonly hasPreview: boolean
}

/** What stands above the settings: the selected picture and what they make of it, or how many are selected. */
function Subject({ batch, ...preview }: SubjectProps) {
  const workspace = useWorkspace()
  const images = useImages()
  const { all, ids } = useStore(workspace.selection.state)
  const leading = useLeading()
  const some = [...ids].slice(-3)
  const first = useImage(images, some[0])
  const second = useImage(images, some[1])
  const count = all ? batch.total : ids.size
  if (count <= 1) {
    if (!leading) return null
    const { hasPreview, ...rest } = preview
    if (hasPreview) {
      return <ImagePreview {...rest} image={leading.id} title={leading.title} batch={batch.id} />
    }
    return (
      <div className="prev">
        <Picture src={pictureOf(leading, 512)} fallback={formatName(leading.title)} alt={leading.title} />
      </div>
    )
  }
  const waiting = batch.counts.waiting + batch.counts.held
  return (
    <div className="sect subject">
      <div className="pile" aria-hidden="true">
        {[first, second, leading].map((image, at) =>
          image ? (
            <span key={at}>
              <Picture src={pictureOf(image, 128)} fallback="" />
            </span>
          ) : null,
        )}
      </div>
      <div className="grow">
        <b>{t`${plural(count, 'image')} selected`}</b>
        {!preview.isDisabled && (
          <div className="t12 f3">
            {all && waiting === batch.total
              ? t`All waiting. Nothing is charged yet.`
              : t`A change is applied to all of them.`}
          </div>
        )}
      </div>
    </div>
  )
}

/** "Changes apply to the 79 images still waiting." */
function reachWords(answer: SettingsAnswer): string {
  if (answer.editable === 0) {
    return answer.images === 1
      ? t`This image was sent with these settings.`
      : t`All of these were sent with their settings.`
  }
  if (answer.images === 1) return t`A change applies to this image.`
  if (answer.editable === answer.images) return t`Changes apply to all ${plural(answer.images, 'image')}.`
  return answer.editable === 1
    ? t`Changes apply to the one image still waiting.`
    : t`Changes apply to the ${plural(answer.editable, 'image')} still waiting.`
}

function titleOf(apps: readonly AppRecord[], id: string): string {
  const title = apps.find((app) => app.id === id)?.title ?? id
  return title.length > 12 ? t`Base` : title
}

interface CostParts {
  readonly answer: SettingsAnswer
  readonly batch: BatchRecord
  readonly apps: readonly AppRecord[]
  readonly workspace: Workspace
}

function baseOf({ pricePerImage, extras }: SettingsAnswer): number | undefined {
  return pricePerImage === null ? undefined : Math.max(0, pricePerImage.min - extras.min)
}

function useCost({ answer, batch, apps }: CostParts) {
  const queue = useQueue()
  const connection = useActiveConnection()
  const base = baseOf(answer)
  const { settings } = answer.recipe
  const isReady = batch.state === 'ready'
  const line = costLine({
    groups: [{ count: answer.editable, base, extras: answer.extras }],
    unit: isReady ? 'images' : 'left',
    balance: queue?.balance?.total,
    committed: otherBatches(queue?.committed ?? undefined, answer),
    isPractice: connection?.kind === 'practice',
  })
  const none = new Map()
  const parts = costParts(
    titleOf(apps, answer.recipe.appId),
    base,
    backgroundExtra(settings, none),
    debandingExtra(settings, none),
  )
  return { answer: line, parts }
}

/** What is committed beyond the images that the line itself counts. */
function otherBatches(
  committed: { readonly min: number; readonly max: number } | undefined,
  { pricePerImage, editable }: SettingsAnswer,
) {
  if (!committed || !pricePerImage) return committed
  return {
    min: Math.max(0, committed.min - pricePerImage.min * editable),
    max: Math.max(0, committed.max - pricePerImage.max * editable),
  }
}

interface FormProps {
  readonly batch: BatchRecord
  readonly target: Target
  readonly settings: ReturnType<typeof useSettings>
  readonly answer: SettingsAnswer
  readonly shared: NonNullable<ReturnType<typeof useSettings>['shared']>
}

function Form({ batch, target, settings, answer, shared }: FormProps) {
  const workspace = useWorkspace()
  const apps = useApps()
  const recent = useStore(workspace.mirrors.preferences, ({ value }) => value?.recentColors)
  const presets = usePresetBar({
    recipe: shared.recipe,
    current: answer.preset,
    isMixed: answer.mixed.includes('preset'),
    reach: reachWords(answer),
    onApply: async (preset) => {
      const unset = Object.fromEntries(
        Object.keys(shared.recipe.settings)
          .concat([...shared.mixed.keys()])
          .map((key) => [key, null]),
      )
      await workspace.api.images.edit({
        target,
        appId: preset.appId,
        set: { ...unset, ...preset.settings },
        parameters: { ...preset.parameters },
        preset: preset.name,
      })
      settings.reload()
    },
  })
  const preview = usePreviewFeed(shared.recipe, settings.change, settings.reload)
  const { appId } = shared.recipe
  const cost = useCost({
    answer: { ...answer, recipe: { ...answer.recipe, settings: shared.recipe.settings } },
    batch,
    apps,
    workspace,
  })
  return (
    <SettingsInspector
      shared={shared}
      onChange={preview.onChange}
      apps={apps}
      presets={presets}
      cost={cost}
      preview={
        <Subject
          {...preview}
          batch={batch}
          hasPreview={isRetoucher(apps.find(({ id }) => id === appId) ?? { id: appId })}
          isDisabled={answer.editable === 0}
        />
      }
      isDisabled={answer.editable === 0}
      {...(recent ? { recentColors: recent } : {})}
      onColorPicked={(color) => rememberColor(workspace, color)}
    />
  )
}

/** Settings of the selection, or of the whole batch where nothing is selected. */
export function SettingsTab({ batch }: { readonly batch: BatchRecord }) {
  const target = useTarget(batch)
  // Images that were sent can no longer be edited: what a change reaches shrinks while the batch runs.
  const left = batch.counts.waiting + batch.counts.held
  const reloadOn = `${left} ${batch.pricePerImage?.max ?? ''}`
  const settings = useSettings(target, reloadOn)
  const { answer, shared } = settings
  if (!answer || !shared) {
    return (
      <div className="insp-loading">
        <Skeleton height={30} />
        <Skeleton height={26} width="70%" />
        <Skeleton height={26} />
        <Skeleton height={26} width="84%" />
      </div>
    )
  }
  return <Form batch={batch} target={target} settings={settings} answer={answer} shared={shared} />
}
