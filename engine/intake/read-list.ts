import { ByteFeed, readAll, streamOf } from './byte-feed.ts'
import { ListReading } from './collector.ts'
import type { Collector } from './collector.ts'
import { decodeBytes, detectEncoding, toUtf8 } from './encoding.ts'
import { extensionOf, whyNotAList } from './file-kinds.ts'
import { htmlAddresses } from './html-links.ts'
import { MAX_JSON, readJsonLines, readJsonList } from './json-list.ts'
import { readLines } from './lines.ts'
import type { Line } from './lines.ts'
import { readBinaryWebloc, readDesktopEntry, readInternetShortcut, readXmlWebloc } from './shortcut.ts'
import type { ShortcutTarget } from './shortcut.ts'
import { HEAD_SIZE, sniff } from './sniff.ts'
import type { FileKind } from './sniff.ts'
import { readTextList } from './text-list.ts'
import { say } from '../../shared/language/say.ts'

/** Where a stream of bytes comes from. */
export interface ListSource {
  /** As a person would name it. */
  readonly shown: string
  /** What a person calls the file, where it is one on a disk; a picture is collected under it. */
  readonly path?: string
  /** Where the file really is. */
  readonly file?: string
  /** The folder that its images are given. */
  readonly folder: string
  /** Whether it was found in a folder instead of being named itself. */
  readonly inFolder: boolean
}

/** A shortcut is a few hundred bytes; in bytes. */
const MAX_SHORTCUT = 1024 * 1024

/** Reads one file, text or stream into the collector. Its bytes are let go of in every case. */
export async function readList(
  bytes: AsyncIterable<Uint8Array>,
  source: ListSource,
  collector: Collector,
): Promise<void> {
  const feed = await ByteFeed.open(bytes, HEAD_SIZE)
  try {
    const kind = sniff(feed.head, source.shown)
    if (!refuse(kind, source, collector)) await readKind(kind, feed, source, collector)
  } finally {
    await feed.close()
  }
}

/** Deals with what is no list; false where it may be one. */
function refuse(kind: FileKind, source: ListSource, collector: Collector): boolean {
  const { shown, path, file = path, folder, inFolder } = source
  if (kind === 'picture' && path !== undefined && file !== undefined)
    collector.localPictures.push({ shown: path, path: file, folder })
  else if (kind === 'picture')
    collector.addProblem(shown, say`${shown} is a picture and not a list of addresses.`)
  else if (kind === 'own-manifest' && inFolder) collector.passedOver++
  else if (kind === 'binary') collector.addProblem(shown, whyNotAList(shown))
  else if (kind === 'rich-text') {
    collector.addProblem(shown, say`${shown} is rich text; save it as plain text and give that.`)
  } else if (kind === 'html' && path !== undefined) {
    collector.addProblem(
      shown,
      say`${shown} is a web page and not a list; copy the addresses into a text file, one a line.`,
    )
  } else if (kind === 'empty') {
    collector.addProblem(shown, say`${shown} is empty; a list has one image address a line.`)
  } else return false
  return true
}

async function readKind(
  kind: FileKind,
  feed: ByteFeed,
  source: ListSource,
  collector: Collector,
): Promise<void> {
  const into = new ListReading(collector, source.shown, source.folder)
  const utf8 = toUtf8(feed.bytes(), detectEncoding(feed.head))
  if (kind === 'json') await readJson(utf8, source, into)
  else if (kind === 'json-lines' || kind === 'own-manifest') {
    await readJsonLines(readLines(utf8), await sampleOf(feed.head), into)
  } else if (kind === 'text') {
    await readTextList(readLines(utf8), await sampleOf(feed.head), extensionOf(source.shown), into)
  } else if (kind === 'html') {
    const text = decodeBytes((await readAll(utf8, MAX_JSON)) ?? feed.head)
    for (const url of htmlAddresses(text)) into.take(url, {})
  } else {
    const raw = await readAll(kind === 'binary-webloc' ? feed.bytes() : utf8, MAX_SHORTCUT)
    const target: ShortcutTarget = raw ? shortcutTarget(kind, raw) : { reason: 'too-large' }
    if ('reason' in target) {
      collector.addProblem(source.shown, leadsNowhere(source.shown, target.reason))
      return
    }
    into.take(target.url, { line: target.line })
  }
  into.finish(source.inFolder)
}

type Reason = Extract<ShortcutTarget, { reason: unknown }>['reason']

function leadsNowhere(shown: string, reason: Reason): string {
  switch (reason) {
    case 'no-address':
      return say`${shown} is a shortcut without an address in it.`
    case 'program':
      return say`${shown} starts a program instead of leading to a picture on the web.`
    case 'other-list':
      return say`${shown} is a property list without an address in it.`
    case 'damaged':
      return say`${shown} is a damaged web location; make the shortcut again.`
    case 'too-large':
      return say`${shown} is far too large for a shortcut.`
  }
}

function shortcutTarget(kind: FileKind, raw: Uint8Array): ShortcutTarget {
  if (kind === 'binary-webloc') return readBinaryWebloc(raw)
  const text = decodeBytes(raw)
  if (kind === 'xml-webloc') return readXmlWebloc(text)
  return kind === 'desktop-entry' ? readDesktopEntry(text) : readInternetShortcut(text)
}

async function readJson(
  utf8: AsyncIterable<Uint8Array>,
  source: ListSource,
  into: ListReading,
): Promise<void> {
  const raw = await readAll(utf8, MAX_JSON)
  if (!raw) {
    const limit = `${(MAX_JSON / 1024 / 1024).toFixed(0)} MB`
    into.bad(
      undefined,
      '',
      say`The JSON is larger than ${limit}; write it as .jsonl, one value a line, which may have any size.`,
    )
    return
  }
  const failed = readJsonList(decodeBytes(raw), into)
  if (!failed) return
  if (extensionOf(source.shown) === 'json') {
    into.bad(
      failed.line,
      '',
      say`This is not valid JSON from here on; check the quotes, commas and brackets before it.`,
    )
    return
  }
  const sample = await sampleOf(raw.subarray(0, HEAD_SIZE))
  await readTextList(readLines(streamOf(raw)), sample, extensionOf(source.shown), into)
}

/** The whole lines at a file's beginning. */
async function sampleOf(head: Uint8Array): Promise<Line[]> {
  const lines: Line[] = []
  for await (const batch of readLines(toUtf8(streamOf(head), detectEncoding(head)))) lines.push(...batch)
  // The last line may be cut.
  if (head.length >= HEAD_SIZE && lines.length > 1) lines.pop()
  return lines.slice(0, 1000)
}
