import type { CustomScheme } from 'electron'
import type { PageFiles } from '../engine/page-files.ts'
import { pageHeaders } from '../shared/page-headers.ts'
import { isOurAddress, scheme } from './origin.ts'

/** To be registered before the program is ready: an origin of its own, and never a way around the content policy. */
export const schemes: CustomScheme[] = [
  {
    scheme,
    privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true },
  },
]

export interface PageProtocol {
  readonly page: PageFiles
  /** Answers for addresses below `/pictures/` (see shared/contract/pictures.ts), ranges of videos too. */
  readonly pictures: (request: Request) => Promise<Response>
  readonly onFault: (error: unknown) => void
}

/** What the handler of our protocol answers. Never rejects. */
export function answerPage({
  page,
  pictures,
  onFault,
}: PageProtocol): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return plain(405, 'Only GET and HEAD.')
    if (!isOurAddress(request.url)) return plain(404, 'Not here.')
    const { pathname } = new URL(request.url)
    try {
      if (pathname.startsWith('/pictures/')) return guarded(await pictures(request))
      const file = await page.read(pathname)
      if (!file) return plain(404, 'Not here.')
      const headers = { ...pageHeaders, 'Content-Type': file.type, 'Cache-Control': 'no-cache' }
      return new Response(request.method === 'HEAD' ? null : new Uint8Array(file.bytes), { headers })
    } catch (error) {
      onFault(error)
      return plain(500, 'It could not be read.')
    }
  }
}

/** The same answer under the page's own headers. */
function guarded({ status, headers, body }: Response): Response {
  return new Response(body, { status, headers: { ...Object.fromEntries(headers), ...pageHeaders } })
}

function plain(status: number, text: string): Response {
  return new Response(text, { status, headers: { ...pageHeaders, 'Content-Type': 'text/plain' } })
}
