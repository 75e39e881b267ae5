import type { ComparedRecord, Subject } from '../../shared/contract/compare-records.ts'
import { outputOf } from '../../shared/contract/pictures.ts'
import { marks } from '../../shared/contract/records.ts'
import { plainText } from '../../shared/plain-text.ts'
import { Fault } from '../../shared/rpc/fault.ts'
import { settingRules, type SettingValue } from '../../shared/settings.ts'
import { findPreset } from '../preferences/find-preset.ts'
import type { PreferenceStore } from '../preferences/preferences.ts'
import { outputsOf } from '../queue/offered-outputs.ts'
import type { ServiceClient } from '../service/service-client.ts'
import type { Image, Recipe } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import { placedOutputs } from './compare-originals.ts'
import { isVideoFile, presetOf } from './image-records.ts'
import { valueOf } from './service-words.ts'
import { settingNames } from './setting-sentences.ts'
import { say } from '../../shared/language/say.ts'

export interface SubjectParts {
  readonly store: Store
  readonly preferences: PreferenceStore
  readonly client: () => ServiceClient
}

/** What there is to compare of an image or a run, and how it was made. @throws Fault where there is no such thing. */
export async function comparedRecord(parts: SubjectParts, of: Subject): Promise<ComparedRecord> {
  const { store } = parts
  const image = 'image' in of ? store.images.byId(of.image) : store.images.byRun(of.run)
  if (image && ('image' in of || placedOutputs(store, image).length > 0)) return ofImage(parts, of, image)
  if ('image' in of) throw new Fault('gone', say`This image is not there any more.`)
  return ofRun(parts, of, image)
}

function ofImage(parts: SubjectParts, of: Subject, image: Image): ComparedRecord {
  const { store } = parts
  const recipe = store.images.recipeById(image.recipeId)
  const preset = presetOf(image, store.batches.bySeq(image.batchSeq))
  const made = 'image' in of && of.presets ? presetsOf(parts, image) : []
  const outputs = placedOutputs(store, image).map((output, index) => ({
    which: output.slug,
    label: output.label,
    role: index === 0 ? ('primary' as const) : ('extra' as const),
    isVideo: isVideoFile(output.path),
    bytes: output.bytes,
  }))
  return {
    of,
    title: image.title,
    pictures: [...(made.length > 0 ? made : outputs), source],
    ...(image.picture === null ? {} : { presets: store.lists.variantsOf(image).length }),
    runId: image.runId,
    app: appName(recipe.appId),
    credits: image.state === 'skipped' ? null : image.credits,
    took: image.since !== null && image.settled !== null ? Math.max(0, image.settled - image.since) : null,
    recipe,
    preset,
    differs: preset === null ? [] : differences(parts.preferences, recipe, preset),
    mark: marks.find((mark) => mark === image.mark) ?? null,
    canMark: 'image' in of && outputs.length > 0,
  }
}

/** What several presets made of one picture: the first output of each that has one. */
function presetsOf({ store, preferences }: SubjectParts, image: Image): ComparedRecord['pictures'] {
  const siblings = store.lists.variantsOf(image)
  if (siblings.length < 2) return []
  const batch = store.batches.bySeq(image.batchSeq)
  return siblings.flatMap((one) => {
    const [output] = placedOutputs(store, one)
    if (!output) return []
    const recipe = store.images.recipeById(one.recipeId)
    const preset = presetOf(one, batch)
    const made = {
      image: one.id,
      preset: preset ?? say`No preset`,
      runId: one.runId,
      app: appName(recipe.appId),
      credits: one.state === 'skipped' ? null : one.credits,
      took: one.since !== null && one.settled !== null ? Math.max(0, one.settled - one.since) : null,
      differs: preset === null ? [] : differences(preferences, recipe, preset),
      mark: marks.find((mark) => mark === one.mark) ?? null,
    }
    return {
      which: outputOf(one.id, output.slug),
      label: made.preset,
      role: 'preset' as const,
      isVideo: isVideoFile(output.path),
      bytes: output.bytes,
      made,
    }
  })
}

const source = {
  which: 'source',
  label: say`Source`,
  role: 'source' as const,
  isVideo: false,
  bytes: null,
}

async function ofRun(
  parts: SubjectParts,
  of: { run: string },
  image: Image | undefined,
): Promise<ComparedRecord> {
  const run = valueOf(await parts.client().run(of.run))
  const outputs = outputsOf(run).map(({ slug, label, isVideo }, index) => ({
    which: slug,
    label: plainText(label, 120),
    role: index === 0 ? ('primary' as const) : ('extra' as const),
    isVideo,
    bytes: null,
  }))
  if (outputs.length === 0) {
    throw new Fault(
      'refused',
      run.status === 'FAILED'
        ? say`There is nothing to look at of this run: it failed: ${plainText(run.error ?? say`no reason was given`, 289)}.`
        : say`There is nothing to look at of this run: it is not finished yet.`,
    )
  }
  return {
    of,
    title: image?.title ?? plainText(run.runId, 80),
    // The service does not say what a run was made from (interface, 2.1); of our own images we know it.
    pictures: image ? [...outputs, source] : outputs,
    runId: run.runId,
    app: run.appTitle === undefined ? appName(plainText(run.appId, 80)) : plainText(run.appTitle, 80),
    credits: run.creditsCharged ?? null,
    took: Number.isFinite(run.completedMs - run.createdMs)
      ? Math.max(0, run.completedMs - run.createdMs)
      : null,
    recipe: null,
    preset: null,
    differs: [],
    mark: null,
    canMark: false,
  }
}

/** "rescue" is a word of the service; a person reads "Rescue". */
function appName(id: string): string | null {
  if (id === '') return null
  return /^[a-z]+$/.test(id) ? id[0]!.toUpperCase() + id.slice(1) : id
}

const worded = (value: SettingValue | undefined) =>
  value === undefined ? say`account default` : String(value)

function differences(preferences: PreferenceStore, recipe: Recipe, name: string): ComparedRecord['differs'] {
  const preset = findPreset(preferences.read().presets, name)?.preset
  if (!preset) return []
  const settings = settingRules
    .filter(({ key }) => recipe.settings[key] !== preset.settings[key])
    // A key that does not count beside the others was not sent: it makes no difference.
    .filter(
      ({ condition }) =>
        !condition || condition.applies(recipe.settings) || condition.applies(preset.settings),
    )
    .map(({ key }) => ({
      key: settingNames[key],
      here: worded(recipe.settings[key]),
      preset: worded(preset.settings[key]),
    }))
  if (recipe.appId === preset.appId) return settings
  return [{ key: say`Retoucher`, here: recipe.appId, preset: preset.appId }, ...settings]
}
