import { presetTitle } from '../../shared/presets.ts'
import { settingTitle } from '../../shared/setting-words.ts'
import type { SettingValue } from '../../shared/settings.ts'
import type { ImageState } from '../../shared/states.ts'
import type { Batch } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import type { ReportImage, ReportSetting } from './batch-report.ts'
import { said } from '../../shared/language/said.ts'
import { figure, localeOf, plural, spoken, t } from '../../shared/language/text.ts'

/** What a contact sheet says in words, the same on a page and on paper. Nothing is escaped yet. */

/** More than this, and no program opens the sheet with pleasure. */
export const mostPictures = 3000

/** What a sheet is written in, as a tag of its document. */
export function sheetLanguage(): 'de' | 'en' {
  return spoken() === 'de' ? 'de' : 'en'
}

function stateWords(state: ImageState): string {
  switch (state) {
    case 'held':
      return t`Held`
    case 'waiting':
      return t`Waiting`
    case 'submitting':
      return t`Submitting`
    case 'running':
      return t`Processing`
    case 'downloading':
      return t`Downloading`
    case 'delivered':
      return t`Done`
    case 'skipped':
      return t`Already done`
    case 'failed':
      return t`Failed`
    case 'review':
      return t`Needs review`
    case 'cancelled':
      return t`Cancelled`
  }
}

function markWords(mark: string | null): string {
  switch (mark ?? '') {
    case 'keep-1':
      return t`Keep 1`
    case 'keep-2':
      return t`Keep 2`
    case 'reject':
      return t`Reject`
    default:
      return ''
  }
}

/** The line below a sheet's title. @param now milliseconds since the epoch */
export function batchFacts(store: Store, batch: Batch, now: number): string[] {
  const counts = store.batches.counts(batch.seq)
  const total = Object.values(counts).reduce((sum, n) => sum + n, 0)
  return [
    plural(total, 'image'),
    t`${figure(counts.delivered + counts.skipped)} done`,
    ...(counts.failed > 0 ? [t`${figure(counts.failed)} failed`] : []),
    ...(counts.review > 0 ? [t`${figure(counts.review)} need review`] : []),
    plural(batch.charged, 'credit charged', 'credits charged'),
    t`batch ${batch.id}`,
    day(now),
  ]
}

export function nameLine({ folder, title }: ReportImage): string {
  return folder === '' ? title : `${folder}/${title}`
}

/** Where no locale was chosen: as manifests and tables write it. */
function day(now: number): string {
  const locale = localeOf()
  return locale === undefined
    ? new Date(now).toISOString().slice(0, 10)
    : new Date(now).toLocaleDateString(locale, { dateStyle: 'medium' })
}

/** What stands below a sheet that has no room for all. */
export function leftOver(images: number): string {
  return plural(
    images,
    'more image is in the CSV of this batch.',
    'more images are in the CSV of this batch.',
  )
}

/** Why it failed: a sentence of the engine's, or the service's own words. */
export function errorLine({ error }: ReportImage): string {
  return said(error)
}

/** How it ended, its mark, and what it cost. */
export function outcomeLine({ state, mark, credits }: ReportImage): string {
  return joined([stateWords(state), markWords(mark), credits === null ? '' : plural(credits, 'credit')])
}

export function settingsLine({ preset, app, settings }: ReportImage): string {
  return joined([presetTitle(preset), app, ...settings.map(settingWords)])
}

const joined = (words: readonly string[]) => words.filter((word) => word !== '').join(' · ')
function settingWords({ key, title, value }: ReportSetting): string {
  return key === null ? `${title} ${value}` : t`${settingTitle(key)} ${valueWords(value)}`
}

function valueWords(value: SettingValue): string {
  switch (value) {
    case true:
      return t`on`
    case false:
    case 'off':
      return t`off`
    case 'solid':
      return t`solid`
    case 'transparent':
      return t`transparent`
    default:
      return typeof value === 'number' ? numberWords(value) : value
  }
}

function numberWords(value: number): string {
  const locale = localeOf()
  return locale === undefined ? String(value) : value.toLocaleString(locale, { maximumFractionDigits: 6 })
}
