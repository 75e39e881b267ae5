import { wholeNumber } from '../numbers.ts'
import { jsonOption, type AddCommands } from './perform.ts'

/** Options of `vitrine serve`. */
export interface ServeFlags {
  readonly port: number
  readonly open: boolean
  readonly json?: boolean
}

/** `vitrine serve`: the program's window in a browser, until Ctrl-C. */
export const addServe: AddCommands = (program, perform) => {
  program
    .command('serve')
    .description('open the program in the browser of this computer, until Ctrl-C')
    .option('--port <N>', 'port on 127.0.0.1; 0 for any free one', wholeNumber(0, 65_535), 0)
    .option('--no-open', 'only print the address')
    .option(...jsonOption)
    .action(async (flags: ServeFlags) => {
      await perform(flags, async (shell) => {
        const { serveInterface } = await import('../web/serve-interface.ts')
        return await serveInterface(shell, flags)
      })
    })
}
