import { useEffect, useState } from 'react'
import type { PreviewItem } from '../../../shared/contract/preview-records.ts'
import { loadPreview, type PreviewPicture } from './preview-picture.ts'
import { t } from '../../../shared/language/text.ts'

export interface PreviewState {
  /** The last one stays until the next is there, for the same image. */
  readonly picture: PreviewPicture | undefined
  readonly trouble: string | undefined
}

const looking: PreviewState = { picture: undefined, trouble: undefined }

/**
 * What an image's preview is drawn from.
 * @param find asks the engine for the item; the same function for as long as the answer would be the same.
 */
export function usePreview(
  image: number,
  version: unknown,
  find: (image: number, signal: AbortSignal) => Promise<PreviewItem>,
): PreviewState {
  const [state, setState] = useState<{ readonly image: number; readonly now: PreviewState }>()
  useEffect(() => {
    const ends = new AbortController()
    const look = async (): Promise<PreviewState> => {
      const item = await find(image, ends.signal)
      if (item.kind === 'trouble') return { picture: undefined, trouble: item.sentence }
      return { picture: await loadPreview(image, item, ends.signal), trouble: undefined }
    }
    const show = async () => {
      const none = { picture: undefined, trouble: t`There is no preview of this picture.` }
      const now = await look().catch(() => none)
      if (!ends.signal.aborted) setState({ image, now })
    }
    void show()
    return () => ends.abort()
  }, [image, version, find])
  return state?.image === image ? state.now : looking
}
