import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { faintTexts } from './contrast.ts'
import { expectQuiet, openStudio, patience, type Studio } from './studio.ts'
import { tour, tourOptions, type Show } from './tour.ts'

/** Where pictures of the screens go (`npm run screens`); without it none are made. */
const pictures = process.env['VITRINE_SCREENS']
const themes = ['dark', 'light'] as const
const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 700 },
] as const

/** Reaching over the edge of the window, outside of what scrolls sideways. */
const overflow = `[...document.querySelectorAll('main *, aside *, nav *, [role=dialog] *')]
  .filter((one) => one.getBoundingClientRect().width > 0 && one.getBoundingClientRect().right > innerWidth + 1)
  .filter((one) => { for (let at = one.parentElement; at; at = at.parentElement) if (getComputedStyle(at).overflowX !== 'visible') return false; return true })
  .map((one) => one.outerHTML.slice(0, 120))`

test(
  'every screen, in both themes and two sizes: nothing in anybody’s way, no faint text, nothing cut off',
  { timeout: 10 * patience },
  async (test) => {
    const studio = await openStudio(test, tourOptions(pictures === undefined ? 'echo' : 'real'))
    const wrong: string[] = []
    const seen: string[] = []
    let texts = 0
    const show: Show = async (name, { isFixed = false } = {}) => {
      seen.push(name)
      for (const theme of themes) {
        await studio.page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
        for (const size of isFixed ? sizes.slice(0, 1) : sizes) {
          await studio.page.setViewportSize(size)
          if (pictures !== undefined) await picture(studio, `${name}-${theme}-${size.width}`)
          wrong.push(...(await troubles(studio)).map((one) => `${name}, ${theme}, ${size.width}: ${one}`))
          const { count, faint } = await faintTexts(studio.page)
          texts += count
          wrong.push(...faint.map((one) => `${name}, ${theme}, ${size.width}: faint ${one}`))
        }
        await studio.page.setViewportSize(sizes[0])
      }
      // What differs between the themes is contrast, which is measured above in both.
      if (pictures === undefined) wrong.push(...(await violations(studio, name)))
    }
    let broken: unknown
    await tour(studio, show).catch((error: unknown) => (broken = error))
    expect([...new Set(wrong)]).toEqual([])
    if (broken !== undefined) throw broken
    expect(seen.length).toBeGreaterThan(20)
    expect(texts).toBeGreaterThan(2000)
    expectQuiet(studio)
  },
)

async function troubles({ page }: Studio): Promise<readonly string[]> {
  const over = (await page.evaluate(overflow)) as string[]
  return over.map((one) => `over the edge ${one}`)
}

async function violations({ page }: Studio, where: string): Promise<readonly string[]> {
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

/** Writes another place in the page where it names the studio's own, a temporary folder. */
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

async function picture({ page, home }: Studio, name: string) {
  const folder = resolve(pictures!)
  mkdirSync(folder, { recursive: true })
  // Pictures come in their own time.
  await page.waitForFunction('![...document.images].some((one) => !one.complete)')
  await page.evaluate(rename(home, '/home/studio'))
  const shot = await page.screenshot({ animations: 'disabled' })
  await page.evaluate(rename('/home/studio', home))
  await sharp(shot)
    .webp({ quality: 82, effort: 5 })
    .toFile(join(folder, `${name}.webp`))
}
