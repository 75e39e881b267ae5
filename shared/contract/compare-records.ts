import { z } from 'zod'
import { call } from '../rpc/contract.ts'
import { marks, recipeSchema } from './records.ts'

/** Comparing pictures: what is compared, how a picture is shown, and what differs. Pixels travel by address. */

/** An image of this program, or any run of the account's history. */
export const subjectSchema = z.union([
  z.object({
    image: z.number().int(),
    /** All that was made of its picture with several presets, in place of its own outputs. */
    presets: z.literal(true).optional(),
  }),
  z.object({ run: z.string().min(1).max(200) }),
])
export type Subject = z.infer<typeof subjectSchema>

/** `source`, or the slug of an output; of another image of the same picture `@IMAGE.SLUG`. */
const which = z.string().min(1).max(200)

/** How one of several outputs was made. */
const madeSchema = z.object({
  image: z.number().int(),
  preset: z.string(),
  runId: z.string().nullable(),
  app: z.string().nullable(),
  credits: z.number().nullable(),
  took: z.number().nullable(),
  differs: z.array(z.object({ key: z.string(), here: z.string(), preset: z.string() })),
  mark: z.enum(marks).nullable(),
})

export const comparedSchema = z.object({
  of: subjectSchema,
  title: z.string(),
  /** Outputs as the service lists them (the primary first), or one of each preset, then the source. */
  pictures: z.array(
    z.object({
      which,
      label: z.string(),
      role: z.enum(['primary', 'extra', 'preset', 'source']),
      isVideo: z.boolean(),
      /** Bytes of the file; null while it is not here. */
      bytes: z.number().nullable(),
      /** Of one among several presets: the image that it is of. */
      made: madeSchema.optional(),
    }),
  ),
  /** With how many presets its picture was made; left out for one. */
  presets: z.number().int().optional(),
  runId: z.string().nullable(),
  app: z.string().nullable(),
  credits: z.number().nullable(),
  /** Milliseconds from acceptance to delivery. */
  took: z.number().nullable(),
  recipe: recipeSchema.nullable(),
  preset: z.string().nullable(),
  /** Settings of this run that differ from its preset as it is now, in words; empty where none does. */
  differs: z.array(z.object({ key: z.string(), here: z.string(), preset: z.string() })),
  mark: z.enum(marks).nullable(),
  /** False for runs of the history that no image holds: there is nothing to keep a mark with. */
  canMark: z.boolean(),
})
export type ComparedRecord = z.infer<typeof comparedSchema>

/** Longest side of the level that is drawn first; a picture within it needs no tiles. */
export const quickSide = 2048
/** Side of a tile in pixels of its level. */
export const tileSide = 512

/** A picture that can be drawn: upright, in 8 bits. */
export const pictureInfoSchema = z.object({
  /** As it is shown, with its orientation applied. */
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  /** "JPEG", "PNG" … */
  format: z.string(),
  bytes: z.number(),
  /** Bits a channel in the file. */
  bits: z.number().int(),
  /** "RGB", "grey", "CMYK" … as in the file. */
  channels: z.string(),
  /** True where some pixel may be transparent. */
  alpha: z.boolean(),
  /** Name of the embedded colour profile; null for a file without one, which counts as sRGB. */
  profile: z.string().nullable(),
  /** What its levels are in: Display P3, with that profile, where the file's own has other colours than sRGB's. */
  gamut: z.enum(['srgb', 'p3']),
  /** True where the file asks to be turned or mirrored. */
  turned: z.boolean(),
  quick: z.object({ width: z.number().int().positive(), height: z.number().int().positive() }),
  /** Levels of tiles: 0 is the whole picture, each further one half the one before. 0 where `quick` is the picture. */
  levels: z.number().int().min(0).max(12),
  /** Part of its addresses: changes with the file. */
  stamp: z.string(),
})
export type PictureInfo = z.infer<typeof pictureInfoSchema>

/** What can be seen of one picture. `trouble` is a sentence for its pane. */
export const lookSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('picture'), info: pictureInfoSchema }),
  z.object({ kind: z.literal('video'), format: z.string(), bytes: z.number(), stamp: z.string() }),
  z.object({ kind: z.literal('trouble'), sentence: z.string(), format: z.string().nullable() }),
])
export type Look = z.infer<typeof lookSchema>

/** What differs between two pictures of one size, over every pixel of the files, in 8 bits (P3 where both are). */
export const measureSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('measure'),
    /** Pixels of which any channel differs, and all pixels. */
    changed: z.number().int(),
    pixels: z.number().int(),
    /** Largest difference of a channel, 0–255. */
    largest: z.number().int(),
    /** Changed pixels beside the item; null where the item is not clear. */
    outside: z.number().int().nullable(),
  }),
  z.object({ kind: z.literal('sizes') }),
  z.object({ kind: z.literal('trouble'), sentence: z.string() }),
])
export type Measure = z.infer<typeof measureSchema>

/** The item's box in fractions of the picture; null where it is not clear. */
export const itemBoxSchema = z.object({
  left: z.number(),
  top: z.number(),
  width: z.number(),
  height: z.number(),
})
export type ItemBox = z.infer<typeof itemBoxSchema>

/** `ahead`: for a picture that will be looked at later; it waits for those that are looked at now. */
const picture = z.object({ of: subjectSchema, which, ahead: z.boolean().default(false) })

export const compareGroup = {
  subject: call(z.object({ of: subjectSchema }), comparedSchema),
  /** Makes the level that is drawn first, where it is not there yet. */
  look: call(picture, lookSchema),
  /** Makes the tiles of a picture; its addresses of tiles work once this has answered `ready`. */
  tiles: call(
    picture,
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('ready') }),
      z.object({ kind: z.literal('trouble'), sentence: z.string() }),
    ]),
  ),
  measure: call(z.object({ of: subjectSchema, a: which, b: which }), measureSchema),
  item: call(picture, z.object({ box: itemBoxSchema.nullable() })),
  /** How far the review of a batch has come. */
  marks: call(
    z.object({ batch: z.string() }),
    z.object({ kept: z.number().int(), rejected: z.number().int(), delivered: z.number().int() }),
  ),
  /**
   * Copies or moves the files that were kept (of each image the output that was chosen), or all files of rejected
   * images. Nothing is overwritten: a name that is taken gets a number. Moving stays within the output folder.
   */
  place: call(
    z.object({
      batch: z.string(),
      what: z.enum(['kept', 'rejected']),
      how: z.enum(['copy', 'move']),
      to: z.union([
        /** A folder in the batch's output folder; it is made where it is not there. */
        z.object({ folder: z.string().trim().min(1).max(100) }),
        /** A folder that is there; for copies only. */
        z.object({ path: z.string().min(1).max(4096) }),
      ]),
    }),
    z.object({
      /** What takes it back; null where nothing was placed. */
      record: z.string().nullable(),
      files: z.number().int(),
      /** A sentence for each file that stayed where it was. */
      problems: z.array(z.string()).max(50),
    }),
  ),
  /** Takes a placing back: moved files return, copies that nobody changed are removed. */
  unplace: call(
    z.object({ record: z.string().max(100) }),
    z.object({ files: z.number().int(), problems: z.array(z.string()).max(50) }),
  ),
} as const
