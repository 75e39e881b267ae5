import type { Page } from 'playwright-core'
import { writeShootLists } from '../practice-service/start.ts'
import {
  choose,
  connect,
  drop,
  images,
  paste,
  standing,
  start,
  startButton,
  untilFinished,
} from './person.ts'
import type { Show } from './showing.ts'
import { eventually, key, patience, type Studio, type StudioOptions } from './studio.ts'

/** Pictures of the tour's shoot that fail, and whose answers are lost. */
const failing = /N2216-top/

/** A studio in which there is something to see on every screen. */
export function tourOptions(work: 'real' | 'echo'): StudioOptions {
  return {
    settleSeconds: 1,
    practice: {
      imageWork: work,
      processing: 0.1,
      concurrency: 4,
      // Some wait here while the service is held.
      maxQueued: 5,
      accounts: [{ key, name: 'studio', subscriptionCredits: 900, otherCredits: 384 }],
      outcome: ({ parameters }) =>
        failing.test(String(parameters['image'])) ? { fail: 'No object found in the image' } : undefined,
    },
  }
}

/** The submission whose answer is lost. */
const lost = 5
/** Pictures are really processed where the tour is photographed. */
const slow = 8 * patience

/** Goes through every screen of the program, from the first run on, and shows each. */
export async function tour(studio: Studio, show: Show) {
  await beginning(studio, show)
  await sending(studio, show)
  await looking(studio, show)
  await pages(studio, show)
  await stopping(studio, show)
}

async function beginning(studio: Studio, show: Show) {
  const { page, service } = studio
  await page.getByText('Where should the retouching happen?').waitFor()
  await show('first-run')
  await page.getByRole('radio', { name: /Connect your account/ }).check()
  await page.getByLabel('Address').fill(service.url)
  await page.getByLabel('API key').fill('not-the-key')
  await page.getByRole('button', { name: 'Check key' }).click()
  await page.getByText(/rejected this key \(401\)/).waitFor()
  await show('key-rejected-at-first-run')
  await connect(studio)
  // What follows the system's theme can be shown in both.
  await page.keyboard.press('ControlOrMeta+,')
  await choose(page, 'Theme', 'System')
  await page.keyboard.press('ControlOrMeta+n')
  await page.getByText('Drop a shoot here').waitFor()
  await show('start')
}

async function sending(studio: Studio, show: Show) {
  const { page, service } = studio
  await page.getByRole('button', { name: /Paste URLs/ }).click()
  await page.getByRole('dialog').waitFor()
  await show('paste')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const shoot = studio.folder('Spring lookbook')
  await writeShootLists(shoot, service.origin)
  await drop(page, shoot)
  await startButton(page).waitFor()
  await page.getByRole('heading', { name: /^24 images found/ }).waitFor()
  await show('review-sheet')
  // One answer is lost while somebody else sends the like of it.
  service.control.addFault({
    on: 'submit',
    nth: lost,
    fault: { kind: 'reset-after' },
    when: ({ body }) => {
      const { app_id: app, parameters } = JSON.parse(body) as {
        app_id: string
        parameters: Record<string, unknown>
      }
      service.control.submitAsStranger('studio', app, parameters)
      return true
    },
  })
  // In the middle the service is held, so that there is something of every state.
  let isHeld = false
  service.control.addFault({
    on: 'submit',
    fault: { kind: 'slow', ms: 0 },
    when: () => {
      if (!isHeld && service.books().runs.some(({ status }) => status === 'FAILED')) {
        isHeld = true
        service.control.hold()
      }
      return false
    },
  })
  await start(page)
  await page.getByRole('button', { name: /^Decide 1/ }).waitFor()
  await eventually(() => {
    const isAtWork = service.books().runs.some(({ status }) => status === 'IN_PROGRESS')
    if (!isHeld || isAtWork) throw new Error('Still at work.')
  }, slow)
  await images(page, /No item found/).waitFor()
  const waiting = images(page, /Waiting/).first()
  await waiting.click()
  await page.getByText('Approximate').first().waitFor()
  await show('running')
  service.control.release()
  await eventually(() => {
    const done = service.books().runs.filter(({ status }) => status === 'SUCCESS' || status === 'FAILED')
    if (done.length < 25) throw new Error('Some are still worked on.')
  }, slow)
  await standing(page, /^Finished$/).waitFor()
  await show('finished')
}

async function looking({ page }: Studio, show: Show) {
  await images(page, /No item found/).click()
  await page.getByRole('tab', { name: 'Details' }).click()
  await page.getByText('No piece was found in the picture').waitFor()
  await show('failed')
  await images(page, /R1201/).click({ button: 'right' })
  await page.getByRole('menu').waitFor()
  await show('menu', { isFixed: true })
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await page.keyboard.press('g')
  await page.getByRole('columnheader', { name: 'Credits' }).waitFor()
  await show('batch-table')
  await page.keyboard.press('g')
  await page.getByRole('button', { name: /^Retry 1 failed/ }).click()
  await page.getByText(/is sent again for/).waitFor()
  await show('retry')
  await escape(page)
  await page.getByRole('button', { name: /^Decide 1/ }).click()
  await page.getByText('Was this picture sent?').waitFor()
  await page.getByRole('radio', { name: /run_/ }).first().waitFor()
  await show('needs-review')
  await escape(page)
  await images(page, /R1201.*Done/).click()
  await page.keyboard.press('c')
  await page.locator('.zoom-figure:not(.f3)', { hasText: '%' }).waitFor()
  await show('compare')
  await page.keyboard.press('Escape')
  await images(page).first().waitFor()
}

async function escape(page: Page) {
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

async function pages({ page }: Studio, show: Show) {
  await page.getByRole('link', { name: /^History/ }).click()
  await page.getByText(/^\d+ runs$/).waitFor()
  await page.getByRole('grid', { name: 'Runs' }).getByRole('row').nth(3).getByRole('button').click()
  await page.getByRole('complementary', { name: 'Run' }).waitFor()
  await show('history')
  await page.getByRole('link', { name: /^Presets/ }).click()
  await page.getByRole('button', { name: /^Cut-out/ }).click()
  await show('presets')
  await page.keyboard.press('ControlOrMeta+,')
  for (const [name, screen] of [
    ['General', 'settings-general'],
    ['Connections', 'settings-connections'],
    [/^Output/, 'settings-output'],
    ['Own files', 'settings-files'],
    ['Queue', 'settings-queue'],
    ['Keyboard', 'settings-keys'],
    ['Where data lies', 'settings-places'],
  ] as const) {
    await page.getByRole('main').getByRole('link', { name }).click()
    await show(screen)
  }
  await page.getByRole('main').getByRole('link', { name: 'Connections' }).click()
  await page
    .getByRole('main')
    .getByRole('button', { name: /^Connect/ })
    .click()
  await page.getByRole('dialog').waitFor()
  await show('connect')
  await escape(page)
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox').waitFor()
  await show('commands')
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor()
  await show('shortcuts')
  await escape(page)
}

async function stopping(studio: Studio, show: Show) {
  const { page, service } = studio
  const pieces = (first: number, count: number) =>
    Array.from(
      { length: count },
      (_, n) => `${service.origin}/shoot/Rings/Solitaire/R1183-front.jpg?${first + n}`,
    )
  service.control.hold()
  await paste(page, pieces(0, 12))
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Bridal rings')
  await start(page)
  await standing(page, /^Running$/).waitFor()
  await eventually(() => {
    if (service.books().runs.length < 27) throw new Error('Few are sent as yet.')
  })
  await page.keyboard.press('ControlOrMeta+.')
  await standing(page, /^(Pausing|Paused)$/).waitFor()
  await show('paused')
  service.control.release()
  await page.keyboard.press('ControlOrMeta+.')
  await untilFinished(page)
  service.control.addFault({
    on: 'submit',
    fault: { kind: 'status', status: 402, body: '{"error":"insufficient credits"}' },
  })
  await paste(page, pieces(100, 6))
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Signet rings')
  await start(page)
  await standing(page, /^Out of credits$/).waitFor()
  await show('out-of-credits')
}
