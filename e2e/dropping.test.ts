import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  addresses,
  connect,
  drop,
  dropText,
  giveKeyAgain,
  images,
  paste,
  standing,
  start,
  startButton,
  untilFinished,
} from './person.ts'
import { expectQuiet, openStudio } from './studio.ts'

test('a folder with lists in every format, shortcuts, bad lines and litter; nothing is sent before Start', async (test) => {
  const studio = await openStudio(test)
  const { page, service } = studio
  await connect(studio)
  const [one, two, three, four, five, six] = addresses(studio, 6) as [
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  const shoot = studio.folder('Autumn')
  mkdirSync(join(shoot, 'Rings', 'Gold'), { recursive: true })
  writeFileSync(
    join(shoot, 'Rings', 'list.txt'),
    [`# from the studio`, one, 'R1187, , 2 pcs', two, one].join('\r\n'),
  )
  writeFileSync(join(shoot, 'Rings', 'Gold', 'more.csv'), `sku;image_url\nG-7;${three}\n`)
  writeFileSync(join(shoot, 'pieces.json'), JSON.stringify([{ name: 'pearl', image: four }]))
  writeFileSync(join(shoot, 'hoop.url'), `[InternetShortcut]\r\nURL=${five}\r\n`)
  const plist = `<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict><key>URL</key><string>${six}</string></dict></plist>`
  writeFileSync(join(shoot, 'cuff.webloc'), plist)
  writeFileSync(join(shoot, '.DS_Store'), 'litter')
  writeFileSync(join(shoot, 'Thumbs.db'), 'litter')

  await drop(page, shoot)
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('heading', { name: /^6 images found/ }).waitFor()
  await sheet.getByText('1 duplicate skipped').waitFor()
  const problems = sheet.getByRole('region', { name: 'Problems' })
  const said = await problems.textContent()
  expect(said).toContain('1 line could not be read')
  expect(said).toContain('list.txt')
  expect(said).toContain('Line 3')
  expect(said).toContain('R1187, , 2 pcs')
  expect(await sheet.textContent()).not.toMatch(/DS_Store|Thumbs/)
  expect(service.books().requests.submit.count).toBe(0)

  await start(page)
  await untilFinished(page)
  expect(await images(page, /Done/).count()).toBe(6)
  expect(studio.charges()).toEqual(
    Object.fromEntries([one, two, three, four, five, six].map((url) => [url, 1])),
  )
  // A column with a number of the piece names its output; folders stay folders.
  expect(studio.files('Pictures')).toContainEqual(expect.stringMatching(/Rings\/Gold\/G-7\.\w+$/))
  expectQuiet(studio)
})

test('text is dropped, text is pasted with the keyboard, and both only open the review sheet', async (test) => {
  const studio = await openStudio(test)
  const { page, service } = studio
  await connect(studio)
  const [one, two, three] = addresses(studio, 3) as [string, string, string]
  await dropText(page, `The two for tomorrow: ${one} and ${two}.`)
  await page.getByRole('heading', { name: /^2 images found/ }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  await studio.context.grantPermissions(['clipboard-read', 'clipboard-write']).catch(() => undefined)
  await page.evaluate(async (text) => {
    const { navigator } = globalThis as unknown as {
      navigator: { clipboard: { writeText: (text: string) => Promise<void> } }
    }
    await navigator.clipboard.writeText(text)
  }, `${two}\n${three}`)
  await page.keyboard.press('ControlOrMeta+v')
  await page.getByRole('heading', { name: /^2 images found/ }).waitFor()
  expect(service.books().requests.submit.count).toBe(0)
  await startButton(page).click()
  await untilFinished(page)
  expect(studio.charges()).toEqual({ [two]: 1, [three]: 1 })
  expectQuiet(studio)
})

test('what cannot be read is said, and nothing else happens', async (test) => {
  const studio = await openStudio(test)
  const { page, service } = studio
  await connect(studio)
  const shoot = studio.folder('Camera')
  writeFileSync(join(shoot, 'IMG_0001.jpg'), Buffer.from('ffd8ffe000104a464946', 'hex'))
  writeFileSync(join(shoot, 'notes.txt'), 'call the jeweller\n')
  await drop(page, shoot)
  const sheet = page.getByRole('dialog')
  await sheet.getByText('1 picture on this computer').waitFor()
  await sheet.getByText(/^notes\.txt is text without an image address/).waitFor()
  // By the names that a person knows, wherever a shell has put them.
  await sheet
    .getByText(/^No image address was found in Camera\. Camera\/IMG_0001\.jpg cannot be sent/)
    .waitFor()
  expect(await startButton(page).count()).toBe(0)
  await sheet.getByRole('button', { name: 'Close' }).last().click()
  await sheet.waitFor({ state: 'detached' })
  expect(service.books().requests.submit.count).toBe(0)
  expectQuiet(studio)
})

test('three first, then a go: the rest is held until a person has looked, also over a restart', async (test) => {
  const studio = await openStudio(test)
  const { service } = studio
  let { page } = studio
  await connect(studio)
  await paste(page, addresses(studio, 5))
  await page.getByText('3 first, then wait for my go').click()
  await start(page)
  await standing(page, /^Looks right\?$/).waitFor()
  expect(service.books().runs).toHaveLength(3)

  await studio.quit()
  page = await studio.start()
  await giveKeyAgain(studio)
  await page.getByRole('link', { name: /^Batch of/ }).click()
  await images(page, /Held/).first().waitFor()
  expect(await images(page, /Held/).count()).toBe(2)
  await page.getByRole('button', { name: /^Send the other 2/ }).click()
  await untilFinished(page)
  expect(await images(page, /Done/).count()).toBe(5)
  expect(service.books().runs).toHaveLength(5)
})
