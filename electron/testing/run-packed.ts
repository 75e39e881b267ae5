import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { WindowContract } from '../../shared/contract/desktop-bridge.ts'
import { windowContract } from '../../shared/contract/desktop-bridge.ts'
import { connect } from '../../shared/rpc/connect.ts'
import type { Client } from '../../shared/rpc/contract.ts'
import { runPreload } from './run-preload.ts'
import { StandInElectron } from './stand-in-electron.ts'

/**
 * Runs the built program, as it was packed, in a process of its own: `run-packed.ts FOLDER HOME`. Everything is the
 * packed code but Electron itself: the page connects over the packed preload, and a batch of the sample shoot goes
 * through the practice service. Prints what came of it as one line of JSON.
 */
const [folder = '', home = ''] = process.argv.slice(2)
const electron = new StandInElectron(join(home, 'user-data'))
Object.assign(globalThis, { standInElectron: electron.objects })
Object.assign(process, { resourcesPath: folder })
process.env['VITRINE_HOME'] = home
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron'
      ? {
          url: 'data:text/javascript,export default globalThis.standInElectron',
          format: 'module',
          shortCircuit: true,
        }
      : next(specifier, context),
})

await import(pathToFileURL(resolve(folder, 'dist/electron/main.js')).href)
electron.app.becomeReady()
const limit = setTimeout(() => {
  process.stderr.write(`It did not end. ${electron.errors.join(' ')}\n`)
  process.exit(1)
}, 120_000)
while (electron.windows.length === 0) {
  if (electron.errors.length > 0) throw new Error(electron.errors.join(' '))
  await new Promise((next) => setTimeout(next, 10))
}
const { webContents } = electron.windows[0]!
electron.ipcMain.join(webContents)
const preload = readFileSync(join(folder, 'dist/electron/preload.cjs'), 'utf8')
const { api, ready } = connect(windowContract, runPreload(preload, webContents).bridge.port)
await ready
const out = join(home, 'out')
const batch = await runSamples(api, out)
const page = await electron.protocolHandlers.get('vitrine')!(new Request('vitrine://app/'))
electron.app.quit()
while (electron.app.exitCode === undefined) await new Promise((next) => setTimeout(next, 10))
clearTimeout(limit)
const files = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jpg'))
process.stdout.write(
  `${JSON.stringify({
    page: page.status,
    delivered: batch.counts.delivered,
    total: batch.total,
    files: files.length,
    exit: electron.app.exitCode,
    database: existsSync(join(home, 'queue.db')),
    errors: electron.errors,
  })}\n`,
)
process.exit(0)

async function runSamples(api: Client<WindowContract>, outDir: string) {
  await api.connections.usePractice({})
  let draft = ''
  const sources = [{ kind: 'samples' as const }]
  for await (const event of api.intake.read({ sources, token: 'samples' })) {
    if (event.kind === 'found') draft = event.found.draft
  }
  const { estimate } = await api.intake.estimate({
    draft,
    name: 'Samples',
    preset: null,
    recipe: { appId: 'rescue', settings: {}, parameters: {} },
    outDir,
    nameTemplate: '{folder}/{name}{suffix}.{ext}',
    onConflict: 'rename',
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
