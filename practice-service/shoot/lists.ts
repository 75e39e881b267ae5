import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { binaryPlist } from './binary-plist.ts'
import { shootPictures } from './pictures.ts'

interface ListedPicture {
  readonly url: string
  /** File name without its extension. */
  readonly stem: string
  /** Article number: the part of the name before the dash. */
  readonly sku: string
}

/** Writes pictures in one format; returns file names and their content. */
type ListFormat = (pictures: readonly ListedPicture[]) => Readonly<Record<string, string | Buffer>>

/** Every format a photographer's folder may come in. */
const formats: readonly ListFormat[] = [
  (pictures) => ({ 'pictures.txt': `# From the studio server\n\n${lines(pictures.map(({ url }) => url))}` }),
  (pictures) => ({
    'articles.csv': lines(['SKU,Title,Image URL', ...pictures.map(({ sku, stem, url }) => `${sku},"${stem}, retouch",${url}`)]),
  }),
  (pictures) => ({
    'articles.tsv': lines(['sku\timage_url', ...pictures.map(({ sku, url }) => `${sku}\t${url}`)]),
  }),
  (pictures) => ({ 'pictures.json': JSON.stringify({ images: pictures.map(({ sku, url }) => ({ sku, url })) }, null, 2) }),
  (pictures) => ({ 'pictures.jsonl': lines(pictures.map(({ sku, url }) => JSON.stringify({ sku, image: url }))) }),
  (pictures) => perPicture(pictures, 'url', ({ url }) => `[InternetShortcut]\r\nURL=${url}\r\n`),
  (pictures) => perPicture(pictures, 'webloc', ({ url }) => xmlPlist(url)),
  (pictures) => perPicture(pictures, 'webloc', ({ url }) => binaryPlist('URL', url)),
  (pictures) =>
    perPicture(pictures, 'desktop', ({ stem, url }) =>
      lines(['[Desktop Entry]', 'Encoding=UTF-8', `Name=${stem}`, 'Type=Link', `URL=${url}`]),
    ),
]

/**
 * Writes a photographer's folder tree of lists and shortcuts to the sample shoot as served by a practice service at
 * `origin`: every picture once, every format at least once. Existing files of those names are replaced. Returns the
 * paths written, relative to the folder.
 */
export async function writeShootLists(folder: string, origin: string): Promise<string[]> {
  const byFolder = new Map<string, ListedPicture[]>()
  for (const { name, path } of shootPictures()) {
    const stem = basename(name, extname(name))
    const pictures = byFolder.get(dirname(name)) ?? []
    byFolder.set(dirname(name), [...pictures, { url: `${origin}${path}`, stem, sku: stem.split('-')[0]! }])
  }
  const written: string[] = []
  let turn = 0
  for (const [place, pictures] of byFolder) {
    const format = formats[turn % formats.length]!
    turn += 1
    await mkdir(join(folder, place), { recursive: true })
    for (const [name, content] of Object.entries(format(pictures))) {
      await writeFile(join(folder, place, name), content)
      written.push(`${place}/${name}`)
    }
  }
  return written
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join('')
}

function perPicture(
  pictures: readonly ListedPicture[],
  extension: string,
  content: (picture: ListedPicture) => string | Buffer,
): Readonly<Record<string, string | Buffer>> {
  return Object.fromEntries(pictures.map((picture) => [`${picture.stem}.${extension}`, content(picture)]))
}

function xmlPlist(url: string): string {
  const escaped = url.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>URL</key>
	<string>${escaped}</string>
</dict>
</plist>
`
}
