import type { StoreApi } from 'zustand/vanilla'
import { readAddress, writeAddress, type ViewState } from './view.ts'

/** Keeps the page's address and what is open together, so that Back and a reload do what a person expects. */
export function followAddress(view: StoreApi<ViewState>): void {
  view.subscribe((now, before) => {
    const address = writeAddress(now)
    if (address === (location.hash || '#/')) return
    // Going through a batch in the compare view is one step of Back, not one for each picture.
    const isOnward = now.overlay?.kind === 'compare' && before.overlay?.kind === 'compare'
    if (isOnward) history.replaceState(null, '', address)
    else history.pushState(null, '', address)
  })
  addEventListener('popstate', () => view.setState(readAddress(location.hash)))
}
