import type { WebContents } from 'electron'

/** What is used of a page's contents here. */
export type GuardedContents = Pick<WebContents, 'on' | 'setWindowOpenHandler'>

/**
 * Keeps contents where they are: the page is loaded once and never leaves, opens no window and holds no other page.
 * To be called for everything that is created (`web-contents-created`), whoever creates it, before it loads anything.
 */
export function guardContents(contents: GuardedContents): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
  // The first load and a reload are not reported by these events: they are the program's own, not the page's.
  contents.on('will-navigate', (event) => event.preventDefault())
  contents.on('will-frame-navigate', (event) => event.preventDefault())
  contents.on('will-redirect', (event) => event.preventDefault())
  contents.on('will-attach-webview', (event) => event.preventDefault())
}
