import type { PublishedFolder } from '../../shared/own-files.ts'
import type { Clock } from '../clock.ts'
import { displayText } from '../intake/display-text.ts'
import { gather } from '../intake/gather.ts'
import type { DownloadTransport } from '../service/download-transport.ts'
import { createDownloads } from '../service/undici-downloads.ts'
import { mediaTypeOf } from './picture-formats.ts'
import { lookAtPublished, publishedLinkOf } from './published-folder.ts'
import { say } from '../../shared/language/say.ts'

/** Looks whether the first picture of a published folder is really to be had under its address. */
export async function lookAtFolder(
  published: PublishedFolder,
  parts: { readonly clock: Clock; readonly downloads?: DownloadTransport | undefined },
): Promise<{ readonly ok: boolean; readonly sentence: string }> {
  const { localPictures } = await gather([{ kind: 'path', path: published.folder }])
  const first = localPictures.find(({ path }) => mediaTypeOf(path) !== undefined)
  const folder = displayText(published.folder, 300)
  const link = first && (await publishedLinkOf(published, first.path))
  if (!first || link === undefined) {
    return { ok: false, sentence: say`${folder} holds no picture that could be looked for; put one there.` }
  }
  const own = parts.downloads ? undefined : createDownloads({ baseUrl: published.address })
  try {
    const wrong = await lookAtPublished(link, first.path, {
      clock: parts.clock,
      downloads: parts.downloads ?? own!,
    })
    return wrong === undefined
      ? { ok: true, sentence: say`The folder is published: ${displayText(link, 500)} is its first picture.` }
      : { ok: false, sentence: say`${displayText(link, 500)}: ${wrong}` }
  } finally {
    await own?.close()
  }
}
