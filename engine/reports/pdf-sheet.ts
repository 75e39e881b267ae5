import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type PDFDocument from 'pdfkit'
import { plainText } from '../../shared/plain-text.ts'
import { reportImages, type ReportImage } from './batch-report.ts'
import type { SheetParts } from './contact-sheet.ts'
import { linesOf, type Measures } from './pdf-text.ts'
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

type Pdf = InstanceType<typeof PDFDocument>
type Pictures = readonly { readonly label: string; readonly bytes: Uint8Array | undefined }[]

/** Points; 72 are an inch. A4, which prints on Letter with wider borders above and below. */
const page = { width: 595.28, height: 841.89, margin: 36 }
const gap = 12
const cell = { label: 10, pad: 6 }
/** Room for words: with a pair two by three cells fill a page, without one three by three. */
const captions = { pair: 78, single: 54 }
const ink = { strong: '#111111', weak: '#444444', error: '#a00000', line: '#bbbbbb', ground: '#dddddd' }

/** What is drawn at one place of a page. */
interface Frame {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/**
 * A batch as a PDF for paper and mail: six images a page with before and after, settings, run, credits and marks. The
 * font is in it, so that it looks the same everywhere; nothing in it can be pressed, run or fetched. `picture` has to give JPEG.
 * @param most images that are shown; the others are counted
 */
export async function* pdfSheet(parts: SheetParts, most = mostPictures): AsyncGenerator<Uint8Array> {
  const sheet = await PdfSheet.open(parts)
  for await (const images of reportImages(parts.store, parts.batch)) {
    for (const image of images) {
      if (sheet.shown < most) sheet.add(image, await picturesOf(parts, image))
      else sheet.left += 1
      yield* sheet.written()
    }
  }
  yield* await sheet.end()
}

async function picturesOf({ picture, before }: SheetParts, image: ReportImage): Promise<Pictures> {
  const [primary] = image.outputs
  const [source, output] = await Promise.all([
    before ? picture(image.id, 'source') : undefined,
    primary ? picture(image.id, primary.slug) : undefined,
  ])
  return [...(before ? [{ label: t`Before`, bytes: source }] : []), { label: t`After`, bytes: output }]
}

class PdfSheet {
  shown = 0
  /** Images that the sheet has no room for. */
  left = 0
  readonly #pdf: Pdf
  readonly #parts: SheetParts
  readonly #columns: number
  readonly #chunks: Uint8Array[] = []
  readonly #ended: Promise<void>
  #pages = 0
  /** Upper edge of the cells on this page, and how many it has. */
  #top = 0
  #cells = 0

  static async open(parts: SheetParts): Promise<PdfSheet> {
    const { default: Document } = await import('pdfkit')
    const [plain, bold] = await Promise.all(
      ['DejaVuSans', 'DejaVuSans-Bold'].map(
        async (name) =>
          await readFile(fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`))),
      ),
    )
    const title = plainText(parts.title, 300)
    const info = { Title: title, Producer: 'Vitrine', Creator: 'Vitrine', CreationDate: new Date(parts.now) }
    const pdf = new Document({
      size: 'A4',
      margin: 0,
      autoFirstPage: false,
      // Without it pdfkit would read a font of its own, which is not packed.
      font: plain as unknown as string,
      lang: sheetLanguage(),
      displayTitle: true,
      info,
    })
    pdf.registerFont('plain', plain)
    pdf.registerFont('bold', bold)
    return new PdfSheet(pdf, parts)
  }

  private constructor(pdf: Pdf, parts: SheetParts) {
    this.#pdf = pdf
    this.#parts = parts
    this.#columns = parts.before ? 2 : 3
    pdf.on('data', (chunk: Uint8Array) => void this.#chunks.push(chunk))
    this.#ended = new Promise((resolve, reject) => void pdf.on('end', resolve).on('error', reject))
    this.#addPage()
  }

  /** What has been written since it was last asked. */
  written(): Uint8Array[] {
    return this.#chunks.splice(0)
  }

  add(image: ReportImage, pictures: Pictures): void {
    this.shown += 1
    const width = (page.width - 2 * page.margin - (this.#columns - 1) * gap) / this.#columns
    const side = (width - 2 * cell.pad - (pictures.length - 1) * cell.pad) / pictures.length
    const words = this.#parts.before ? captions.pair : captions.single
    const height = 2 * cell.pad + side + cell.label + words
    const rows = Math.max(1, Math.floor((this.#bottom - this.#top + gap) / (height + gap)))
    if (this.#cells === rows * this.#columns) this.#addPage()
    const [row, column] = [Math.floor(this.#cells / this.#columns), this.#cells % this.#columns]
    this.#cells += 1
    const x = page.margin + column * (width + gap)
    const y = this.#top + row * (height + gap)
    this.#pdf.roundedRect(x, y, width, height, 3).lineWidth(0.5).stroke(ink.line)
    for (const [at, { label, bytes }] of pictures.entries()) {
      const left = x + cell.pad + at * (side + cell.pad)
      this.#picture(bytes, { x: left, y: y + cell.pad, width: side, height: side })
      this.#centred(label, { x: left, y: y + cell.pad + side + 1, width: side, height: cell.label })
    }
    const below = {
      x: x + cell.pad,
      y: y + cell.pad + side + cell.label + 4,
      width: width - 2 * cell.pad,
      height: words - 4,
    }
    this.#captions(image, below)
  }

  /** The last chunks. */
  async end(): Promise<Uint8Array[]> {
    if (this.left > 0) {
      this.#addPage()
      this.#line(leftOver(this.left), page.margin, this.#top, 10)
    }
    this.#pdf.end()
    await this.#ended
    return this.written()
  }

  get #bottom(): number {
    return page.height - page.margin - 14
  }

  #addPage(): void {
    const { store, batch, title, now } = this.#parts
    this.#pdf.addPage()
    this.#pages += 1
    this.#cells = 0
    this.#top = page.margin
    const width = page.width - 2 * page.margin
    const foot = page.height - page.margin - 8
    this.#say(title, { size: 7, color: ink.weak, most: 1 }, page.margin, foot, width - 80)
    const number = t`Page ${this.#pages}`
    this.#line(number, page.width - page.margin - this.#width(number, 7), foot, 7)
    if (this.#pages > 1) return
    this.#top = this.#say(title, { size: 16, bold: true, most: 2 }, page.margin, this.#top, width)
    const facts = batchFacts(store, batch, now).join(' · ')
    this.#top = this.#say(facts, { size: 9, color: ink.weak, most: 2 }, page.margin, this.#top + 2, width) + 8
  }

  #captions(image: ReportImage, { x, y, width, height }: Frame): void {
    const end = y + height
    const small = { size: 6.5, color: ink.weak }
    let at = this.#say(nameLine(image), { size: 8.5, bold: true, most: 1 }, x, y, width)
    at = this.#say(outcomeLine(image), { size: 7.5, most: 1 }, x, at, width)
    at = this.#say(errorLine(image), { size: 7, color: ink.error, most: 2 }, x, at, width)
    // The run's id stands in full even where the settings are many.
    const room = Math.floor((end - at - 9) / 8)
    at = this.#say(settingsLine(image), { ...small, most: Math.max(1, Math.min(4, room)) }, x, at, width)
    this.#say(image.runId, { ...small, most: 1 }, x, at, width)
  }

  #picture(bytes: Uint8Array | undefined, frame: Frame): void {
    const { x, y, width, height } = frame
    this.#pdf.rect(x, y, width, height).fill(ink.ground)
    try {
      if (bytes) {
        const options = {
          fit: [width, height] as [number, number],
          align: 'center',
          valign: 'center',
        } as const
        this.#pdf.image(Buffer.from(bytes), x, y, options)
        return
      }
    } catch {
      // A picture that the library does not understand is one that cannot be had.
    }
    this.#centred(t`no picture`, { ...frame, y: y + height / 2 - 5 })
  }

  #centred(text: string, { x, y, width }: Frame): void {
    this.#line(text, x + (width - this.#width(text, 7)) / 2, y, 7)
  }

  #line(text: string, x: number, y: number, size: number): void {
    this.#say(text, { size, color: ink.weak, most: 1 }, x, y, page.width)
  }

  #width(text: string, size: number): number {
    return this.#pdf.font('plain').fontSize(size).widthOfString(text)
  }

  /** Draws lines. @returns where the next ones begin */
  #say(
    text: string,
    look: { size: number; bold?: boolean; color?: string; most: number },
    x: number,
    y: number,
    width: number,
  ): number {
    const pdf = this.#pdf.font(look.bold ? 'bold' : 'plain').fontSize(look.size)
    const height = look.size * 1.22
    const lines = linesOf(text, width, look.most, measuresOf(pdf))
    for (const [at, line] of lines.entries()) {
      pdf.fillColor(look.color ?? ink.strong).text(line, x, y + at * height, { lineBreak: false })
    }
    return y + lines.length * height
  }
}

function measuresOf(pdf: Pdf): Measures {
  // What pdfkit keeps of the font in use; its types leave it out.
  const { font } = (
    pdf as unknown as { _font: { font: { hasGlyphForCodePoint: (codePoint: number) => boolean } } }
  )._font
  return {
    has: (codePoint) => font.hasGlyphForCodePoint(codePoint),
    width: (text) => pdf.widthOfString(text),
  }
}
