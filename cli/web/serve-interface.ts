import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { createInterface, type EngineInterface } from '../../engine/interface/create-interface.ts'
import { PageFiles } from '../../engine/page-files.ts'
import { engineContract } from '../../shared/contract/engine-contract.ts'
import { serve } from '../../shared/rpc/serve.ts'
import type { ServeFlags } from '../commands/serve.ts'
import { reportFault } from '../../engine/fault-report.ts'
import { exitStatus, type ExitStatus } from '../exit-status.ts'
import { usageProblem } from '../problem.ts'
import { openStore, type Shell } from '../shell.ts'
import { pageFolder } from './build-page.ts'
import { receiveDrop, sweepDrops } from './drop-upload.ts'
import { openInBrowser } from './open-browser.ts'
import { startWebServer, type WebServer } from './server.ts'
import { speakChosen } from './speak-chosen.ts'
import { webParts } from './web-parts.ts'

/** Serves the program's window to the browser of this computer until a signal comes. */
export async function serveInterface(shell: Shell, flags: ServeFlags): Promise<ExitStatus> {
  const { terminal, home, clock } = shell
  const page = await PageFiles.in(shell.overrides.page ?? (await pageFolder((text) => terminal.say(text))))
  const store = await openStore(shell)
  /** Keys that passed by: what is never written down. */
  const keys = new Set<string>()
  const onFault = (error: unknown) => void reportFault(home, error, keys)
  let engine: EngineInterface | undefined
  let endSpeaking: (() => Promise<void>) | undefined
  try {
    const parts = await webParts(shell, keys)
    engine = await createInterface({ ...parts, home, store, clock, onFault })
    endSpeaking = speakChosen(engine, Intl.DateTimeFormat().resolvedOptions().locale, onFault)
    await serveUntilStopped(shell, flags, { page, engine, onFault })
    return exitStatus.done
  } finally {
    await endSpeaking?.()
    await engine?.close()
    store.close()
  }
}

interface Served {
  readonly page: PageFiles
  readonly engine: EngineInterface
  readonly onFault: (error: unknown) => void
}

async function serveUntilStopped(shell: Shell, flags: ServeFlags, { page, engine, onFault }: Served) {
  const { terminal, stop, home, clock } = shell
  const dropPlace = join(home, 'drops')
  await sweepDrops(dropPlace, clock.now())
  const tell = (server: WebServer, again: boolean) => {
    if (shell.json) terminal.json({ event: 'address', url: server.address(), port: server.port })
    else if (again) terminal.say(`For another browser: ${server.address()}`)
    else terminal.print(server.address())
  }
  const server: WebServer = await startWebServer({
    port: flags.port,
    page,
    pictures: engine.pictures,
    // They lie in a folder of the server now; a person knows them by their names.
    takeDrop: async (request) => {
      const paths = await receiveDrop(request, dropPlace)
      return engine.drops.add(paths.map((path) => ({ kind: 'path', path, shown: basename(path) })))
    },
    onLine: (port) =>
      void serve(engineContract, engine.handlers, port, { onInternal: (_, error) => onFault(error) }),
    onExchange: () => tell(server, true),
    onFault,
  }).catch((error: unknown) => {
    throw portProblem(error, flags.port)
  })
  stop.endInGoodOrder()
  tell(server, false)
  const opened = flags.open ? await openInBrowser(home, server.address()).catch(() => undefined) : undefined
  terminal.say('Vitrine runs in the browser until Ctrl-C.')
  await new Promise<void>((resolve) => {
    if (stop.signal.aborted) resolve()
    else stop.signal.addEventListener('abort', () => resolve(), { once: true })
  })
  await server.close()
  if (opened !== undefined) await rm(opened, { force: true })
}

function portProblem(error: unknown, port: number): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') {
    return usageProblem(
      `Port ${port} is taken by another program; choose another with --port, or leave it out.`,
    )
  }
  if (code === 'EACCES') return usageProblem(`Port ${port} may not be used; choose one above 1023.`)
  return error
}
