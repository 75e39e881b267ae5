import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Recipe, RecipeChange } from '../recipe.ts'
import { PreviewFeed } from './preview-feed.ts'

export interface FedPreview {
  readonly feed: PreviewFeed
  /** Tells the preview first, then the form; the same function every time. */
  readonly onChange: (change: RecipeChange) => void
  readonly onApplied: () => void
}

/** A feed of the recipe that a form shows: ahead of the form while a hand changes it, and as the form is otherwise. */
export function usePreviewFeed(
  recipe: Recipe,
  change: (change: RecipeChange) => void,
  reload: () => void,
): FedPreview {
  const [feed] = useState(() => new PreviewFeed(recipe))
  const latest = useRef({ change, reload })
  useLayoutEffect(() => {
    latest.current = { change, reload }
  })
  useEffect(() => feed.set(recipe), [feed, recipe])
  const onChange = useCallback(
    (next: RecipeChange) => {
      feed.change(next)
      latest.current.change(next)
    },
    [feed],
  )
  const onApplied = useCallback(() => latest.current.reload(), [])
  return { feed, onChange, onApplied }
}
