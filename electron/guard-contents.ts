import type { WebContents } from 'electron'

/** What is used of a page's contents here. */
export type GuardedContents = Pick<WebContents, 'on' | 'setWindowOpenHandler' | 'getURL'>

/**
 * Keeps contents where they are: the page never leaves, opens no window and holds no other page. It may only load itself
 * anew, as it does to speak another language.
 * To be called for everything that is created (`web-contents-created`), whoever creates it, before it loads anything.
 */
export function guardContents(contents: GuardedContents): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
  // The program's own loads are not reported by these events, only the page's.
  contents.on('will-navigate', (event) => {
    if (!isItself(contents, event.url)) event.preventDefault()
  })
  contents.on('will-frame-navigate', (event) => {
    if (!event.isMainFrame || !isItself(contents, event.url)) event.preventDefault()
  })
  contents.on('will-redirect', (event) => event.preventDefault())
  contents.on('will-attach-webview', (event) => event.preventDefault())
}

/** Whether an address is the one that is shown, to the letter but for what follows `#`. */
function isItself(contents: Pick<WebContents, 'getURL'>, address: string): boolean {
  const own = withoutHash(contents.getURL())
  return own !== '' && withoutHash(address) === own
}

function withoutHash(address: string): string {
  return address.replace(/#.*$/s, '')
}
