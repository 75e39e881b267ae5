import { useEffect, useState } from 'react'
import { estimateMatte } from '../../shared/matte/estimate-matte.ts'
import { LivePreview } from '../settings/preview/LivePreview.tsx'
import { levelsOf, type PreviewPicture } from '../settings/preview/preview-picture.ts'
import { usePreviewFeed } from '../settings/preview/use-preview-feed.ts'
import type { Recipe, RecipeChange } from '../settings/recipe.ts'

/** What the engine does for the program is done in the page here: this sheet has no engine. */
async function estimatedPicture(address: string): Promise<PreviewPicture> {
  const whole = await createImageBitmap(await (await fetch(address)).blob())
  const { width, height } = whole
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('No canvas.')
  context.drawImage(whole, 0, 0)
  const pixels = context.getImageData(0, 0, width, height)
  const { alpha, box, doubts } = estimateMatte({ data: pixels.data, width, height, channels: 4 })
  for (let i = 0; i < alpha.length; i += 1) pixels.data[4 * i + 3] = alpha[i]!
  return {
    source: { width, height },
    box,
    isSure: doubts.length === 0,
    isFromCutOut: false,
    picture: levelsOf(whole),
    cutOut: levelsOf(await createImageBitmap(pixels)),
    ground: await createImageBitmap(whole, 0, 0, 8, 8),
    stamp: 'sheet',
  }
}

export interface SheetPreviewProps {
  readonly source: string
  readonly recipe: Recipe
  readonly onChange: (change: RecipeChange) => void
}

/** The live preview over one picture of this sheet. */
export function SheetPreview({ source, recipe, onChange }: SheetPreviewProps) {
  const { feed, onChange: change } = usePreviewFeed(recipe, onChange, () => undefined)
  const [picture, setPicture] = useState<PreviewPicture>()
  useEffect(() => {
    let isWanted = true
    estimatedPicture(source).then(
      (found) => isWanted && setPicture(found),
      () => undefined,
    )
    return () => {
      isWanted = false
    }
  }, [source])
  return <LivePreview picture={picture} feed={feed} onChange={change} />
}
