/** The page comes from a protocol of our own, never from `file:`, so that it has an origin to be told apart by. */
export const scheme = 'vitrine'
const host = 'app'
export const origin = `${scheme}://${host}`
export const pageAddress = `${origin}/index.html`

/** True for an address of ours and no look-alike: exact scheme and host, no port, no name before an @. */
export function isOurAddress(address: string): boolean {
  const url = URL.parse(address)
  return (
    url !== null &&
    url.protocol === `${scheme}:` &&
    url.host === host &&
    url.username === '' &&
    url.password === ''
  )
}
