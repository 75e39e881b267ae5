import type { RetoucherSettings } from '../../../shared/settings.ts'
import { changedRecipe, type Recipe, type RecipeChange } from '../recipe.ts'

/**
 * The recipe that is being set, for those who follow every movement of a slider: they hear of it in the event itself,
 * while the form is drawn anew in its own time.
 */
export class PreviewFeed {
  readonly #listeners = new Set<() => void>()
  #recipe: Recipe

  constructor(recipe: Recipe) {
    this.#recipe = recipe
  }

  get recipe(): Recipe {
    return this.#recipe
  }

  get settings(): RetoucherSettings {
    return this.#recipe.settings
  }

  set(recipe: Recipe): void {
    if (recipe === this.#recipe || JSON.stringify(recipe) === JSON.stringify(this.#recipe)) return
    this.#recipe = recipe
    for (const listener of this.#listeners) listener()
  }

  change(change: RecipeChange): void {
    this.set(changedRecipe(this.#recipe, change))
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
}
