import type { Page } from 'playwright-core'

/** Runs in the page: every text that is too faint for what lies behind it. */
const measure = `(() => {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 1
  const brush = canvas.getContext('2d', { willReadFrequently: true })
  const known = new Map()
  const rgba = (color) => {
    const found = known.get(color)
    if (found) return found
    brush.clearRect(0, 0, 1, 1)
    brush.fillStyle = color
    brush.fillRect(0, 0, 1, 1)
    const [r, g, b, a] = brush.getImageData(0, 0, 1, 1).data
    known.set(color, [r, g, b, a / 255])
    return known.get(color)
  }
  const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a)]
  const light = (color) => color
    .map((one) => one / 255)
    .map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
    .reduce((sum, one, at) => sum + one * [0.2126, 0.7152, 0.0722][at], 0)
  const ratio = (a, b) => {
    const [least, most] = [light(a), light(b)].sort((x, y) => x - y)
    return (most + 0.05) / (least + 0.05)
  }
  // Left out: disabled things, what lies under a sheet, and labels that lie on pictures.
  const passed = '[disabled],[data-disabled],[aria-disabled=true],.na-dim,[inert],.badge,.pane-label,.pic,canvas,.prev-badge,.late,option,.old'
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const faint = []
  let count = 0
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement
    if (!element || node.data.trim() === '' || element.closest(passed) || element.closest('[aria-hidden=true] [aria-hidden=true]')) continue
    if (element.closest('.num')?.querySelector('input:disabled')) continue
    if (element.closest('.hidden-text') || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
    const box = element.getBoundingClientRect()
    if (box.width < 2 || box.height < 2) continue
    const chain = []
    for (let at = element; at; at = at.parentElement) chain.unshift(at)
    let behind = [255, 255, 255]
    let see = 1
    let isPicture = false
    for (const at of chain) {
      const style = getComputedStyle(at)
      if (style.backgroundImage !== 'none') isPicture = true
      see *= Number(style.opacity)
      behind = over(rgba(style.backgroundColor), behind)
    }
    if (isPicture) continue
    const style = getComputedStyle(element)
    const [r, g, b, a] = rgba(style.color)
    const size = parseFloat(style.fontSize)
    const least = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5
    const got = ratio(over([r, g, b, a * see], behind), behind)
    count += 1
    if (got < least - 0.005) faint.push(got.toFixed(2) + ' ' + node.data.trim().slice(0, 40) + ' <' + element.className + '>')
  }
  return { count, faint }
})()`

/** How many texts were measured, and those under 4.5 to 1 (3 to 1 where they are large). */
export async function faintTexts(
  page: Page,
): Promise<{ readonly count: number; readonly faint: readonly string[] }> {
  return (await page.evaluate(measure)) as { count: number; faint: string[] }
}
