import { realpath, stat } from 'node:fs/promises'
import { relative, sep } from 'node:path'
import type { PublishedFolder } from '../../shared/own-files.ts'
import type { Clock } from '../clock.ts'
import { preflightOne } from '../intake/preflight.ts'
import type { DownloadTransport } from '../service/download-transport.ts'
import { TransportError } from '../service/transport.ts'
import { say } from '../../shared/language/say.ts'

/** The address of a file below a published folder; undefined for one that is not in it. Both paths absolute. */
export function publishedLink({ folder, address }: PublishedFolder, path: string): string | undefined {
  const inside = relative(folder, path)
  const parts = inside.split(sep)
  if (inside === '' || parts[0] === '..' || /^(?:[a-z]:|[\\/])/i.test(inside)) return undefined
  return address + parts.map(encodePart).join('/')
}

/** As `publishedLink`, where links on the way lead into the folder by another name. */
export async function publishedLinkOf(published: PublishedFolder, path: string): Promise<string | undefined> {
  const [folder, file] = await Promise.all([realpath(published.folder), realpath(path)]).catch(() => [])
  const plain = publishedLink(published, path)
  if (plain !== undefined || folder === undefined || file === undefined) return plain
  return publishedLink({ ...published, folder }, file)
}

/** Everything but what never needs an escape (RFC 3986, 2.3): names with %, #, ? or + come out as they are. */
function encodePart(part: string): string {
  return encodeURIComponent(part.replace(/\p{Surrogate}/gu, '\ufffd')).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/**
 * Whether a picture is really there under its address, asked as results are fetched: no key, checked places, redirects
 * followed (link-guard.ts).
 * @returns why a batch must not begin with it, as a sentence; undefined where all is well
 */
export async function lookAtPublished(
  link: string,
  path: string,
  {
    downloads,
    clock,
    signal,
  }: { downloads: DownloadTransport; clock: Clock; signal?: AbortSignal | undefined },
): Promise<string | undefined> {
  let refusal: string | undefined
  const { verdict, sentence, bytes } = await preflightOne(link, {
    clock,
    ...(signal ? { signal } : {}),
    transport: async (url, init) => {
      try {
        return responseOf(await downloads.open(url, { signal: init.signal }))
      } catch (error) {
        if (error instanceof TransportError && error.kind === 'blocked') refusal = error.message
        throw error
      }
    },
  })
  if (refusal !== undefined) return refusal
  if (verdict !== 'image') return sentence
  const here = (await stat(path).catch(() => undefined))?.size
  if (bytes === undefined || here === undefined || bytes === here) return undefined
  return say`The picture there has ${bytes.toLocaleString('en')} bytes and the file here ${here.toLocaleString('en')}: it is another one, or an older one; publish the folder again.`
}

function responseOf({ status, headers, body }: Awaited<ReturnType<DownloadTransport['open']>>): Response {
  const bytes = body[Symbol.asyncIterator]()
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await bytes.next()
      if (next.done) controller.close()
      else controller.enqueue(next.value)
    },
    async cancel() {
      await bytes.return?.()
    },
  })
  // A body is forbidden with these; none of them is a picture.
  const empty = [101, 204, 205, 304].includes(status)
  return new Response(empty ? null : stream, { status: Math.max(200, status), headers: { ...headers } })
}
