import { resolve } from 'node:path'
import envPaths from 'env-paths'
import { ApiKey } from '../engine/service/api-key.ts'
import { checkBaseUrl, type BaseUrl } from '../engine/service/base-url.ts'
import type { KeyVault } from '../engine/vault/vault.ts'
import { exitStatus } from './exit-status.ts'
import { Problem, usageProblem } from './problem.ts'

type Env = Readonly<Record<string, string | undefined>>

/** The data folder: VITRINE_HOME, else the system's usual place for a program's data. Absolute. */
export function homeFolder(env: Env, cwd: string): string {
  const given = env['VITRINE_HOME']
  return given ? resolve(cwd, given) : envPaths('Vitrine', { suffix: '' }).data
}

/** VITRINE_SETTLE_SECONDS in ms; fractions are allowed. Undefined where it is not set. */
export function settleMs(env: Env): number | undefined {
  const text = env['VITRINE_SETTLE_SECONDS']?.trim()
  if (!text) return undefined
  const seconds = Number(text)
  if (!/^\d*\.?\d+$/.test(text) || !(seconds <= 86_400)) {
    throw usageProblem(
      `VITRINE_SETTLE_SECONDS must be a number of seconds from 0 to 86400, not "${text.slice(0, 40)}".`,
    )
  }
  return seconds * 1000
}

/**
 * The service address: VITRINE_BASE_URL, else that of the saved connection.
 * @throws Problem (64) where there is none or it is no address of a service.
 */
export function serviceAddress(env: Env, saved: string | undefined): BaseUrl {
  const given = env['VITRINE_BASE_URL']?.trim()
  const text = given || saved
  if (!text) {
    throw usageProblem(
      'No service address is known: set VITRINE_BASE_URL to it, up to and including /api/v1, ' +
        'or try "npm run demo", which needs no account.',
    )
  }
  const checked = checkBaseUrl(text)
  if (checked.ok) return checked.base
  throw usageProblem(`${given ? 'VITRINE_BASE_URL' : 'The saved connection'}: ${checked.problem}`)
}

/**
 * The API key: VITRINE_API_KEY, else the key store's entry for this address.
 * @throws Problem (4) where there is none, or what there is cannot be a key.
 */
export async function apiKey(env: Env, base: BaseUrl, vault: KeyVault): Promise<ApiKey> {
  const given = env['VITRINE_API_KEY']?.trim()
  if (given) return parsed(given, 'VITRINE_API_KEY')
  const kept = await vault.read(base.href)
  if (kept.kind === 'found') return parsed(kept.key, 'The key in the key store')
  const how = 'Set VITRINE_API_KEY; a key is created in the service under Integrations, Authentication.'
  const why =
    kept.kind === 'none'
      ? `No API key is known for ${base.href}.`
      : 'No API key was given, and this computer has no key store that works.'
  throw new Problem(exitStatus.key, `${why} ${how}`)
}

function parsed(text: string, where: string): ApiKey {
  const key = ApiKey.parse(text)
  if (typeof key === 'string') throw new Problem(exitStatus.key, `${where}: ${key}`)
  return key
}
