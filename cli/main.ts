import { enableCompileCache } from 'node:module'

// Compiled code is kept between starts, which makes a command start in a third of the time. It only works for what
// is loaded after this call.
enableCompileCache()
const { exitStatus } = await import('./exit-status.ts')
const { flushed } = await import('./flushed.ts')
const { processIo } = await import('./io.ts')
const { main } = await import('./program.ts')

const status = await main(process.argv.slice(2), processIo())
// On some systems writing to a pipe goes on in the background; a signal does not wait for it.
if (status !== exitStatus.interrupted) await Promise.all([process.stdout, process.stderr].map(flushed))
// Exits by itself: what a signal left unfinished (a connection that does not answer, say) must not hold it.
process.exit(status)
