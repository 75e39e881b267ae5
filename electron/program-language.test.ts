import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MenuItemConstructorOptions } from 'electron'
import { describe, expect, onTestFinished, test } from 'vitest'
import { speakProgram } from '../shared/language/speak-program.ts'
import { spoken } from '../shared/language/text.ts'
import { ProgramLanguage } from './program-language.ts'
import { batchRecord, counts, preferencesRecord } from './testing/records.ts'
import { settle, Stage, until } from './testing/stage.ts'

/** @param chosen the language in the file of preferences; undefined for a person who never chose one */
function stage(languages: string[], chosen?: string): Stage {
  const set = new Stage()
  onTestFinished(async () => {
    set.clear()
    await speakProgram('en', [])
  })
  set.electron.app.languages = languages
  mkdirSync(set.home, { recursive: true })
  if (chosen !== undefined) {
    writeFileSync(join(set.home, 'preferences.json'), JSON.stringify({ language: chosen }))
    set.engine.preferences = preferencesRecord({ language: chosen as 'de' })
  }
  return set
}

const labelsOf = (menu: readonly MenuItemConstructorOptions[]) => menu.map(({ label, role }) => label ?? role)
const entriesOf = (menu: readonly MenuItemConstructorOptions[]) =>
  menu.flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : []))

describe('the program speaks', () => {
  test('the language that was chosen, in every entry of its menus', async () => {
    const set = stage(['en-US'], 'de')
    await set.start()
    const { menu } = set.electron
    expect(labelsOf(menu)).toEqual(['&Datei', '&Bearbeiten', '&Stapel', '&Ansicht', 'Fenster', 'Hilfe'])
    const entries = entriesOf(menu).filter(
      ({ type, role }) => type !== 'separator' && role !== 'toggleDevTools',
    )
    expect(entries.filter(({ label }) => label === undefined)).toEqual([])
    expect(entries.map(({ label }) => label)).toEqual(
      expect.arrayContaining(['Neuer Stapel', 'Kopieren', 'Alle Tastenkürzel', 'Minimieren', 'Beenden']),
    )
  })

  test.each([
    [['de-AT', 'en-US'], undefined, '&Datei'],
    [['de-AT', 'en-US'], 'system', '&Datei'],
    [['fr-FR', 'de-DE'], undefined, '&File'],
    [['de-DE'], 'en', '&File'],
    [['de-DE'], 'klingonisch', '&Datei'],
  ])('that of the system %j where the choice is %s: %s', async (languages, chosen, file) => {
    const set = stage(languages, chosen)
    if (chosen === 'klingonisch') set.engine.preferences = preferencesRecord()
    await set.start()
    expect(labelsOf(set.electron.menu)[0]).toBe(file)
  })

  test('another one as soon as it is chosen, and back', async () => {
    const set = stage(['en-US'])
    await set.start()
    const choose = async (language: 'de' | 'en', file: string) => {
      set.engine.preferences = preferencesRecord({ language })
      set.engine.ring()
      await until(() => labelsOf(set.electron.menu)[0] === file)
    }
    await choose('de', '&Datei')
    set.electron.press('Größere Schrift')
    expect(set.electron.windows[0]!.webContents.zoomFactor).toBe(1.1)
    await choose('en', '&File')
    expect(entriesOf(set.electron.menu).find(({ role }) => role === 'copy')).toEqual({ role: 'copy' })
  })

  test('in notifications, also where these repeat the engine', async () => {
    const set = stage(['en-US'], 'de')
    await set.start()
    const running = [batchRecord({ total: 1284 }), batchRecord({ id: 'b2', name: 'Ketten' })]
    const finished = { delivered: 1280, failed: 3, review: 1 }
    const [rings, chains] = running
    set.engine.batches = running
    set.engine.ring()
    await settle()
    set.engine.batches = [
      { ...rings!, state: 'finished', charged: 7680, counts: counts(finished) },
      { ...chains!, state: 'stopped', stopReason: 'The disk of /out is full; make room, then go on.' },
    ]
    set.engine.ring()
    await until(() => set.electron.notifications.length === 2)
    expect(set.electron.notifications).toMatchObject([
      {
        title: 'Rings ist fertig',
        body: '1.280 von 1.284 fertig, 3 fehlgeschlagen, 1 zu klären. 7.680 Credits berechnet.',
      },
      {
        title: 'Ketten hat angehalten',
        body: 'Der Datenträger von /out ist voll; Platz schaffen, dann fortsetzen.',
      },
    ])
  })

  test('before anything is opened: what keeps it from starting is told in it', async () => {
    const set = stage(['de-DE'])
    Object.assign(set.program, { pageFolder: join(set.folder, 'no-such-page') })
    void set.start().catch(() => undefined)
    await until(() => set.electron.app.exitCode !== undefined)
    expect(set.electron.errors[0]).toMatch(/^Die Seite des Programms fehlt\./)
  })
})

describe('what has been said is said anew', () => {
  function language(languages: string[], locale = 'en-US'): ProgramLanguage {
    onTestFinished(async () => await speakProgram('en', []))
    return new ProgramLanguage({ getPreferredSystemLanguages: () => languages, getLocale: () => locale })
  }

  test('where another language is chosen, and not where it is the same again', async () => {
    const program = language(['en-US'])
    expect([await program.speak('de'), await program.speak('de')]).toEqual([true, false])
    expect([await program.speak('system'), spoken()]).toEqual([true, 'en'])
  })

  test('once, where two are chosen at the same time: in the later one', async () => {
    const program = language(['en-US'])
    expect(await Promise.all([program.speak('de'), program.speak('en')])).toEqual([false, true])
    expect(spoken()).toBe('en')
  })

  test('in the language of the program where the system names none', async () => {
    await language([], 'de-CH').speak('system')
    expect(spoken()).toBe('de')
  })
})
