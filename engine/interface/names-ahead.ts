import { setImmediate } from 'node:timers/promises'
import type { Picture } from '../batches/add-batch.ts'
import type { Variant } from '../batches/variants.ts'
import { parseNameTemplate, pathRoom, renderName, type NameTemplate } from '../delivery/names.ts'
import { foldName, nameFromUrl } from '../delivery/safe-name.ts'
import type { Recipe } from '../store/rows.ts'
import { say } from '../../shared/language/say.ts'

/** What names depend on beside the pictures. */
export interface Naming {
  readonly template: string
  readonly outDir: string
  /** Each picture is made with each of these. */
  readonly variants: readonly Variant[]
  /** Milliseconds since the epoch. */
  readonly now: number
}

export interface NamesAhead {
  /** Why the template cannot be used; null where it can. */
  readonly trouble: string | null
  readonly examples: readonly { readonly label: string; readonly path: string }[]
  readonly collisions: number
}

const atATime = 2000
/** What is not known before a run has been made; it has the length of what will stand there. */
const batchToCome = 'batch'
const runToCome = 'run'

/**
 * The names that outputs would get: those of the first picture as examples, and how many of all would come twice.
 * Extensions are guessed: png for what gets a transparent background, jpg else.
 */
export async function namesAhead(pictures: readonly Picture[], naming: Naming): Promise<NamesAhead> {
  const parsed = parseNameTemplate(naming.template)
  if (!parsed.ok) return { trouble: parsed.problem, examples: [], collisions: 0 }
  const several = naming.variants.length > 1
  const made = naming.variants.map((variant) => ({
    variant,
    outputs: outputsOf(variant.recipe),
    name: namer(parsed.template, naming, variant, pictures.length * naming.variants.length),
  }))
  const first = pictures[0]
  const examples = made.flatMap(({ variant, outputs, name }) =>
    (several ? outputs.slice(0, 1) : outputs).map(({ label, suffix }) => ({
      label: several ? (variant.preset ?? say`No preset`) : label,
      path: first ? name(first, 0, suffix) : '',
    })),
  )
  return { trouble: null, examples: first ? examples : [], collisions: await collisionsOf(pictures, made) }
}

/** With de-banding a run has two files (interface, 2.1). */
function outputsOf({ settings }: Recipe) {
  return settings.debanding
    ? [
        { label: say`De-Banded`, suffix: '' },
        { label: say`Original`, suffix: '-original' },
      ]
    : [{ label: say`Result`, suffix: '' }]
}

function namer(template: NameTemplate, { outDir, now }: Naming, { preset, recipe }: Variant, of: number) {
  const room = pathRoom(outDir)
  const date = new Date(now)
  const two = (n: number) => String(n).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  const ext = recipe.settings.bg_mode === 'transparent' ? 'png' : 'jpg'
  return (picture: Picture, position: number, suffix: string) =>
    renderName(
      template,
      {
        folder: picture.folder,
        name: picture.name ?? nameFromUrl(picture.source, position + 1),
        suffix,
        ext,
        n: position + 1,
        of,
        batch: batchToCome,
        preset: preset ?? '',
        app: recipe.appId,
        run: runToCome,
        date: day,
      },
      room,
    )
}

async function collisionsOf(
  pictures: readonly Picture[],
  made: readonly {
    readonly outputs: readonly { readonly suffix: string }[]
    readonly name: (picture: Picture, position: number, suffix: string) => string
  }[],
): Promise<number> {
  const taken = new Set<string>()
  let collisions = 0
  for (const [position, picture] of pictures.entries()) {
    for (const { outputs, name } of made) {
      for (const { suffix } of outputs) {
        const folded = foldName(name(picture, position, suffix))
        if (taken.has(folded)) collisions += 1
        else taken.add(folded)
      }
    }
    if (position % atATime === atATime - 1) await setImmediate()
  }
  return collisions
}
