import { z } from 'zod'
import { call, stream } from '../rpc/contract.ts'
import { creditRangeSchema, imageSchema, recipeSchema } from './records.ts'

/** The live preview of settings on one picture, and trying them on it for real. Pixels travel by address. */

const size = z.object({ width: z.number().int().positive(), height: z.number().int().positive() })

/** The item of a picture, as far as it can be told before anything is sent. */
export const previewItemSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('item'),
    /** `cut-out`: the matte is that of a delivered transparent output; `estimate`: it was found in the source. */
    origin: z.enum(['estimate', 'cut-out']),
    /** The source's pixels, upright. */
    source: size,
    /** Pixels of the picture and the cut-out behind `previewPath`. */
    size,
    /** The item's box in pixels of the source, fractions where the matte is smaller; null where nothing was found. */
    box: z.object({ left: z.number(), top: z.number(), width: z.number(), height: z.number() }).nullable(),
    /** 0 (a guess) to 1 (clear). */
    confidence: z.number(),
    /** What makes it doubtful, in words; where there is any, the frame cannot be foretold. */
    doubts: z.array(z.string()),
    /** Part of its addresses: changes with the pixels. */
    stamp: z.string(),
  }),
  /** A sentence for the place of the preview. */
  z.object({ kind: z.literal('trouble'), sentence: z.string() }),
])
export type PreviewItem = z.infer<typeof previewItemSchema>

const image = z.object({ image: z.number().int() })

export const previewGroup = {
  /** Finds the item, where that is not done yet; its addresses work once this has answered. */
  item: call(image, previewItemSchema),
  /** What one run of a picture with these settings would cost. */
  planTry: call(
    image.extend({ recipe: recipeSchema }),
    z.object({
      plan: z.string(),
      /** Null while the app's base price is unknown. */
      price: creditRangeSchema.nullable(),
      extras: creditRangeSchema,
      /** A try with these very settings that is there or under way: it is shown, and costs nothing more. */
      known: z.number().int().nullable(),
    }),
  ),
  /** Carries out what a plan said; a plan is carried out once, however often it is asked for. */
  try: call(
    z.object({ plan: z.string() }),
    z.object({
      /** The image that the try is. */
      image: z.number().int(),
      batch: z.string(),
    }),
  ),
  /** How an image stands, from now on. */
  follow: stream(image, imageSchema),
} as const
