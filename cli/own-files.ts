import { resolve } from 'node:path'
import { displayText } from '../engine/intake/display-text.ts'
import type { Intake } from '../engine/intake/found.ts'
import type { PublishedIntake, PublishingWays } from '../engine/own-files/publish-intake.ts'
import { publishedAddress } from '../engine/own-files/set-up.ts'
import { checkedKeys, StorageKeyRing, type StorageKeys } from '../engine/own-files/storage-keys.ts'
import type { OwnFiles } from '../shared/own-files.ts'
import { Fault } from '../shared/rpc/fault.ts'
import { usageProblem } from './problem.ts'
import { openStore, type Shell } from './shell.ts'
import { counted } from './table.ts'

/** A refusal of the engine is wrong use here. */
export async function orUsage<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof Fault ? usageProblem(error.message) : error
  }
}

/** The storage's keys as the environment gives them. @throws Problem (64) where one is missing or no key */
export async function givenStorageKeys({ io, secrets }: Shell): Promise<StorageKeys | undefined> {
  const { VITRINE_S3_ACCESS_KEY: access, VITRINE_S3_SECRET_KEY: secret } = io.env
  if (!access && !secret) return undefined
  if (!access || !secret)
    throw usageProblem('Set both VITRINE_S3_ACCESS_KEY and VITRINE_S3_SECRET_KEY, or neither.')
  const keys = await orUsage(() => checkedKeys(access, secret))
  secrets.add(keys.secretKey)
  return keys
}

/** The storage's keys: those of the environment, else those in the key store. */
export async function storageKeyRing(shell: Shell): Promise<StorageKeyRing> {
  const { notingVault } = await import('../engine/vault/noting-vault.ts')
  const vault =
    shell.overrides.vault ?? (await import('../engine/vault/keyring-vault.ts')).createKeyringVault()
  return new StorageKeyRing(notingVault(vault, shell.secrets), await givenStorageKeys(shell))
}

/** What `run --publish` says of pictures of this computer, with what is set up. @throws Problem (64) */
export function publishingWays(
  wanted: string | undefined,
  { published, storage }: OwnFiles,
  sources: readonly string[],
  cwd: string,
): PublishingWays {
  if (wanted === undefined) return { published, storage: storage !== null }
  if (wanted === 'no') return { published: null, storage: false }
  if (wanted === 'storage') {
    if (!storage)
      throw usageProblem('--publish storage: no storage is set up; "vitrine files storage" does so.')
    return { published: null, storage: true }
  }
  if (wanted === 'address') {
    if (!published) {
      throw usageProblem('--publish address: no published folder is set up; "vitrine files address" does so.')
    }
    return { published, storage: false }
  }
  if (!/^https?:/i.test(wanted)) {
    throw usageProblem(
      '--publish must be storage, address, no, or the address under which SOURCE is published.',
    )
  }
  const [folder, ...more] = sources
  if (folder === undefined || folder === '-' || more.length > 0) {
    throw usageProblem('--publish with an address is for one SOURCE, the folder that is published there.')
  }
  try {
    return { published: { folder: resolve(cwd, folder), address: publishedAddress(wanted) }, storage: false }
  } catch (error) {
    throw error instanceof Fault ? usageProblem(`--publish: ${error.message}`) : error
  }
}

/**
 * Makes images of the pictures of this computer that were found.
 * @throws Problem (64) where they would be uploaded and the storage's keys are not known
 */
export async function publishLocal(
  shell: Shell,
  intake: Intake,
  ways: PublishingWays,
  baseUrl: string,
): Promise<PublishedIntake> {
  const { terminal, clock, stop, overrides } = shell
  const [{ publishIntake }, { createDownloads }] = await Promise.all([
    import('../engine/own-files/publish-intake.ts'),
    import('../engine/service/undici-downloads.ts'),
  ])
  const none = { uploads: { images: 0, bytes: 0 }, addresses: 0 }
  if (intake.localPictures.length === 0 || (!ways.published && !ways.storage)) return { ...intake, ...none }
  const own = overrides.downloads ? undefined : createDownloads({ baseUrl })
  const store = await openStore(shell)
  try {
    const published = await publishIntake(intake, ways, {
      table: store.ownFiles,
      downloads: overrides.downloads ?? own!,
      clock,
      signal: stop.signal,
      onProgress: (done, of, shown) =>
        terminal.live(`Reading picture ${done + 1} of ${of}: ${displayText(shown, 200)}`),
    })
    if (published.uploads.images > 0) {
      const keys = await (await storageKeyRing(shell)).read()
      if (typeof keys === 'string') throw usageProblem(`${keys} ${howKeys}`)
    }
    return published
  } finally {
    store.close()
    await own?.close()
  }
}

export const howKeys = 'Set VITRINE_S3_ACCESS_KEY and VITRINE_S3_SECRET_KEY.'

/** Says what will be uploaded. */
export function tellUploads(
  { terminal }: Shell,
  { uploads, addresses }: PublishedIntake,
  ways: PublishingWays,
) {
  if (addresses > 0 && ways.published) {
    const what = counted(addresses, 'picture of this computer is', 'pictures of this computer are')
    terminal.say(`${what} read from ${ways.published.address}`)
  }
  if (uploads.images === 0) return
  const what = counted(uploads.images, 'picture of this computer is', 'pictures of this computer are')
  terminal.say(`${what} uploaded to your storage where not there yet (${megabytes(uploads.bytes)}).`)
}

/** Bytes for a person. */
export function megabytes(bytes: number): string {
  return `${Math.max(0.1, bytes / 1_000_000).toLocaleString('en', { maximumFractionDigits: 1 })} MB`
}
