/// <reference lib="dom" />
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect } from 'vitest'
import { faintTexts } from './contrast.ts'
import { eventually } from './studio.ts'

/** Where pictures of the screens go (`npm run screens`); without it none are made. */
export const pictures = process.env['VITRINE_SCREENS']
const wide = { width: 1440, height: 900 }
const narrow = { width: 1024, height: 700 }
/** Each screen is photographed in both themes and two sizes; it is judged in each theme and in each size. */
const all = [
  { theme: 'dark', size: wide },
  { theme: 'dark', size: narrow },
  { theme: 'light', size: wide },
  { theme: 'light', size: narrow },
] as const
const looks = pictures === undefined ? [all[0], all[3]] : all

/** What a guest is shown: a place in the program, and whether it stays when the window changes its size. */
export type Show = (name: string, about?: { readonly isFixed?: boolean }) => Promise<void>

/** What came of looking at screens. */
export interface Shown {
  readonly show: Show
  /** Names of the screens. */
  readonly seen: string[]
  /** What stood in somebody's way, was faint or cut off. */
  readonly wrong: string[]
  /** Texts whose contrast was measured. */
  readonly texts: () => number
}

/** @param home is written as another place in the pictures: a temporary folder of the test. */
export function showing(place: { readonly page: Page; readonly home: string }): Shown {
  const wrong: string[] = []
  const seen: string[] = []
  let texts = 0
  const show: Show = async (name, { isFixed = false } = {}) => {
    const { page } = place
    seen.push(name)
    const fixed = all.filter((look) => look.size === wide)
    for (const { theme, size } of isFixed ? fixed : looks) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
      await page.setViewportSize(size)
      const where = `${name}, ${theme}, ${size.width}`
      if (pictures !== undefined) await picture(place, `${name}-${theme}-${size.width}`)
      wrong.push(...(await stays(() => badlyPlaced(page))).map((one) => `${where}: ${one}`))
      const { count, faint } = await faintTexts(page)
      texts += count
      wrong.push(...faint.map((one) => `${where}: faint ${one}`))
      await page.setViewportSize(wide)
    }
    // What differs between the themes is contrast, which is measured above in both.
    if (pictures === undefined) wrong.push(...(await violations(page, name)))
  }
  return { show, seen, wrong, texts: () => texts }
}

/** Reaching over the edge of the window, outside of what scrolls sideways. */
const overflow = `[...document.querySelectorAll('main *, aside *, nav *, [role=dialog] *')]
  .filter((one) => one.getBoundingClientRect().width > 0 && one.getBoundingClientRect().right > innerWidth + 1)
  .filter((one) => { for (let at = one.parentElement; at; at = at.parentElement) if (getComputedStyle(at).overflowX !== 'visible') return false; return true })
  .map((one) => one.outerHTML.slice(0, 120))`

/** What is still wrong after a while: a window whose size has just changed is laid out once more. */
async function stays(look: () => Promise<readonly string[]>): Promise<readonly string[]> {
  let found = await look()
  for (let tries = 0; found.length > 0 && tries < 40; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    found = await look()
  }
  return found
}

/**
 * What is written on a control and cut off by it, or by what holds it. Names, addresses and figures of pictures and
 * batches may be shortened: an ellipsis and a title say so.
 */
const clipped = `(() => {
  const found = []
  for (const control of document.querySelectorAll('button, [role=tab], [role=radio], [role=menuitem], label, h1, h2, h3, th, dt')) {
    const walker = document.createTreeWalker(control, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.data.trim() === '') continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const text = range.getBoundingClientRect()
      if (text.width === 0) continue
      for (let at = node.parentElement; at && at !== document.body; at = at.parentElement) {
        const style = getComputedStyle(at)
        if (style.textOverflow === 'ellipsis') break
        if (style.overflowX === 'visible' || style.overflowX === 'auto' || style.overflowX === 'scroll') continue
        const box = at.getBoundingClientRect()
        if (box.width <= 1) break
        if (text.right > box.right + 1 || text.left < box.left - 1) found.push(node.data + ' in ' + at.className)
        break
      }
    }
  }
  return found
})()`

/** Controls with others over one of their ends: what is too wide for its place lies on its neighbour. */
const covered = `(() => {
  const holder = (one) => {
    for (let at = one.parentElement; at; at = at.parentElement) {
      const style = getComputedStyle(at)
      if (/auto|scroll/.test(style.overflow) || /sticky|absolute|fixed/.test(style.position)) return at
    }
    return null
  }
  const layers = document.querySelectorAll('.compare, [role=dialog]')
  const top = layers[layers.length - 1] ?? document
  const controls = 'button, [role=tab], .seg-o, a[href], input'
  return [...top.querySelectorAll(controls)].flatMap((control) => {
    const box = control.getBoundingClientRect()
    if (box.width < 8 || box.height < 8) return []
    return [box.left + 3, box.right - 3].flatMap((x) => {
      const there = document.elementFromPoint(x, box.top + box.height / 2)?.closest(controls)
      if (!there || there === control || there.contains(control) || control.contains(there)) return []
      // What is scrolled away lies under anything, and what floats over a list is meant to.
      if (holder(there) !== holder(control)) return []
      return [control.textContent + ' lies under ' + there.textContent + ' ' + there.outerHTML.slice(0, 80)]
    })
  })
})()`

async function badlyPlaced(page: Page): Promise<readonly string[]> {
  const over = (await page.evaluate(overflow)) as string[]
  const cut = (await page.evaluate(clipped)) as string[]
  const under = (await page.evaluate(covered)) as string[]
  return [
    ...over.map((one) => `over the edge ${one}`),
    ...cut.map((one) => `cut off: ${one}`),
    ...under.map((one) => `covered: ${one}`),
  ]
}

async function violations(page: Page, where: string): Promise<readonly string[]> {
  const axe = new AxeBuilder({ page })
  // What lies under a sheet is hidden from everybody, the page's one heading and its main part as well.
  if ((await page.locator('[role=dialog]').count()) > 0) {
    axe.disableRules(['landmark-one-main', 'page-has-heading-one'])
  }
  const result = await axe.analyze()
  return result.violations.map(
    ({ id, nodes }) => `${where}: ${id} ${nodes.map(({ html }) => html.slice(0, 160)).join(' ')}`,
  )
}

/** Writes another place in the page where it names the test's own, a temporary folder. */
const rename = (from: string, to: string) => `(() => {
  const [from, to] = ${JSON.stringify([from, to])}
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.data.includes(from)) node.data = node.data.replace(from, to)
  }
  for (const field of document.querySelectorAll('input')) {
    if (field.value.includes(from)) field.value = field.value.replace(from, to)
  }
})()`

/**
 * Pictures come in their own time; so do settings, previews and levels. What an image waits for on its way through the
 * queue is no part of it.
 */
const unsettled = `[
  ...[...document.images].filter((one) => !one.complete),
  ...document.querySelectorAll('.insp-loading, .prev.live .skel, .zoom-figure.f3:not(:empty), .prev.live[data-stamp] canvas:not([data-drawn=finely])'),
].map((one) => one.outerHTML.slice(0, 160))`

async function picture({ page, home }: { readonly page: Page; readonly home: string }, name: string) {
  const folder = resolve(pictures!)
  mkdirSync(folder, { recursive: true })
  await eventually(async () => expect(await page.evaluate(unsettled)).toEqual([]))
  await page.evaluate(rename(home, '/home/studio'))
  const shot = await page.screenshot({ animations: 'disabled' })
  await page.evaluate(rename('/home/studio', home))
  await sharp(shot)
    .webp({ quality: 82, effort: 5 })
    .toFile(join(folder, `${name}.webp`))
}
