import { processIo } from './io.ts'
import { main } from './program.ts'

// Exits by itself: what a signal left unfinished (a connection that does not answer, say) must not hold it.
process.exit(await main(process.argv.slice(2), processIo()))
