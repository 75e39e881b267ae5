import { drawableOf, shownPictures, spaceOf, type Known, type Role } from './arrangement.ts'
import type { Wanted } from './picture-loader.ts'
import type { Stage } from './stage.ts'
import { levelFor, tilesIn } from './tiles.ts'

/** What will be drawn of an image when one goes on to it with the zoom and place that one has. */
export function neighbourWants(
  known: Known,
  { slots, hasWideScreen }: { readonly slots: readonly Role[]; readonly hasWideScreen: boolean },
  stage: Pick<Stage, 'place'>,
): Wanted[] {
  const wants: Wanted[] = []
  const shown = shownPictures(known.record, slots)
  const space = spaceOf(known, shown, hasWideScreen)
  for (const { which } of shown) {
    const drawable = drawableOf(known, which, space)
    if (!drawable) continue
    wants.push(drawable.quick)
    const { at, pane } = stage.place(drawable.size)
    const level = levelFor(drawable.size, at.width / drawable.size.width)
    if (level === null) continue
    const seen = { x: 0, y: 0, width: pane.width, height: pane.height }
    for (const tile of tilesIn(drawable.size, level, at, seen)) wants.push(drawable.tile(tile))
  }
  return wants
}
