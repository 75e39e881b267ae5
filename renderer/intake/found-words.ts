import type { EstimateRecord, FoundRecord } from '../../shared/contract/intake-records.ts'
import { bytes as fileSize, figure, plural, range } from '../app/format.ts'
import { t } from '../../shared/language/text.ts'

/** "212 images found in 14 folders and 1 list". */
export function foundTitle(found: FoundRecord): string {
  if (found.images === 0) return found.nothing === null ? t`No images found` : t`Nothing to send`
  const folders = found.folders.filter(({ folder }) => folder !== '').length
  const images = plural(found.images, 'image')
  const [first, second] = [
    folders > 0 && plural(folders, 'folder'),
    found.listsRead > 0 && plural(found.listsRead, 'list'),
  ].filter((place) => place !== false)
  if (first === undefined) return t`${images} found`
  return second === undefined ? t`${images} found in ${first}` : t`${images} found in ${first} and ${second}`
}

/** What could not be taken: lines of lists, or whole files. */
export function problemTitle({ problems, problemCount }: FoundRecord): string {
  const lines = problems.filter(({ line }) => line !== null).length
  if (lines === problems.length) {
    return plural(problemCount, 'line could not be read', 'lines could not be read')
  }
  return lines === 0
    ? plural(problemCount, 'file not taken', 'files not taken')
    : plural(problemCount, 'line or file not taken', 'lines and files not taken')
}

/** What becomes of the pictures of this computer that were found; undefined where there are none. */
export function ownPictureWords({ ownPictures }: FoundRecord): { title: string; text: string } | undefined {
  const { uploads, bytes, published } = ownPictures
  if (uploads + published === 0) return undefined
  const sentences = [
    uploads > 0 && uploadWords(uploads, fileSize(bytes)),
    published > 0 &&
      plural(
        published,
        'picture is on the web already; the first was looked at there.',
        'pictures are on the web already; the first was looked at there.',
      ),
  ]
  return {
    title: plural(uploads + published, 'picture of this computer', 'pictures of this computer'),
    text: sentences.filter(Boolean).join(' '),
  }
}

function uploadWords(count: number, size: string): string {
  return count === 1
    ? t`1 picture (${size}) is uploaded to your storage, as far as not there yet.`
    : t`${figure(count)} pictures (${size}) are uploaded to your storage, as far as not there yet.`
}

/** "R1042-front.tif, R1187-hero.tif and 3 more". */
export function someOf(names: readonly string[], count: number): string {
  const shown = names.slice(0, 3)
  const rest = count - shown.length
  return rest > 0 ? t`${shown.join(', ')} and ${figure(rest)} more` : shown.join(', ')
}

export interface PriceWords {
  readonly line: string
  readonly detail: string | undefined
  readonly after: { readonly text: string; readonly tone: 'plain' | 'amber' | 'red' } | undefined
}

/** Part of the balance below which what is left is worth a warning. */
const lowPart = 0.05

/** The price of a batch before its start, beside the balance. */
export function priceWords(estimate: EstimateRecord, isPractice: boolean): PriceWords {
  const count = estimate.toSubmit + estimate.held
  if (count === 0) return { line: t`Nothing to send`, detail: skippedWords(estimate), after: undefined }
  const unknown =
    count > 3
      ? t`The base price is not known yet. “3 first” finds it out for 3 images.`
      : t`The base price is not known yet.`
  return {
    line: sumWords(estimate, isPractice),
    detail: skippedWords(estimate) ?? (estimate.pricePerImage === null ? unknown : undefined),
    after: afterWords(estimate),
  }
}

/** "212 images × 6 = 1,272 credits". */
function sumWords(estimate: EstimateRecord, isPractice: boolean): string {
  const { pricePerImage: price, cost, extras } = estimate
  const count = estimate.toSubmit + estimate.held
  const isSeveral = estimate.presets.length > 1
  const many = isSeveral ? presetCount(estimate) : undefined
  if (price === null || cost === null) {
    const times = many ?? figure(count)
    return extras.max === 0 ? t`${times} × base price` : t`${times} × (${range(extras)} + base price)`
  }
  const sum = `${many ?? plural(count, 'image')} ${isSeveral ? presetPrices(estimate) : `× ${range(price)}`}`
  return isPractice ? t`${sum} = ${range(cost)} play credits` : t`${sum} = ${range(cost)} credits`
}

/** "24 × 3 presets"; "70 images, 3 presets" where some of them have fewer. */
function presetCount({ presets }: EstimateRecord): string {
  const [first] = presets
  if (presets.every(({ images }) => images === first!.images)) {
    return t`${figure(first!.images)} × ${figure(presets.length)} presets`
  }
  const all = presets.reduce((sum, { images }) => sum + images, 0)
  return t`${plural(all, 'image')}, ${figure(presets.length)} presets`
}

/** "× 7 cr", or what each preset costs: "(11 + 7 + 2 cr)". */
function presetPrices({ presets }: EstimateRecord): string {
  const prices = presets.map(({ pricePerImage }) => range(pricePerImage!))
  return prices.every((price) => price === prices[0]) ? t`× ${prices[0]!} cr` : t`(${prices.join(' + ')} cr)`
}

function skippedWords({ skipped, elsewhere }: EstimateRecord): string | undefined {
  const words = [
    skipped > 0 && plural(skipped, 'image already delivered', 'images already delivered'),
    elsewhere > 0 &&
      plural(elsewhere, 'image under way in another batch', 'images under way in another batch'),
  ].filter((word) => word !== false)
  return words.length === 0 ? undefined : words.join(' · ')
}

function afterWords({
  covers,
  toSubmit,
  balanceAfter,
  balance,
  pricePerImage,
}: EstimateRecord): PriceWords['after'] {
  if (covers !== null && covers < toSubmit) {
    return {
      text: t`${plural(covers, 'image fits', 'images fit')}, ${figure(toSubmit - covers)} will wait`,
      tone: 'red',
    }
  }
  if (balanceAfter === null) return undefined
  const isLow =
    balance !== null && (balanceAfter < balance.total * lowPart || balanceAfter < (pricePerImage?.max ?? 0))
  return { text: t`Balance after: ${figure(Math.max(0, balanceAfter))}`, tone: isLow ? 'amber' : 'plain' }
}
