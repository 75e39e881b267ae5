import { nameTemplateForPresets, tellsPresets } from '../delivery/names.ts'
import { foldName, safeName } from '../delivery/safe-name.ts'
import { isSameRecipe } from '../store/images.ts'
import type { Recipe } from '../store/rows.ts'
import { say } from '../../shared/language/say.ts'

/** A preset and its settings as they are now: one of several that each picture of a batch is made with. */
export interface Variant {
  readonly preset: string | null
  readonly recipe: Recipe
}

/** Several presets, judged. */
export interface ChosenVariants {
  /** In the order in which they were chosen; those that would send the same once. */
  readonly variants: readonly Variant[]
  /** The template by which their outputs are told apart. */
  readonly nameTemplate: string
  /** A sentence for each that is left out. */
  readonly words: readonly string[]
  /** Why their outputs cannot be told apart by name; undefined where they can. */
  readonly trouble: string | undefined
}

/**
 * What several presets come to. One that sends exactly what an earlier one sends is left out: it would be paid for
 * twice and show nothing.
 * @param isFixed the template belongs to a batch that is there, and stays
 */
export function chooseVariants(
  wanted: readonly Variant[],
  nameTemplate: string,
  isFixed = false,
): ChosenVariants {
  const variants: Variant[] = []
  const words: string[] = []
  for (const one of wanted) {
    const same = variants.find(({ recipe }) => isSameRecipe(recipe, one.recipe))
    if (!same) variants.push(one)
    else if (same.preset !== one.preset) {
      words.push(
        say`${quoted(one.preset)} sends the same as ${quoted(same.preset)}: each picture is made once.`,
      )
    }
  }
  if (variants.length < 2) return { variants, nameTemplate, words, trouble: undefined }
  const template = isFixed ? nameTemplate : nameTemplateForPresets(nameTemplate)
  return { variants, nameTemplate: template, words, trouble: namesTrouble(variants, template) }
}

function namesTrouble(variants: readonly Variant[], template: string): string | undefined {
  if (!tellsPresets(template)) {
    return say`The names of this batch have no {preset}, so several presets would get the same names; make a new batch of them.`
  }
  if (template.includes('{run}')) return undefined
  const taken = new Map<string, Variant>()
  for (const one of variants) {
    const name = foldName(safeName(one.preset ?? ''))
    const same = taken.get(name)
    if (same) {
      return say`${quoted(same.preset)} and ${quoted(one.preset)} give the same file names; rename one of the presets.`
    }
    taken.set(name, one)
  }
  return undefined
}

function quoted(preset: string | null): string {
  return preset === null ? say`“No preset”` : `“${preset}”`
}

/** What a batch of several presets is called by: "Catalogue white + Cut-out". */
export function presetsName(variants: readonly Variant[]): string | null {
  const names = variants.flatMap(({ preset }) => preset ?? [])
  return names.length === 0 ? null : names.join(' + ')
}
