import type { StoreApi } from 'zustand/vanilla'
import { readHash, writeHash, type ViewState } from './view.ts'

/** Keeps the page's address and the open screen together, so that Back and a reload do what a person expects. */
export function followAddress(view: StoreApi<ViewState>): void {
  view.subscribe(({ screen }) => {
    const hash = writeHash(screen)
    if (hash !== (location.hash || '#/')) history.pushState(null, '', hash)
  })
  addEventListener('popstate', () => {
    view.setState({ screen: readHash(location.hash) ?? { kind: 'start' }, overlay: undefined })
  })
}
