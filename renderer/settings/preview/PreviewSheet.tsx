import { Columns2 } from 'lucide-react'
import { thumbnailPath } from '../../../shared/contract/pictures.ts'
import { plural } from '../../app/format.ts'
import { useQueue, useWorkspace } from '../../app/workspace-context.ts'
import { Button } from '../../ui/Button.tsx'
import { Sheet } from '../../ui/Sheet.tsx'
import { settingRules } from '../../../shared/settings.ts'
import type { RecipeChange } from '../recipe.ts'
import { LivePreview } from './LivePreview.tsx'
import type { PreviewFeed } from './preview-feed.ts'
import type { PreviewPicture } from './preview-picture.ts'
import { tryWords } from './TryBar.tsx'
import type { RunningTry } from './use-try.ts'
import { t } from '../../../shared/language/text.ts'

export interface PreviewSheetProps {
  readonly title: string
  readonly batch: string
  readonly picture: PreviewPicture
  readonly feed: PreviewFeed
  readonly onChange: (change: RecipeChange) => void
  readonly isDisabled: boolean
  readonly tried: RunningTry | undefined
  /** Settings of the batch were changed. */
  readonly onApplied: () => void
  readonly onClose: () => void
}

/** The result of a try, or how far it is. */
function TriedPane({ tried }: { readonly tried: RunningTry }) {
  const queue = useQueue()
  const words = tryWords(tried, queue?.state)
  const [output] = tried.record.outputs
  return (
    <figure className="tried">
      {words === undefined && output ? (
        <img
          src={thumbnailPath(tried.record.id, output.slug, 512, tried.record.version)}
          alt={t`Result of the try, ${output.label}`}
        />
      ) : (
        <p className="f2" role="status">
          {words ?? t`The result is not there any more.`}
        </p>
      )}
      <span className="badge words">
        {tried.record.credits === null ? t`Try` : t`Result · ${plural(tried.record.credits, 'credit')}`}
      </span>
    </figure>
  )
}

/** What became of taking settings back: some may have been sent in between. */
function backWords(back: number, of: number): string {
  if (back === 0) return t`None has its former settings back: they were sent, or changed once more, since.`
  const have = plural(back, 'image has its former settings back.', 'images have their former settings back.')
  const left = of - back
  if (left === 0) return have
  const gone = plural(
    left,
    'was sent, or changed once more, since.',
    'were sent, or changed once more, since.',
  )
  return `${have} ${gone}`
}

/** Gives the settings of a try to every image of the batch that was not sent. */
function useApply({ batch, tried, onApplied, onClose }: PreviewSheetProps) {
  const workspace = useWorkspace()
  return async () => {
    if (!tried) return
    const { appId, settings, parameters } = tried.recipe
    const unset = Object.fromEntries(settingRules.map(({ key }) => [key, null]))
    const answer = await workspace.attempt(() =>
      workspace.api.images.edit({
        target: { query: { batch, states: [] } },
        appId,
        set: { ...unset, ...settings },
        parameters: { ...parameters },
        undoable: true,
      }),
    )
    if (!answer) return
    const { images, edit } = answer
    if (edit === undefined) workspace.say(t`No image is waiting any more; the settings were not changed.`)
    else {
      workspace.say(t`These settings now apply to ${plural(images, 'image')} still waiting.`, async () => {
        const back = await workspace.api.images.takeBackEdit({ edit })
        onApplied()
        return backWords(back.images, images)
      })
    }
    onApplied()
    onClose()
  }
}

function Footer(props: PreviewSheetProps) {
  const { tried, onClose } = props
  const workspace = useWorkspace()
  const apply = useApply(props)
  const result = tried && tried.record.outputs.length > 0 ? tried.record : undefined
  const compare = (image: number) => {
    onClose()
    workspace.open({ kind: 'compare', of: { image } })
  }
  return (
    <>
      {result && (
        <Button icon={<Columns2 size={14} />} onPress={() => compare(result.id)}>
          {t`Compare with the source`}
        </Button>
      )}
      <span className="sp" />
      <Button onPress={onClose}>{t`Close`}</Button>
      {result && (
        <Button variant="primary" onPress={() => void apply()}>
          {t`Use for the whole batch`}
        </Button>
      )}
    </>
  )
}

/** The preview with room for it, and beside it the result of a try on the same picture. */
export function PreviewSheet(props: PreviewSheetProps) {
  const { title, picture, feed, onChange, isDisabled, tried, onClose } = props
  return (
    <Sheet
      title={tried ? t`Preview and try` : t`Preview`}
      subtitle={<bdi>{title}</bdi>}
      isOpen
      onClose={onClose}
      width={tried ? 1160 : 860}
      isDismissable
      footer={<Footer {...props} />}
    >
      <div className={tried ? 'preview-pair' : 'preview-one'}>
        <LivePreview picture={picture} feed={feed} onChange={onChange} isDisabled={isDisabled} isLarge />
        {tried && <TriedPane tried={tried} />}
      </div>
    </Sheet>
  )
}
