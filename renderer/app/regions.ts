/** Regions in the order in which F6 visits them. Each is marked with `data-region`. */
function regions(): readonly HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('[data-region]')].filter(
    (region) => region.offsetParent !== null && !region.closest('[inert]'),
  )
}

const focusable =
  'button:not([disabled]):not([tabindex="-1"]),a[href]:not([tabindex="-1"]),input:not([disabled]),textarea,[tabindex="0"]'

/** Moves the focus to the next region (1) or the previous one (-1), to where it was in it last, or to its first control. */
export function moveToRegion(by: 1 | -1): void {
  const all = regions()
  if (all.length === 0) return
  const at = all.findIndex((region) => region.contains(document.activeElement))
  for (let step = 1; step <= all.length; step += 1) {
    const region = all[(at + by * step + all.length * 2) % all.length]
    if (!region) continue
    const target =
      region.querySelector<HTMLElement>('[data-region-focus]') ?? region.querySelector<HTMLElement>(focusable)
    if (!target) continue
    target.focus()
    return
  }
}
