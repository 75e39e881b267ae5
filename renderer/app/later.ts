import { lazy, type ComponentType, type LazyExoticComponent } from 'react'

const loads: (() => Promise<unknown>)[] = []

/** A screen that is loaded when it is first shown, or as soon as the page has nothing else to do. */
export function later<P extends object>(
  load: () => Promise<ComponentType<P>>,
): LazyExoticComponent<ComponentType<P>> {
  loads.push(load)
  return lazy(async () => ({ default: await load() }))
}

/** Loads in quiet moments what was left for later, so that opening it takes no time. */
export function loadLater(): void {
  const load = loads.shift()
  if (!load) return
  requestIdleCallback(() => {
    // What cannot be loaded now is asked for again when it is shown.
    load()
      .catch(() => undefined)
      .finally(loadLater)
  })
}
