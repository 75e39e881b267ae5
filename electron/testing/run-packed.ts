import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { WindowContract } from '../../shared/contract/desktop-bridge.ts'
import { thumbnailPath } from '../../shared/contract/pictures.ts'
import { windowContract } from '../../shared/contract/desktop-bridge.ts'
import { connect } from '../../shared/rpc/connect.ts'
import type { Client } from '../../shared/rpc/contract.ts'
import { runPreload } from './run-preload.ts'
import { loadPacked } from './packed-stand-in.ts'

/**
 * Runs the built program, as it was packed, in a process of its own: `run-packed.ts FOLDER HOME`. Everything is the
 * packed code but Electron itself: the page connects over the packed preload, and a batch of the sample shoot goes
 * through the practice service. Prints what came of it as one line of JSON; `readyMs` is from the start of the process
 * until the engine answers the page.
 */
const [folder = '', home = ''] = process.argv.slice(2)
const electron = await loadPacked(folder, home)
const fail = () => {
  process.stderr.write(`It did not come to its end. ${electron.errors.join(' ')}\n`)
  process.exit(1)
}
const limit = setTimeout(fail, 120_000)
// Whatever goes wrong, also here, the program tells the person.
const watch = setInterval(() => {
  if (electron.errors.length > 0) fail()
}, 100)
while (electron.windows.length === 0) await new Promise((next) => setTimeout(next, 10))
const { webContents } = electron.windows[0]!
electron.ipcMain.join(webContents)
const preload = readFileSync(join(folder, 'dist/electron/preload.cjs'), 'utf8')
const { api, ready } = connect(windowContract, runPreload(preload, webContents).bridge.port)
await ready
const readyMs = Math.round(performance.now())
const out = join(home, 'out')
const batch = await runSamples(api, out)
const answer = (path: string) =>
  electron.protocolHandlers.get('vitrine')!(new Request(`vitrine://app/${path}`))
const page = await answer('')
const report = await api.reports.write({ batch: batch.id, kind: 'pdf' })
const query = { batch: batch.id, states: [] }
const [image] = (await api.images.page({ query, offset: 0, limit: 1 })).rows
const thumbnail = await answer(thumbnailPath(image!.id, image!.outputs[0]!.slug, 128, image!.version))
electron.app.quit()
while (electron.app.exitCode === undefined) await new Promise((next) => setTimeout(next, 10))
clearTimeout(limit)
clearInterval(watch)
const files = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jpg'))
process.stdout.write(
  `${JSON.stringify({
    readyMs,
    page: page.status,
    thumbnail: thumbnail.status,
    decodedBy: electron.forked.map(({ script, env }) => [script.split(/[\\/]/).at(-1), Object.keys(env)]),
    delivered: batch.counts.delivered,
    total: batch.total,
    files: files.length,
    metadata: files.filter((name) => readFileSync(join(out, name)).includes('urn:vitrine:run:')).length,
    exit: electron.app.exitCode,
    database: existsSync(join(home, 'queue.db')),
    pdf: readFileSync(join(out, report.file)).subarray(0, 5).toString(),
    errors: electron.errors,
  })}\n`,
)
process.exit(0)

async function runSamples(api: Client<WindowContract>, outDir: string) {
  await api.connections.usePractice({})
  let draft = ''
  let without: string[] = []
  const sources = [{ kind: 'samples' as const }]
  for await (const event of api.intake.read({ sources, token: 'samples' })) {
    if (event.kind !== 'found') continue
    draft = event.found.draft
    // The smallest folder will do.
    const folders = event.found.folders.toSorted((a, b) => a.images - b.images)
    without = folders.slice(1).map((one) => one.folder)
  }
  const { estimate } = await api.intake.estimate({
    draft,
    without,
    name: 'Samples',
    preset: null,
    recipe: { appId: 'rescue', settings: {}, parameters: {} },
    outDir,
    nameTemplate: '{folder}/{name}{suffix}.{ext}',
    onConflict: 'rename',
    metadata: 'run',
    budget: null,
    test: null,
  })
  const begun = await api.intake.begin({ estimate, start: true })
  for await (const { batches } of api.batches.watch({})) {
    const batch = batches.find(({ id }) => id === begun.batch)
    if (batch?.state === 'finished' || batch?.state === 'stopped') return batch
  }
  throw new Error('The batches are not told any more.')
}
