import type { ComparedRecord, ItemBox, Look } from '../../shared/contract/compare-records.ts'
import { presetTitle } from '../../shared/presets.ts'
import { differenceDrawable, pictureDrawable, type Drawable } from './drawable.ts'
import { aligned, type Alignment } from './mapping.ts'
import type { Layer, Scene } from './scene.ts'
import type { Space } from './worker-messages.ts'
import { t } from '../../shared/language/text.ts'

/** Which pictures stand where. Pure. */

export type Mode = 'side' | 'split' | 'flicker' | 'difference'
export type Role = 'primary' | 'extra' | 'source'
export type Picture = ComparedRecord['pictures'][number]

/** What is known of the pictures of one image. */
export interface Known {
  readonly record: ComparedRecord
  readonly looks: Readonly<Record<string, Look | undefined>>
  readonly boxes: Readonly<Record<string, ItemBox | null | undefined>>
  /** Pictures whose tiles the engine has made. */
  readonly tiled: ReadonlySet<string>
}

/**
 * The pictures of the panes: those of the wanted roles, a source for an extra that is not there, and none twice.
 * @param slots roles from left to right.
 */
export function shownPictures(record: ComparedRecord, slots: readonly Role[]): Picture[] {
  const shown: Picture[] = []
  const rest = [...record.pictures]
  const presets = rest.filter(({ role }) => role === 'preset')
  if (presets.length > 0) {
    return slots.includes('source') ? [...presets, ...rest.filter(({ role }) => role === 'source')] : presets
  }
  for (const role of slots) {
    const wanted =
      rest.find((picture) => picture.role === role) ??
      (role === 'source' ? undefined : rest.find((picture) => picture.role === 'source'))
    if (!wanted) continue
    shown.push(wanted)
    rest.splice(rest.indexOf(wanted), 1)
  }
  return shown
}

/** Whether a video is among the pictures: by what its file is, and by what it is said to be until that is known. */
export function hasVideo(known: Known | undefined, shown: readonly Picture[]): boolean {
  return shown.some(({ which, isVideo }) => {
    const look = known?.looks[which]
    return look ? look.kind === 'video' : isVideo
  })
}

/** A picture as it can be drawn now; undefined while it cannot. Without tiles until the engine has made them. */
export function drawableOf(known: Known, which: string, space: Space): Drawable | undefined {
  const look = known.looks[which]
  if (look?.kind !== 'picture') return undefined
  const { info } = look
  return pictureDrawable(
    known.record.of,
    which,
    known.tiled.has(which) ? info : { ...info, levels: 0 },
    space,
  )
}

/**
 * The colours to draw in. Display P3 only where a picture has it and the screen shows it: a picture in sRGB would lose
 * single levels in it.
 */
export function spaceOf(
  known: Known,
  shown: readonly { readonly which: string }[],
  hasWideScreen: boolean,
): Space {
  const isWide = ({ which }: { readonly which: string }) => {
    const look = known.looks[which]
    return look?.kind === 'picture' && look.info.gamut === 'p3'
  }
  return hasWideScreen && shown.some(isWide) ? 'display-p3' : 'srgb'
}

export interface Arranged {
  readonly scene: Scene | undefined
  /** The mode as it is shown: a difference of two sizes is shown as a split. */
  readonly mode: Mode
  /** How pictures of different sizes were brought together, where they differ. */
  readonly alignment: Alignment
  /** Pictures whose item has to be found to align them. */
  readonly needsItems: readonly string[]
}

export interface Wish {
  readonly mode: Mode
  readonly shown: readonly Picture[]
  readonly split: number
  /** Which of two is shown while they alternate. */
  readonly turn: 0 | 1
  readonly gain: number
  /** Whether the screen shows more than sRGB. */
  readonly hasWideScreen: boolean
}

/** Lays the pictures out. */
export function arrange(known: Known, wish: Wish): Arranged {
  const space = spaceOf(known, wish.shown, wish.hasWideScreen)
  const drawables = wish.shown.map(({ which }) => drawableOf(known, which, space))
  const wished = hasVideo(known, wish.shown) ? 'side' : wish.mode
  const reference = drawables.find((drawable) => drawable !== undefined)
  if (!reference) return { scene: undefined, mode: wished, alignment: 'same', needsItems: [] }
  const boxes = wish.shown.map(({ which }) => known.boxes[which])
  const first = drawables.indexOf(reference)
  const alignments: Alignment[] = []
  const needsItems = new Set<string>()
  const layers = drawables.map((drawable, index): Layer | undefined => {
    if (!drawable) return undefined
    const found = aligned(reference.size, drawable.size, boxes[first] ?? null, boxes[index] ?? null)
    alignments.push(found.by)
    if (found.by === 'centre' || found.by === 'fraction') {
      for (const i of [first, index]) if (boxes[i] === undefined) needsItems.add(wish.shown[i]!.which)
    }
    return { drawable, mapping: found.mapping }
  })
  const alignment = alignments.find((by) => by !== 'same') ?? 'same'
  const mode = wished === 'difference' && alignment !== 'same' ? 'split' : wished
  return {
    scene: { reference: reference.size, space, split: wish.split, panes: panesOf(mode, layers, wish) },
    mode,
    alignment,
    needsItems: [...needsItems],
  }
}

function panesOf(mode: Mode, layers: readonly (Layer | undefined)[], wish: Wish): Scene['panes'] {
  const [a, b] = layers
  if (mode === 'side' || layers.length < 2) return layers.map((layer) => [layer])
  if (mode === 'split') return [[a, b]]
  if (mode === 'flicker') return [[wish.turn === 0 ? a : b]]
  const difference = a && b && { ...a, drawable: differenceDrawable(a.drawable, b.drawable, wish.gain) }
  return [[difference]]
}

/** What a picture is called: an output by the service's word, what a preset made by the preset. */
export function labelOf({ role, label, made }: Picture): string {
  if (role === 'source') return t`Source`
  return made ? presetTitle(label) : label
}

/** What a person is told where sizes differ. */
export function alignmentNote(by: Alignment): string | undefined {
  if (by === 'fraction') return t`Sizes differ: shown at one size`
  if (by === 'item') return t`Framed differently: the piece lies on the piece`
  if (by === 'centre') return t`Shapes differ: middle lies on middle`
  return undefined
}
