import { resolve } from 'node:path'
import { startOfDay } from '../../engine/hot-folders/start-of-day.ts'
import type { HotFolder } from '../../engine/store/hot-folders.ts'
import type { Store } from '../../engine/store/store.ts'
import { plainText } from '../../shared/plain-text.ts'
import { Fault } from '../../shared/rpc/fault.ts'
import { openAccount } from '../account.ts'
import { serviceAddress } from '../environment.ts'
import { exitStatus, type ExitStatus } from '../exit-status.ts'
import { wholeNumber } from '../numbers.ts'
import { usageProblem } from '../problem.ts'
import { openPreferences, openStore, type Shell } from '../shell.ts'
import { table } from '../table.ts'
import { jsonOption, type AddCommands } from './perform.ts'

interface AddOptions {
  readonly preset: string
  readonly out: string
  readonly name?: string
  readonly budget?: number
  readonly moveDone?: boolean
  readonly poll?: boolean
  readonly takeExisting?: boolean
}

/** `vitrine hot-folders` and `vitrine watch`: what is put in a folder becomes a batch by itself. */
export const addHotFolders: AddCommands = (program, perform) => {
  const group = program
    .command('hot-folders')
    .description('watched folders: list, add, remove, pause, resume; "vitrine watch" watches them')
  group
    .command('list', { isDefault: true, hidden: true })
    .description('every hot folder, with what it did today')
    .option(...jsonOption)
    .action(async (options: { json?: boolean }) => await perform(options, list))
  group
    .command('add')
    .description('watch a folder')
    .argument('<FOLDER>', 'lists and shortcuts that are put in it become batches')
    .requiredOption('--preset <NAME>', 'a saved or built-in preset')
    .requiredOption('--out <DIR>', 'where outputs go')
    .option('--name <NAME>', "what it is called (default: the folder's name)")
    .option('--budget <CREDITS>', 'spend at most this a calendar day', wholeNumber(0))
    .option('--move-done', 'move lists whose images are all delivered to the folder "Done" in it')
    .option('--poll', 'look at it from time to time: for network drives')
    .option('--take-existing', 'take the lists that lie in it already too')
    .action(async (folder: string, options: AddOptions) => {
      await perform({}, async (shell) => await add(shell, folder, options))
    })
  const simple = [
    ['remove', 'watch a folder no more; its files and batches stay', remove],
    ['pause', 'make no batches of a folder until it is resumed', (store, id) => setPaused(store, id, 1)],
    ['resume', 'go on with a paused folder', (store, id) => setPaused(store, id, 0)],
  ] as const satisfies readonly (readonly [string, string, (store: Store, folder: HotFolder) => string])[]
  for (const [name, description, act] of simple) {
    group
      .command(name)
      .description(description)
      .argument('<FOLDER>', 'its name or its path')
      .action(async (folder: string) => {
        await perform({}, async (shell) => await withFolder(shell, folder, act))
      })
  }
  program
    .command('watch')
    .description('watch the hot folders and work on their batches, until Ctrl-C')
    .action(async () => {
      await perform({}, async (shell) => {
        const { watchHotFolders } = await import('../watch-hot-folders.ts')
        return await watchHotFolders(shell)
      })
    })
}

async function list(shell: Shell): Promise<ExitStatus> {
  const store = await openStore(shell)
  try {
    const today = startOfDay(shell.clock.now())
    const rows = store.hotFolders.all().map((folder) => ({
      name: folder.name,
      folder: folder.path,
      preset: folder.preset,
      out: folder.outDir,
      budget: folder.budget,
      paused: folder.paused === 1,
      moveDone: folder.moveDone === 1,
      poll: folder.polling === 1,
      imagesToday: store.hotFolders.imagesSince(folder.id, today),
      chargedToday: store.hotFolders.chargedSince(folder.id, today),
      pictures: store.hotFolders.pictures(folder.id),
    }))
    if (shell.json) for (const row of rows) shell.terminal.json(row)
    else if (rows.length === 0)
      shell.terminal.say('There is no hot folder; "vitrine hot-folders add" sets one up.')
    else {
      const titles = ['Hot folder', '', 'Today', 'Credits', 'Budget', 'Preset', 'Folder']
      const cells = rows.map((row) => [
        row.name,
        row.paused ? 'paused' : '',
        row.imagesToday,
        row.chargedToday,
        row.budget === null ? '' : `${row.budget} a day`,
        row.preset,
        row.folder,
      ])
      for (const line of table(titles, cells)) shell.terminal.print(line)
    }
    return exitStatus.done
  } finally {
    store.close()
  }
}

async function add(shell: Shell, folder: string, options: AddOptions): Promise<ExitStatus> {
  const { io, terminal, clock } = shell
  const preferences = await openPreferences(shell)
  const account = await openAccount(shell, serviceAddress(io.env, preferences.read().baseUrl))
  const store = await openStore(shell)
  try {
    const [{ connectionFor }, { setUpHotFolder }] = await Promise.all([
      import('../../engine/batches/account.ts'),
      import('../../engine/hot-folders/set-up.ts'),
    ])
    const { id } = await connectionFor(store, account.client, account.keyText)
    const added = await setUpHotFolder({ store, preferences, clock }, id, {
      name: options.name ?? '',
      path: resolve(io.cwd, folder),
      preset: options.preset,
      outDir: resolve(io.cwd, options.out),
      budget: options.budget ?? null,
      moveDone: options.moveDone ?? false,
      polling: options.poll ?? false,
      takeExisting: options.takeExisting ?? false,
    }).catch((error: unknown) => {
      throw error instanceof Fault ? usageProblem(error.message) : error
    })
    terminal.say(
      `The hot folder "${added.name}" is set up; it is watched while the program runs, or by "vitrine watch".`,
    )
    return exitStatus.done
  } finally {
    account.close()
    store.close()
  }
}

async function withFolder(
  shell: Shell,
  text: string,
  act: (store: Store, folder: HotFolder) => string,
): Promise<ExitStatus> {
  const store = await openStore(shell)
  try {
    shell.terminal.say(act(store, folderNamed(store, text, shell.io.cwd)))
    return exitStatus.done
  } finally {
    store.close()
  }
}

/** By name, whatever its case, or by path. @throws Problem (64) */
function folderNamed(store: Store, text: string, cwd: string): HotFolder {
  const all = store.hotFolders.all()
  const path = resolve(cwd, text)
  const found = all.filter((one) => one.path === path || one.name.toLowerCase() === text.trim().toLowerCase())
  if (found.length === 1) return found[0]!
  const shown = plainText(text, 80)
  if (found.length > 1)
    throw usageProblem(`There are ${found.length} hot folders "${shown}"; give the path of one.`)
  const names = all.map(({ name }) => name).join(', ')
  throw usageProblem(`There is no hot folder "${shown}"${names === '' ? '' : `; there are ${names}`}.`)
}

function remove(store: Store, { id, name }: HotFolder): string {
  store.hotFolders.remove(id)
  return `"${name}" is watched no more; its files and batches stay.`
}

function setPaused(store: Store, { id, name }: HotFolder, paused: 0 | 1): string {
  store.hotFolders.change(id, { paused })
  return paused === 1
    ? `"${name}" makes no batches until "vitrine hot-folders resume".`
    : `"${name}" makes batches again while it is watched.`
}
