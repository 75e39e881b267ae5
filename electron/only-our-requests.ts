import type { Session } from 'electron'
import { isOurAddress } from './origin.ts'

/**
 * The page loads nothing from the network: pictures come by the program's own protocol, the service is spoken to by the
 * engine. So every other request is stopped here as well, should the content policy ever have a hole.
 * @param devTools also let the developer tools load themselves
 */
export function onlyOurRequests(session: Pick<Session, 'webRequest'>, devTools: boolean): void {
  session.webRequest.onBeforeRequest(({ url }, answer) => {
    const own = isOurAddress(url) || url.startsWith('blob:vitrine://app/')
    answer({ cancel: !own && !(devTools && url.startsWith('devtools://')) })
  })
}
