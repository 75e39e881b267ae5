import { expect, test } from 'vitest'
import { addresses, connect, images, paste, start, untilFinished } from './person.ts'
import { eventually, expectQuiet, openStudio, patience } from './studio.ts'
import { shell } from './shells.ts'

// In Electron there is one window, and no address that a second one could be opened with.
test.runIf(shell === 'browser')(
  'two tabs show the same, and one that was left behind by a restart comes back by itself',
  async (test) => {
    const studio = await openStudio(test)
    const { page, service } = studio
    await connect(studio)
    const second = await studio.context.newPage()
    studio.listenTo(second)
    await second.goto(new URL('/', page.url()).href)
    await second.getByText('Drop a shoot here').waitFor()

    await paste(page, addresses(studio, 4))
    await start(page)
    await second.getByRole('link', { name: /^Batch of/ }).click()
    await untilFinished(page)
    await untilFinished(second)
    expect(await images(second, /Done/).count()).toBe(4)
    // A mark that is set in one is seen in the other.
    await images(page).first().click()
    await page.keyboard.press('x')
    await images(second, /rejected/i).waitFor()
    expectQuiet(studio)

    const { context } = await studio.kill()
    await second.getByText(/^Reconnecting|^Vitrine does not answer/).waitFor()
    const port = Number(new URL(second.url()).port)
    await studio.start({ port, context })
    // Its session ended with the program; the new page's is the browser's, and so the old page's too.
    await second
      .getByText(/^Reconnecting|^Vitrine does not answer/)
      .waitFor({ state: 'detached', timeout: patience })
    await eventually(async () => expect(await images(second, /rejected/i).count()).toBe(1))
    expect(service.books().runs).toHaveLength(4)
  },
)
