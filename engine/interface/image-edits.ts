import { setImmediate } from 'node:timers/promises'
import { extraCredits, type CreditRange } from '../../shared/prices.ts'
import { Fault } from '../../shared/rpc/fault.ts'
import {
  checkSetting,
  effectiveSettings,
  retoucherSettingsSchema,
  settingRule,
  type RetoucherSettings,
  type SettingValue,
} from '../../shared/settings.ts'
import { estimate } from '../queue/prices.ts'
import type { RecipeUse } from '../store/image-lists.ts'
import { deliveryKey } from '../store/images.ts'
import type { Image, Recipe } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import type { FullTarget, ImageActions } from './image-actions.ts'
import { say } from '../../shared/language/say.ts'

const atATime = 1000

/** What an edit sets; a null value leaves a key to the account. */
export interface Edit {
  readonly appId?: string | undefined
  readonly set?: Readonly<Record<string, SettingValue | null>> | undefined
  readonly parameters?: Readonly<Record<string, unknown>> | undefined
  readonly preset?: string | null | undefined
}

export interface TargetSettings {
  readonly recipe: Recipe
  readonly mixed: string[]
  readonly ranges: Record<string, { min: number; max: number }>
  readonly images: number
  readonly editable: number
  readonly preset: string | null
  readonly pricePerImage: CreditRange | null
  readonly extras: CreditRange
}

/** The settings that images share, and those in which they differ. @throws Fault where a target has no image */
export function settingsOf(store: Store, uses: readonly RecipeUse[]): TargetSettings {
  const recipes = uses.map(({ recipeId }) => store.images.recipeById(recipeId))
  const [first] = recipes
  if (!first) throw new Fault('gone', say`There is no image here any more.`)
  const mixed: string[] = recipes.some(({ appId }) => appId !== first.appId) ? ['appId'] : []
  const ranges: Record<string, { min: number; max: number }> = {}
  const shared: Record<string, SettingValue> = {}
  for (const key of new Set(recipes.flatMap(({ settings }) => Object.keys(settings)))) {
    const values = recipes.map(({ settings }) => settings[key as keyof RetoucherSettings])
    if (values.some((value) => value !== values[0])) {
      mixed.push(key)
      const numbers = values.filter((value) => typeof value === 'number')
      if (numbers.length > 0) ranges[key] = { min: Math.min(...numbers), max: Math.max(...numbers) }
    } else if (values[0] !== undefined) shared[key] = values[0]
  }
  const presets = new Set(
    uses.map(({ batchSeq, preset }) => preset ?? store.batches.bySeq(batchSeq).preset ?? ''),
  )
  if (presets.size > 1) mixed.push('preset')
  const prices = uses.map(({ batchSeq }, index) =>
    estimate(store, store.batches.bySeq(batchSeq).connectionId, recipes[index]!),
  )
  const extras = recipes.map(({ settings }) => extraCredits(settings))
  return {
    recipe: { appId: first.appId, settings: shared, parameters: first.parameters },
    mixed,
    ranges,
    images: uses.reduce((sum, { images }) => sum + images, 0),
    editable: uses.reduce((sum, { editable }) => sum + editable, 0),
    preset: presets.size === 1 ? [...presets][0]! || null : null,
    pricePerImage: prices.every((price) => price !== undefined) ? widest(prices) : null,
    extras: widest(extras),
  }
}

function widest(ranges: readonly CreditRange[]): CreditRange {
  return { min: Math.min(...ranges.map(({ min }) => min)), max: Math.max(...ranges.map(({ max }) => max)) }
}

/** A recipe with an edit applied; keys that would be ignored are left out, as in everything that is kept with images. */
function edited(recipe: Recipe, edit: Edit): Recipe {
  const settings: Record<string, SettingValue> = { ...recipe.settings }
  for (const [key, value] of Object.entries(edit.set ?? {})) {
    const rule = settingRule(key)
    if (!rule) throw new Fault('refused', say`There is no setting ${key}.`)
    if (value === null) {
      delete settings[key]
      continue
    }
    const checked = checkSetting(rule, value)
    if (!checked.ok) throw new Fault('refused', checked.problem)
    settings[key] = checked.value
  }
  const { sent } = effectiveSettings(retoucherSettingsSchema.parse(settings))
  return {
    appId: edit.appId ?? recipe.appId,
    settings: sent,
    parameters: edit.parameters ?? recipe.parameters,
  }
}

/** Images that an edit reached, with what they had before: those that had the same, together. */
interface Reached {
  readonly ids: number[]
  readonly batchSeq: number
  /** Recipes before and after. */
  readonly from: number
  readonly to: number
  readonly preset: string | null
}

/** What takes an edit back. */
export type Former = readonly Reached[]

export interface Edited {
  /** Images that it reached. */
  readonly images: number
  readonly former: Former
}

/**
 * Two presets of one picture that become the same would both be paid for, and show nothing.
 * @param after the recipe that one of these images would have
 * @throws Fault `refused` where an edit would make them so
 */
function refuseSame(store: Store, ids: readonly number[], after: (image: Image) => number) {
  const batches = new Set(store.lists.recipesOf(ids).map(({ batchSeq }) => batchSeq))
  if (![...batches].some((batchSeq) => store.lists.hasVariants(batchSeq))) return
  const wanted = new Set(ids)
  const isEditable = ({ id, state }: Image) => wanted.has(id) && (state === 'held' || state === 'waiting')
  const recipeOf = (image: Image) => (isEditable(image) ? after(image) : image.recipeId)
  for (const id of ids) {
    const image = store.images.byId(id)
    if (!image || image.picture === null || !isEditable(image)) continue
    const same = store.lists
      .variantsOf(image)
      .find((one) => one.recipeId !== image.recipeId && recipeOf(one) === recipeOf(image))
    if (!same) continue
    throw new Fault(
      'refused',
      say`This would make “${image.preset ?? ''}” and “${same.preset ?? ''}” of ${image.title} the same, and both would be charged. Choose the images of one preset, or cancel the others first.`,
    )
  }
}

/**
 * Changes the settings of what is held or waiting among the target's images; what was sent keeps what it was sent
 * with. Each batch records the edit.
 */
export async function editImages(
  store: Store,
  actions: ImageActions,
  target: FullTarget,
  edit: Edit,
): Promise<Edited> {
  const ids = actions.idsOf(target)
  const recipes = new Map<number, { readonly id: number; readonly recipe: Recipe }>()
  const reached = new Map<string, Reached>()
  const afterEdit = (recipeId: number) => {
    let after = recipes.get(recipeId)
    if (!after) {
      const recipe = edited(store.images.recipeById(recipeId), edit)
      after = { id: store.images.recipe(recipe), recipe }
      recipes.set(recipeId, after)
    }
    return after
  }
  refuseSame(store, ids, ({ recipeId }) => afterEdit(recipeId).id)
  for (let at = 0; at < ids.length; at += atATime) {
    store.transaction(() => {
      for (const id of ids.slice(at, at + atATime)) {
        const image = store.images.byId(id)
        if (!image || (image.state !== 'held' && image.state !== 'waiting')) continue
        const after = afterEdit(image.recipeId)
        const preset = edit.preset === undefined ? image.preset : (edit.preset ?? '')
        if (!give(store, image, after, preset)) continue
        note(reached, image, after.id)
      }
    })
    await setImmediate()
  }
  return recorded(store, [...reached.values()], JSON.stringify(edit))
}

/**
 * Gives images the settings back that an edit took from them: those that were not sent since, nor changed in another
 * way.
 * @throws Fault `refused` where two presets of one picture would become the same by it
 */
export async function takeBackEdit(store: Store, former: Former): Promise<Edited> {
  const reached = new Map<string, Reached>()
  const groups = new Map(former.flatMap((group) => group.ids.map((id) => [id, group] as const)))
  refuseSame(store, [...groups.keys()], ({ id, recipeId }) => {
    const { from, to } = groups.get(id)!
    return recipeId === to ? from : recipeId
  })
  for (const { ids, from, to, preset } of former) {
    const before = { id: from, recipe: store.images.recipeById(from) }
    for (let at = 0; at < ids.length; at += atATime) {
      store.transaction(() => {
        for (const id of ids.slice(at, at + atATime)) {
          const image = store.images.byId(id)
          if (!image || image.recipeId !== to || !give(store, image, before, preset)) continue
          note(reached, image, from)
        }
      })
      await setImmediate()
    }
  }
  return recorded(store, [...reached.values()], JSON.stringify({ takenBack: true }))
}

/** @returns false for an image that was sent. */
function give(
  store: Store,
  image: Image,
  { id, recipe }: { readonly id: number; readonly recipe: Recipe },
  preset: string | null,
): boolean {
  const { outDir } = store.batches.bySeq(image.batchSeq)
  return store.images.setRecipe(image, id, deliveryKey(image.source, recipe, outDir), preset)
}

/** @param image as it was before. */
function note(reached: Map<string, Reached>, { id, batchSeq, recipeId: from, preset }: Image, to: number) {
  const name = JSON.stringify([batchSeq, from, preset])
  const group = reached.get(name) ?? { ids: [], batchSeq, from, to, preset }
  reached.set(name, group)
  group.ids.push(id)
}

function recorded(store: Store, former: Former, what: string): Edited {
  const perBatch = new Map<number, number>()
  for (const { batchSeq, ids } of former) perBatch.set(batchSeq, (perBatch.get(batchSeq) ?? 0) + ids.length)
  for (const [seq, images] of perBatch) store.batches.recordEdit(seq, images, what)
  return { images: former.reduce((sum, { ids }) => sum + ids.length, 0), former }
}
