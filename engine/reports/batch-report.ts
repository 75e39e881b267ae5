import { relative, sep } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { plainText } from '../../shared/plain-text.ts'
import { effectiveSettings, settingRules, type SettingKey, type SettingValue } from '../../shared/settings.ts'
import type { ImageState } from '../../shared/states.ts'
import { shownSource } from '../own-files/shown-source.ts'
import type { Batch, Image, Recipe } from '../store/rows.ts'
import type { Store } from '../store/store.ts'

/** Images read from the store at a time. */
const page = 200

/** What a report says of one image; all text is fit to be shown. */
export interface ReportImage {
  readonly id: number
  /** From 1. */
  readonly position: number
  readonly title: string
  readonly folder: string
  readonly source: string
  readonly state: ImageState
  /** As the store has it; null where it has none. */
  readonly mark: string | null
  readonly preset: string
  readonly app: string
  /** Each setting that is sent, in the order of the settings form; then the parameters of other apps. */
  readonly settings: readonly ReportSetting[]
  readonly runId: string
  /** Credits that its runs were charged; null while that is not known. */
  readonly credits: number | null
  readonly seconds: number | null
  /** Relative to the output folder, with forward slashes; the primary first. */
  readonly outputs: readonly { readonly slug: string; readonly path: string }[]
  readonly error: string
}

/** A setting of the table, or a parameter that is not in it, which is called by its own name. */
export type ReportSetting =
  | { readonly key: SettingKey; readonly title: string; readonly value: SettingValue }
  | { readonly key: null; readonly title: string; readonly value: string }

/** The images of a batch in the order of intake, a page at a time. */
export async function* reportImages(store: Store, batch: Batch): AsyncGenerator<readonly ReportImage[]> {
  for (let after = -1; ;) {
    const images = store.images.page(batch.seq, after, page)
    const last = images.at(-1)
    if (!last) return
    yield images.map((image) => reportImage(store, batch, image))
    after = last.position
    await setImmediate()
  }
}

function reportImage(store: Store, batch: Batch, image: Image): ReportImage {
  const recipe = store.images.recipeById(image.recipeId)
  const files = image.state === 'skipped' && image.earlierImageId !== null ? image.earlierImageId : image.id
  const charged = store.ledger.ofImage(image.id).reduce((sum, { credits }) => sum + credits, 0)
  const { since, settled } = image
  return {
    id: image.id,
    position: image.position + 1,
    title: plainText(image.title, 200),
    folder: plainText(image.folder, 300),
    source: plainText(shownSource(store, image.source), 2000),
    state: image.state,
    mark: image.mark,
    preset: plainText(image.preset ?? batch.preset ?? '', 80),
    app: plainText(recipe.appId, 80),
    settings: settingsOf(recipe),
    runId: plainText(image.runId ?? '', 200),
    credits: image.runId === null && charged === 0 ? null : charged,
    seconds:
      since !== null && settled !== null && settled >= since ? Math.round((settled - since) / 1000) : null,
    outputs: store.outputs.ofImage(files).map(({ slug, path }) => ({
      slug,
      path: plainText(relative(batch.outDir, path).split(sep).join('/'), 1000),
    })),
    error: plainText(image.error ?? '', 500),
  }
}

function settingsOf({ settings, parameters }: Recipe): ReportSetting[] {
  const { sent } = effectiveSettings(settings)
  const own = settingRules.flatMap(({ key, title }): ReportSetting[] => {
    const value = sent[key]
    return value === undefined ? [] : [{ key, title, value }]
  })
  const others = Object.entries(parameters).map(([key, value]): ReportSetting => {
    return { key: null, title: plainText(key, 60), value: plainText(JSON.stringify(value), 120) }
  })
  return [...own, ...others]
}
