import { plainText } from '../../shared/plain-text.ts'
import type { Batch } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import { reportImages, type ReportImage } from './batch-report.ts'
import { sheetStyle } from './sheet-style.ts'
import {
  batchFacts,
  errorLine,
  leftOver,
  mostPictures,
  nameLine,
  outcomeLine,
  settingsLine,
  sheetLanguage,
} from './sheet-words.ts'
import { t } from '../../shared/language/text.ts'

/** Small pictures made at a time. */
const atATime = 8

/** The bytes of a small picture; undefined where it cannot be had. `which` is `source` or the slug of an output. */
export type SmallPicture = (image: number, which: string) => Promise<Uint8Array | undefined>

export interface SheetParts {
  readonly store: Store
  readonly batch: Batch
  /** What a person calls the batch. */
  readonly title: string
  /** Milliseconds since the epoch. */
  readonly now: number
  /** WebP for a page, JPEG for paper. */
  readonly picture: SmallPicture
  /** False to leave the sources out, which have to be fetched from the web. */
  readonly before: boolean
}

/**
 * A batch as one HTML page with everything in it: no script, nothing is fetched, it opens anywhere and prints well. Every
 * word in it is escaped.
 */
export async function* contactSheet(parts: SheetParts): AsyncGenerator<string> {
  const { store, batch } = parts
  yield head(parts)
  let shown = 0
  let left = 0
  for await (const images of reportImages(store, batch)) {
    const wanted = images.slice(0, Math.max(0, mostPictures - shown))
    shown += wanted.length
    left += images.length - wanted.length
    for (let at = 0; at < wanted.length; at += atATime) {
      const figures = wanted.slice(at, at + atATime).map(async (image) => await figureOf(parts, image))
      yield (await Promise.all(figures)).join('')
    }
  }
  const rest = left === 0 ? '' : `<p>${escapeHtml(leftOver(left))}</p>`
  yield `</main>${rest}</body></html>\n`
}

/** Text that means itself, wherever in the page it stands. */
export function escapeHtml(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  }
  return plainText(text, 4000).replace(/[&<>"']/g, (character) => entities[character]!)
}

function head({ store, batch, title, now }: SheetParts): string {
  const facts = batchFacts(store, batch, now)
  return (
    `<!doctype html><html lang="${sheetLanguage()}"><head><meta charset="utf-8">` +
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">` +
    `<meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title>` +
    `<style>${sheetStyle}</style></head><body><header><h1>${escapeHtml(title)}</h1>` +
    `<p>${escapeHtml(facts.join(' · '))}</p></header><main>\n`
  )
}

async function figureOf({ picture, before }: SheetParts, image: ReportImage): Promise<string> {
  const [primary] = image.outputs
  const pictures = await Promise.all([
    before ? picture(image.id, 'source') : undefined,
    primary ? picture(image.id, primary.slug) : undefined,
  ])
  const frames = pictures.flatMap((bytes, index) =>
    index === 0 && !before
      ? []
      : [frameOf(bytes, index === 0 ? beforeOf(image.title) : afterOf(image.title))],
  )
  return (
    `<figure><div class="pair">${frames.join('')}</div><figcaption>` +
    `<b>${escapeHtml(nameLine(image))}</b>` +
    `<span>${escapeHtml(outcomeLine(image))}</span>` +
    (image.error === '' ? '' : `<span class="error">${escapeHtml(errorLine(image))}</span>`) +
    `<small>${escapeHtml(settingsLine(image))}</small>` +
    (image.runId === '' ? '' : `<small>${escapeHtml(image.runId)}</small>`) +
    `</figcaption></figure>\n`
  )
}

interface FrameWords {
  readonly label: string
  /** For who does not see the picture. */
  readonly alt: string
}

const beforeOf = (title: string): FrameWords => ({ label: t`Before`, alt: t`${title}, before` })
const afterOf = (title: string): FrameWords => ({ label: t`After`, alt: t`${title}, after` })

function frameOf(bytes: Uint8Array | undefined, { label, alt }: FrameWords): string {
  const what = bytes
    ? `<img alt="${escapeHtml(alt)}" src="data:image/webp;base64,${Buffer.from(bytes).toString('base64')}">`
    : `<span class="none">${escapeHtml(t`no picture`)}</span>`
  return `<div>${what}<i>${escapeHtml(label)}</i></div>`
}
