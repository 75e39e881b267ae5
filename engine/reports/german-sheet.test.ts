import { afterEach, expect, onTestFinished, test } from 'vitest'
import { speakProgram } from '../../shared/language/speak-program.ts'
import { Store } from '../store/store.ts'
import { contactSheet } from './contact-sheet.ts'
import { batchCsv } from './csv.ts'

afterEach(async () => await speakProgram('en', []))

/** Three images: one that waits and is marked, one that failed for the engine's reason, one for the service's. */
function knownBatch() {
  const store = new Store(':memory:', { now: () => 5000 })
  onTestFinished(() => store.close())
  const connection = store.connections.add('http://127.0.0.1/api/v1', 'key')
  const batch = store.batches.add({
    id: '7k2m',
    connectionId: connection.id,
    created: 1,
    outDir: '/out',
    preset: 'Catalogue white',
    nameTemplate: '{name}.{ext}',
    onConflict: 'rename',
    webhookUrl: 'https://vitrine.invalid/',
    budget: null,
    inFlight: null,
  })
  const settings = {
    bg_mode: 'solid',
    bg_color: '#FFFFFF',
    bg_shadow: true,
    shadow_intensity: 0.85,
    debanding: false,
  } as const
  const rows = ['Ring', 'Kette', 'Brosche <3'].map((name, at) => ({
    source: `https://pictures.example/${at}.jpg`,
    folder: '',
    name,
    state: 'waiting' as const,
    earlierImageId: null,
  }))
  const recipe = { appId: 'rescue', settings, parameters: {} }
  store.transaction(() => store.images.add(batch.seq, 0, recipe, '/out', rows))
  const [ring, chain, brooch] = store.images.page(batch.seq, -1, 10)
  store.images.setMark(ring!.id, 'reject')
  const fail = (id: number, error: string) => {
    store.images.move(id, 'waiting', 'submitting')
    store.images.move(id, 'submitting', 'failed', { error })
  }
  fail(
    chain!.id,
    'The link to the result was refused. The result is paid for; a retry fetches it again at no cost.',
  )
  fail(brooch!.id, 'No ring in the picture <b>')
  return { store, batch }
}

async function textOf(chunks: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const chunk of chunks) text += chunk
  return text
}

const now = Date.UTC(2026, 10, 22, 12)
const picture = (_: number, which: string) =>
  Promise.resolve(which === 'source' ? new Uint8Array([1, 2, 3]) : undefined)

test('a contact sheet is in the language that is spoken, all of it', async () => {
  await speakProgram('de', ['de-AT'])
  const { store, batch } = knownBatch()
  const html = await textOf(contactSheet({ store, batch, title: 'Herbst', now, picture, before: true }))
  expect(html).toContain('<html lang="de">')
  expect(html).toContain('<p>3 Bilder · 0 fertig · 2 fehlgeschlagen · 0 Credits berechnet · Stapel 7k2m · ')
  expect(html).toContain(' · 22.11.2026</p>')
  expect(html).toContain('alt="Ring, vorher"')
  expect(html).toContain('<span class="none">kein Bild</span><i>Nachher</i></div>')
  expect(html).toContain('<b>Ring</b><span>Wartet · Abgelehnt</span>')
  expect(html).toContain('<b>Brosche &lt;3</b><span>Fehlgeschlagen</span>')
  expect(html).toContain(
    '<span class="error">Der Link zum Ergebnis wurde abgelehnt. Das Ergebnis ist bezahlt; Wiederholen holt es kostenlos erneut.</span>',
  )
  // What the service says is told in its own words.
  expect(html).toContain('<span class="error">No ring in the picture &lt;b&gt;</span>')
  expect(html).toContain(
    '<small>Katalogweiß · rescue · Hintergrund: einfarbig · Farbe: #FFFFFF · Kontaktschatten: ein · Intensität: 0,85 · Streifen glätten: aus</small>',
  )
  expect(html).not.toMatch(/\b(images|charged|Failed|Waiting|Before|After|Background|shadow)\b/)
})

test('a table is for scripts too: its heads and words stay English', async () => {
  await speakProgram('de', ['de-DE'])
  const german = knownBatch()
  const table = await textOf(batchCsv(german.store, german.batch))
  await speakProgram('en', [])
  const english = knownBatch()
  expect(table).toBe(await textOf(batchCsv(english.store, english.batch)))
  expect(table).toContain(
    'Background solid; Colour #FFFFFF; Contact shadow on; Intensity 0.85; De-banding off',
  )
  expect(table).toContain(',waiting,Reject,')
})
