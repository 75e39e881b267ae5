import { say } from '../../shared/language/say.ts'

/** What a file's name tells; the content is asked first wherever it is read. */

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

const pictures = words(
  'jpg jpeg jpe jfif png apng gif webp avif heic heif hif tif tiff bmp jp2 jxl psd psb ' +
    'cr2 cr3 crw nef nrw arw sr2 srf dng raf orf rw2 pef srw x3f 3fr fff iiq mef mos erf kdc dcr rwl gpr',
)
const sidecars = words(
  'xmp pp3 dop cos cop cof comask aae on1 thm nksc arp lrcat lrdata lrtemplate lrprev cosessiondb ' +
    'part crdownload download tmp bak swp vitrinepreset ds_store ini db lnk~',
)
const litter = words(
  'thumbs.db ehthumbs.db ehthumbs_vista.db desktop.ini icon\r __macosx $recycle.bin recycler node_modules ' +
    'lost+found @eadir #recycle #snapshot',
)

type Reason = (shown: string) => string
const spreadsheet: Reason = (shown) => say`${shown} is a spreadsheet; save it as CSV and give that.`
const document: Reason = (shown) =>
  say`${shown} is a document; copy the addresses into a plain text file and give that.`
const archive: Reason = (shown) => say`${shown} is an archive; unpack it and give the folder.`
const reasons: Readonly<Record<string, Reason>> = {
  xlsx: spreadsheet,
  xls: spreadsheet,
  xlsm: spreadsheet,
  xlsb: spreadsheet,
  ods: spreadsheet,
  numbers: spreadsheet,
  docx: document,
  doc: document,
  odt: document,
  pages: document,
  rtf: document,
  pdf: document,
  zip: archive,
  rar: archive,
  '7z': archive,
  gz: archive,
  tgz: archive,
  tar: archive,
  lnk: (shown) => say`${shown} is a Windows shortcut to something on this computer; give what it points to.`,
}

/** The end of a name in lower case without the dot, '' where there is none. */
export function extensionOf(name: string): string {
  return /[^/\\]\.([a-z0-9_~]{1,16})$/i.exec(name)?.[1]?.toLowerCase() ?? ''
}

/** Whether a name or an address ends like a picture's; what follows `?` or `#` does not count. */
export function hasPictureExtension(nameOrAddress: string): boolean {
  const path = /^https?:/i.test(nameOrAddress) ? nameOrAddress.replace(/[?#].*$/s, '') : nameOrAddress
  return pictures.has(extensionOf(path))
}

/** What operating systems and programs leave in folders, which nobody means to give; `name` is one path part. */
export function isLitter(name: string): boolean {
  const lower = name.toLowerCase()
  return (
    lower.startsWith('.') ||
    lower.startsWith('~$') ||
    litter.has(lower) ||
    lower === 'system volume information' ||
    sidecars.has(extensionOf(lower))
  )
}

/** Why a file of this name is no list. */
export function whyNotAList(shown: string): string {
  return (
    reasons[extensionOf(shown)]?.(shown) ??
    say`${shown} is not a list Vitrine can read; it reads .txt, .csv, .tsv, .json, .jsonl, .url, .webloc and .desktop files.`
  )
}
