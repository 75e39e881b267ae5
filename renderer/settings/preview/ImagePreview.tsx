import { lazy, memo, Suspense, useCallback, useEffect, useState } from 'react'
import { useWorkspace } from '../../app/workspace-context.ts'
import type { RecipeChange } from '../recipe.ts'
import { LivePreview } from './LivePreview.tsx'
import type { PreviewFeed } from './preview-feed.ts'
import { TryBar } from './TryBar.tsx'
import { usePreview } from './use-preview.ts'
import { useTry } from './use-try.ts'

/** Loaded when they are first asked for. */
const PreviewSheet = lazy(async () => ({ default: (await import('./PreviewSheet.tsx')).PreviewSheet }))
const VariantsSheet = lazy(async () => ({
  default: (await import('../../variants/VariantsSheet.tsx')).VariantsSheet,
}))

export interface ImagePreviewProps {
  readonly image: number
  readonly title: string
  readonly batch: string
  readonly feed: PreviewFeed
  /** One change at a time; the same function for as long as the picture is shown. */
  readonly onChange: (change: RecipeChange) => void
  /** Settings of the whole batch were changed from here. */
  readonly onApplied: () => void
  /** It was sent: its settings are what they were. */
  readonly isDisabled: boolean
}

/** Shows the result of a try once, when it comes. */
function useResultShown(result: number | undefined, show: () => void) {
  const workspace = useWorkspace()
  useEffect(() => {
    // Whoever is busy with something else finds the result under the preview.
    if (result !== undefined && workspace.view.getState().overlay === undefined) show()
  }, [result, show, workspace])
}

/** The preview of one image of a batch, its try, and its variants. It does not render while a slider moves. */
export const ImagePreview = memo(function ImagePreview(props: ImagePreviewProps) {
  const { image, title, batch, feed, onChange, isDisabled } = props
  const workspace = useWorkspace()
  const [open, setOpen] = useState<'preview' | 'variants'>()
  const desk = useTry(workspace, image, feed)
  const isDone = desk.current?.record.state === 'delivered'
  const find = useCallback(
    (of: number, signal: AbortSignal) => workspace.api.preview.item({ image: of }, { signal }),
    [workspace],
  )
  // A delivered try may be a cut-out, whose matte is better than any estimate.
  const { picture, trouble } = usePreview(image, isDone ? desk.current?.record.id : 0, find)
  const enlarge = useCallback(() => setOpen('preview'), [])
  useResultShown(isDone ? desk.current?.record.id : undefined, enlarge)
  const close = () => setOpen(undefined)
  const shared = { title, picture, feed, onChange, onClose: close }
  return (
    <>
      <LivePreview
        picture={picture}
        trouble={trouble}
        feed={feed}
        onChange={onChange}
        isDisabled={isDisabled}
        onOpen={picture && enlarge}
      />
      {!isDisabled && (
        <TryBar
          image={image}
          feed={feed}
          desk={desk}
          onVariants={picture && (() => setOpen('variants'))}
          onResult={(result) =>
            picture ? enlarge() : workspace.open({ kind: 'compare', of: { image: result } })
          }
        />
      )}
      <Suspense>
        {open === 'preview' && picture && (
          <PreviewSheet
            {...shared}
            picture={picture}
            batch={batch}
            isDisabled={isDisabled}
            tried={desk.current}
            onApplied={props.onApplied}
          />
        )}
        {open === 'variants' && picture && <VariantsSheet {...shared} picture={picture} />}
      </Suspense>
    </>
  )
})
