import { looksLikeAddress, splitAddresses, unwrapAddress } from './address.ts'
import { hasPictureExtension } from './file-kinds.ts'

/** What a sample of one column (or of one key of JSON objects) holds. */
export interface ColumnSample {
  /** The header's cell or the key; '' where there is none. */
  readonly title: string
  cells: number
  addresses: number
  pictures: number
}

/** An empty sample of a column of this title. */
export function newColumn(title: string): ColumnSample {
  return { title, cells: 0, addresses: 0, pictures: 0 }
}

/** Counts one cell of the sample. */
export function countCell(column: ColumnSample, cell: string): void {
  column.cells++
  if (!looksLikeAddress(cell) && formulaAddress(cell) === undefined) return
  column.addresses++
  if (hasPictureExtension(splitAddresses(unwrapAddress(cell))[0] ?? '')) column.pictures++
}

/** Titles are compared without case, accents and punctuation: "Bild-URL" is "bild url". */
function plainTitle(title: string): string {
  return title
    .slice(0, 200)
    .normalize('NFKD')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

function titleWeight(title: string): number {
  const plain = plainTitle(title)
  let weight = 0
  if (
    /\b(?:image|images|img|picture|pictures|photo|photos|bild|bilder|foto|fotos|imagen|immagine|pic)/.test(
      plain,
    )
  ) {
    weight += 3
  }
  if (/\b(?:url|urls|uri|src|source|address|adresse)\b/.test(plain)) weight += 2
  else if (/\b(?:link|links|href|location)\b/.test(plain)) weight += 1
  if (/\b(?:thumb|thumbs|thumbnail|thumbnails|preview|small|icon|logo|avatar|swatch)\b/.test(plain))
    weight -= 4
  if (/\b(?:page|product url|permalink|video|website|shop)\b/.test(plain)) weight -= 2
  return weight
}

/** Whether a cell is what people write above a column of addresses or names. */
export function isKnownTitle(cell: string): boolean {
  return (
    cell.length <= 64 && !looksLikeAddress(cell) && (titleWeight(cell) >= 1 || nameRank(cell) !== undefined)
  )
}

/**
 * The columns to read addresses from: the best one and its numbered siblings (image 1, image 2); [] where no
 * column holds any. `others` are columns that hold addresses as well and are not read.
 */
export function chooseColumns(columns: readonly ColumnSample[]): { chosen: number[]; others: number[] } {
  let best = -1
  let bestScore = -Infinity
  for (const [index, column] of columns.entries()) {
    if (column.addresses === 0) continue
    const share = column.addresses / Math.max(1, column.cells)
    const score = share * 2 + (column.pictures / column.addresses) * 3 + titleWeight(column.title)
    if (score > bestScore) [best, bestScore] = [index, score]
  }
  if (best < 0) return { chosen: [], others: [] }
  const family = familyOf(columns[best]?.title ?? '')
  const isSibling = (index: number) =>
    index === best || (family !== undefined && familyOf(columns[index]?.title ?? '') === family)
  const withAddresses = [...columns.keys()].filter((index) => (columns[index]?.addresses ?? 0) > 0)
  return {
    chosen: [...columns.keys()].filter(isSibling),
    others: withAddresses.filter((index) => !isSibling(index)),
  }
}

/** "image 2" and "image_url_3" without their numbers; undefined for a title without one. */
function familyOf(title: string): string | undefined {
  const plain = plainTitle(title)
  const bare = plain.replace(/\d+/g, ' ').replace(/\s+/g, ' ').trim()
  return bare === '' || bare === plain ? undefined : bare
}

const nameTitles: readonly RegExp[] = [
  /^(?:output|target) ?(?:name|file)$|^file ?name$|^file$|^datei(?:name)?$|^fichier$/,
  /^name$|^image name$|^bildname$|^bezeichnung$|^nom$|^nombre$|^nome$/,
  /^(?:product |item |variant )?sku$/,
  /^(?:article|artikel|articolo)(?: ?(?:no|nr|number|nummer|code|id))?$|^(?:item|style|model|product|stock)(?: ?(?:no|nr|number|code|id))$/,
  /^ref(?:erence|erenz|erencia)?(?: ?(?:no|nr|number))?$|^code$|^mpn$|^ean$|^gtin$|^upc$|^barcode$/,
  /^(?:product |item |image )?title$|^titel$|^titre$|^product ?name$|^product$|^item$|^style$|^handle$|^slug$|^alt$/,
  /^id$|^key$|^number$|^nr$|^no$/,
]

/** How well a title says that its column names the outputs: 0 is best; undefined: it does not. */
export function nameRank(title: string): number | undefined {
  const plain = plainTitle(title)
  const rank = nameTitles.findIndex((pattern) => pattern.test(plain))
  return rank < 0 ? undefined : rank
}

/** The address in a spreadsheet's =HYPERLINK("…") or =IMAGE("…"). */
export function formulaAddress(cell: string): string | undefined {
  return /^\s*=\s*(?:HYPERLINK|IMAGE)\s*\(\s*"(https?:\/\/[^"]+)"/i.exec(cell)?.[1]
}
