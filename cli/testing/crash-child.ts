import { appendFileSync } from 'node:fs'
import { enableCompileCache } from 'node:module'

enableCompileCache()
const { processIo } = await import('../io.ts')
const { main } = await import('../program.ts')
const { watchedFiles, watchedTransport, watchStore } = await import('./places.ts')

/**
 * The real program, except that it kills itself (SIGKILL: nothing is flushed, nothing is cleaned up) at one place.
 * `CRASH_AT` is the number of the visit, from 1; 0 walks through and only records. `CRASH_LOG` receives the places.
 */
const at = Number(process.env['CRASH_AT'] ?? 0)
const log = process.env['CRASH_LOG']
let visits = 0

function visit(place: string) {
  visits += 1
  if (log !== undefined) appendFileSync(log, `${place}\n`)
  if (visits === at) process.kill(process.pid, 'SIGKILL')
}

watchStore(visit)
process.exit(
  await main(process.argv.slice(2), processIo(), {
    transport: watchedTransport(visit),
    files: watchedFiles(visit),
  }),
)
