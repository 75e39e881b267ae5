import { homedir } from 'node:os'
import { join } from 'node:path'
import type { InterfaceParts, Practice, PracticeOptions } from '../../engine/interface/parts.ts'
import { createNodeTransport } from '../../engine/service/node-transport.ts'
import { createDownloads } from '../../engine/service/undici-downloads.ts'
import { createKeyringVault } from '../../engine/vault/keyring-vault.ts'
import { notingVault } from '../../engine/vault/noting-vault.ts'
import { settleMs } from '../environment.ts'
import { givenStorageKeys } from '../own-files.ts'
import { openPreferences, type Shell } from '../shell.ts'

/** What the browser shell brings to the engine. @param keys gets every key that passes by */
export async function webParts(
  shell: Shell,
  keys: Set<string>,
): Promise<Omit<InterfaceParts, 'home' | 'store' | 'clock' | 'onFault'>> {
  const { io, overrides } = shell
  const { VITRINE_BASE_URL: baseUrl, VITRINE_API_KEY: key, VITRINE_S3_SECRET_KEY: secret } = io.env
  if (key) keys.add(key.trim())
  if (secret) keys.add(secret.trim())
  const { downloads } = overrides
  return {
    preferences: await openPreferences(shell),
    vault: notingVault(overrides.vault ?? createKeyringVault(), keys),
    random: overrides.random ?? Math.random,
    transport: overrides.transport ?? createNodeTransport(),
    openDownloads: (address) =>
      downloads
        ? { open: (url, options) => downloads.open(url, options), close: () => Promise.resolve() }
        : createDownloads({ baseUrl: address }),
    startPractice: (options) => startPractice(options, io.env['VITRINE_PRACTICE_SECONDS']),
    outDir: join(io.env['HOME'] || homedir(), 'Pictures', 'Vitrine'),
    given: baseUrl && key ? { baseUrl, key } : undefined,
    storageKeys: await givenStorageKeys(shell),
    settleMs: settleMs(io.env),
    startPictureProcess: overrides.startPictureProcess,
    ...(overrides.files ? { files: overrides.files } : {}),
  }
}

const playCredits = 500

/** Loaded only when somebody wants it: it brings image work along. */
async function startPractice(
  { port, stateFolder }: PracticeOptions,
  seconds: string | undefined,
): Promise<Practice> {
  const { startPracticeService, writeShootLists } = await import('../../practice-service/start.ts')
  const service = await startPracticeService({
    port,
    stateFolder,
    accounts: [{ key: 'practice', subscriptionCredits: playCredits, otherCredits: 0 }],
    ...(seconds !== undefined && Number(seconds) >= 0 ? { processing: Number(seconds) } : {}),
  })
  return {
    url: service.url,
    key: 'practice',
    writeSamples: async (folder) => void (await writeShootLists(folder, service.origin)),
    close: () => service.close(),
  }
}
