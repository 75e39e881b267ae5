import type { ItemBox } from '../../shared/contract/compare-records.ts'
import type { Rect, Size } from './view.ts'

/** How pictures of different sizes lie over each other. Pure. */

export interface Mapping {
  /** Pixels of the reference picture for one pixel of the other. */
  readonly scaleX: number
  readonly scaleY: number
  /** Where the other's corner lies, in pixels of the reference picture. */
  readonly x: number
  readonly y: number
}

/** `same`: pixel on pixel. Else how they were brought together, which a person is told. */
export type Alignment = 'same' | 'fraction' | 'item' | 'centre'

export interface Aligned {
  readonly mapping: Mapping
  readonly by: Alignment
}

/** Shapes within this part of each other are one shape: sizes are whole pixels. */
const sameShape = 0.005
/** A framed item keeps its pixels; a box that says otherwise by less than this is measured a pixel wrong. */
const sameScale = 0.03

/**
 * Lays a picture over the reference. A framed picture shows the item with the pixels that it has, in another frame: it
 * lies item on item, where both boxes are known. A picture of the same shape that was scaled lies fraction on fraction.
 */
export function aligned(
  reference: Size,
  other: Size,
  referenceItem: ItemBox | null,
  otherItem: ItemBox | null,
): Aligned {
  if (reference.width === other.width && reference.height === other.height) {
    return { mapping: { scaleX: 1, scaleY: 1, x: 0, y: 0 }, by: 'same' }
  }
  const scaleX = reference.width / other.width
  const scaleY = reference.height / other.height
  const item = referenceItem && otherItem ? byItem(reference, other, referenceItem, otherItem) : undefined
  const isShape = Math.abs(scaleX / scaleY - 1) <= sameShape
  if (item && (item.scaleX === 1 || !isShape)) return { mapping: item, by: 'item' }
  if (isShape) return { mapping: { scaleX, scaleY, x: 0, y: 0 }, by: 'fraction' }
  const scale = Math.min(scaleX, scaleY)
  return {
    mapping: {
      scaleX: scale,
      scaleY: scale,
      x: (reference.width - other.width * scale) / 2,
      y: (reference.height - other.height * scale) / 2,
    },
    by: 'centre',
  }
}

function byItem(reference: Size, other: Size, a: ItemBox, b: ItemBox): Mapping | undefined {
  const across = (a.width * reference.width) / (b.width * other.width)
  const down = (a.height * reference.height) / (b.height * other.height)
  // Boxes of two shapes are not boxes of one item.
  if (!(across > 0 && down > 0) || Math.abs(across / down - 1) > 0.1) return undefined
  const mean = (across + down) / 2
  const scale = Math.abs(mean - 1) < sameScale ? 1 : mean
  return {
    scaleX: scale,
    scaleY: scale,
    x: (a.left + a.width / 2) * reference.width - (b.left + b.width / 2) * other.width * scale,
    y: (a.top + a.height / 2) * reference.height - (b.top + b.height / 2) * other.height * scale,
  }
}

/** Where the other picture lies, given where the reference lies. */
export function mapped(rect: Rect, reference: Size, other: Size, mapping: Mapping): Rect {
  const x = rect.width / reference.width
  const y = rect.height / reference.height
  return {
    x: rect.x + mapping.x * x,
    y: rect.y + mapping.y * y,
    width: other.width * mapping.scaleX * x,
    height: other.height * mapping.scaleY * y,
  }
}
