import type { Box } from '../../../shared/framing.ts'
import type { ShadowShape } from '../../../shared/matte/contact-shadow.ts'

/** Asked of the worker: the item of a picture, then its shadow as often as the sliders move. */
export type PreviewRequest =
  | { readonly kind: 'item'; readonly id: number; readonly source: string }
  | { readonly kind: 'shadow'; readonly id: number; readonly shape: ShadowShape }

/** The item as the worker found it. */
export interface FoundItem {
  readonly picture: ImageBitmap
  /** The item alone, transparent around. */
  readonly cutOut: ImageBitmap
  /** Undefined where the matte is in doubt: then the service's frame cannot be foretold. */
  readonly box: Box | undefined
}

export type PreviewAnswer =
  | { readonly kind: 'item'; readonly id: number; readonly found: FoundItem | undefined }
  /** Black, as opaque as the shadow is dark; drawn over the size of the picture. */
  | { readonly kind: 'shadow'; readonly id: number; readonly shadow: ImageBitmap | undefined }
