import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { folderMark } from '../../engine/delivery/folder-mark.ts'
import type { Storage } from '../../shared/own-files.ts'
import { exitStatus, type ExitStatus } from '../exit-status.ts'
import { wholeNumber } from '../numbers.ts'
import { givenStorageKeys, howKeys, orUsage, storageKeyRing } from '../own-files.ts'
import { Problem, usageProblem } from '../problem.ts'
import { openPreferences, openStore, warn, type Shell } from '../shell.ts'
import { counted } from '../table.ts'
import { jsonOption, type AddCommands } from './perform.ts'

interface StorageOptions {
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly prefix: string
  readonly pathStyle?: boolean
  readonly keep?: boolean
  readonly convert?: 'jpeg' | 'png'
  readonly longestSide?: number
}

type Kind = 'address' | 'storage'

/** `vitrine files`: how pictures of this computer reach the service. */
export const addFiles: AddCommands = (program, perform) => {
  const group = program
    .command('files')
    .description('pictures of this computer: by the address of their folder, or through a storage')
  group
    .command('show', { isDefault: true })
    .description('what is set up')
    .option(...jsonOption)
    .action(async (options: { json?: boolean }) => await perform(options, show))
  group
    .command('address')
    .description('a folder that is on the web already')
    .argument('<FOLDER>', 'the folder on this computer')
    .argument('<ADDRESS>', 'the http(s) address of that folder')
    .action(async (folder: string, address: string) => {
      await perform({}, async (shell) => await setAddress(shell, folder, address))
    })
  storageCommand(group).action(async (options: StorageOptions) => {
    await perform({}, async (shell) => await setStorage(shell, options))
  })
  group
    .command('check')
    .description('try what is set up: the storage is written to and read, the folder looked at')
    .action(async () => await perform({}, check))
  group
    .command('remove')
    .description('give up what is set up; what was uploaded and kept stays')
    .addArgument(kindArgument(group))
    .action(async (kind: Kind) => await perform({}, async (shell) => await remove(shell, kind)))
}

function kindArgument(group: Command) {
  return group.createArgument('<KIND>', 'address or storage').choices(['address', 'storage'])
}

function storageCommand(group: Command): Command {
  return group
    .command('storage')
    .description(`an S3-compatible storage; its keys come from the environment. ${howKeys}`)
    .requiredOption('--endpoint <URL>', 'address of the storage, without bucket')
    .requiredOption('--bucket <NAME>', 'the bucket')
    .option('--region <NAME>', 'its region; auto: as the endpoint says', 'auto')
    .option('--prefix <PATH>', 'before the names of all objects', '')
    .option('--path-style', 'the bucket stands in the path of addresses (default: everywhere but at AWS)')
    .option('--no-path-style', 'the bucket stands in the host of addresses')
    .option('--keep', 'leave what was uploaded there when its runs are done')
    .addOption(new Option('--convert <FORMAT>', 'convert before uploading').choices(['jpeg', 'png']))
    .option(
      '--longest-side <PIXELS>',
      'make larger pictures so small (needs --convert)',
      wholeNumber(256, 30_000),
    )
}

async function show(shell: Shell): Promise<ExitStatus> {
  const { published, storage } = (await openPreferences(shell)).read().ownFiles
  if (shell.json) {
    shell.terminal.json({ address: published, storage })
    return exitStatus.done
  }
  const { terminal } = shell
  if (!published && !storage) {
    terminal.say(
      'Own files are not set up; "vitrine files storage" or "vitrine files address" does so, and pictures of this computer can be sent.',
    )
  }
  if (published) terminal.print(`Address   ${published.folder} is ${published.address}`)
  if (storage) {
    const keys = await (await storageKeyRing(shell)).read()
    terminal.print(`Storage   ${storage.bucket}/${storage.prefix} at ${storage.endpoint} (${storage.region})`)
    terminal.print(`          ${storage.keep ? 'kept when runs are done' : 'removed when runs are done'}`)
    if (storage.conversion) terminal.print(`          ${conversionWords(storage.conversion)}`)
    terminal.print(`          keys: ${typeof keys === 'string' ? 'not known' : 'known'}`)
  }
  return exitStatus.done
}

function conversionWords({ format, longestSide }: NonNullable<Storage['conversion']>): string {
  const size = longestSide === null ? '' : `, longest side at most ${longestSide.toLocaleString('en')} pixels`
  return `converted to ${format.toUpperCase()}, sRGB${size}`
}

async function setAddress(shell: Shell, folder: string, address: string): Promise<ExitStatus> {
  const { checkPublishedFolder } = await import('../../engine/own-files/set-up.ts')
  const published = await orUsage(() =>
    checkPublishedFolder({ folder: resolve(shell.io.cwd, folder), address }),
  )
  const preferences = await openPreferences(shell)
  preferences.change({ ownFiles: { ...preferences.read().ownFiles, published } })
  shell.terminal.say(`Pictures in ${published.folder} are sent by their address below ${published.address}`)
  return exitStatus.done
}

async function setStorage(shell: Shell, options: StorageOptions): Promise<ExitStatus> {
  const { checkStorage } = await import('../../engine/own-files/set-up.ts')
  if (options.longestSide !== undefined && !options.convert) {
    throw usageProblem('--longest-side needs --convert jpeg or --convert png.')
  }
  const storage = await orUsage(() =>
    checkStorage({
      endpoint: options.endpoint,
      region: options.region,
      bucket: options.bucket,
      prefix: options.prefix,
      pathStyle: options.pathStyle ?? !/\.amazonaws\.com/i.test(options.endpoint),
      keep: options.keep ?? false,
      conversion: options.convert
        ? { format: options.convert, longestSide: options.longestSide ?? null }
        : null,
    }),
  )
  const given = await givenStorageKeys(shell)
  const ring = await storageKeyRing(shell)
  const keys = await ring.read()
  if (typeof keys === 'string') throw usageProblem(`${keys} ${howKeys}`)
  await tried(shell, storage, keys)
  const kept = given ? await ring.keep(given) : true
  const preferences = await openPreferences(shell)
  preferences.change({ ownFiles: { ...preferences.read().ownFiles, storage } })
  shell.terminal.say(
    `The storage works and is set up.${kept ? '' : ' Its keys could not be kept: give them in the environment each time.'}`,
  )
  return exitStatus.done
}

/** @throws Problem (69) where the storage does not do what is needed */
async function tried(shell: Shell, storage: Storage, keys: { accessKey: string; secretKey: string }) {
  const { checkStorageWorks } = await import('../../engine/own-files/check-storage.ts')
  const { Fault } = await import('../../shared/rpc/fault.ts')
  try {
    await checkStorageWorks(storage, keys, {
      mark: folderMark(shell.home),
      downloads: shell.overrides.downloads,
    })
  } catch (error) {
    throw error instanceof Fault ? new Problem(exitStatus.unreachable, error.message) : error
  }
}

async function check(shell: Shell): Promise<ExitStatus> {
  const { published, storage } = (await openPreferences(shell)).read().ownFiles
  if (!published && !storage) throw usageProblem('Own files are not set up; there is nothing to check.')
  if (storage) {
    const keys = await (await storageKeyRing(shell)).read()
    if (typeof keys === 'string') throw usageProblem(`${keys} ${howKeys}`)
    await tried(shell, storage, keys)
    shell.terminal.say(
      'The storage works: a small object was written, read through a signed link, and removed.',
    )
  }
  if (published) {
    const { lookAtFolder } = await import('../../engine/own-files/look-at-folder.ts')
    const looked = await lookAtFolder(published, { clock: shell.clock, downloads: shell.overrides.downloads })
    if (!looked.ok) throw new Problem(exitStatus.unreachable, looked.sentence)
    shell.terminal.say(looked.sentence)
  }
  return exitStatus.done
}

async function remove(shell: Shell, kind: Kind): Promise<ExitStatus> {
  const preferences = await openPreferences(shell)
  const { ownFiles } = preferences.read()
  if (kind === 'address') {
    preferences.change({ ownFiles: { ...ownFiles, published: null } })
    shell.terminal.say('The published folder is given up.')
    return exitStatus.done
  }
  const { storage } = ownFiles
  preferences.change({ ownFiles: { ...ownFiles, storage: null } })
  await (await storageKeyRing(shell)).forget()
  shell.terminal.say('The storage and its keys are given up.')
  if (storage) await tellLeft(shell, storage)
  return exitStatus.done
}

async function tellLeft(shell: Shell, storage: Storage) {
  const { targetOf } = await import('../../engine/own-files/publisher.ts')
  const store = await openStore(shell)
  const left = store.ownFiles.passing(targetOf(storage)).length
  store.close()
  if (left > 0)
    warn(shell, `${counted(left, 'uploaded picture stays', 'uploaded pictures stay')} in the bucket.`)
}
