import type { ApiKey } from '../engine/service/api-key.ts'
import type { BaseUrl } from '../engine/service/base-url.ts'
import { createServiceClient, type ServiceClient } from '../engine/service/service-client.ts'
import type { ServiceResult } from '../engine/service/service-result.ts'
import type { Transport } from '../engine/service/transport.ts'
import { plainText } from '../shared/plain-text.ts'
import type { Balance } from '../shared/wire.ts'
import { apiKey, serviceAddress } from './environment.ts'
import { exitStatus } from './exit-status.ts'
import { Problem } from './problem.ts'
import { openPreferences, warn, type Shell } from './shell.ts'

/** A service address, and the client that speaks to it. */
export interface Account {
  readonly base: BaseUrl
  readonly client: ServiceClient
  /** The key's fingerprint is kept with the connection; the text goes nowhere else. */
  readonly keyText: string
  readonly close: () => void
}

/** The address, without asking for a key: usage comes before it. */
export async function addressOf(shell: Shell): Promise<BaseUrl> {
  const preferences = await openPreferences(shell)
  return serviceAddress(shell.io.env, preferences.read().baseUrl)
}

/** The client for an address with the person's key. @throws Problem (4) without a key. */
export async function openAccount(shell: Shell, base: BaseUrl): Promise<Account> {
  const vault =
    shell.overrides.vault ?? (await import('../engine/vault/keyring-vault.ts')).createKeyringVault()
  const key = await apiKey(shell.io.env, base, vault)
  const keyText = key.bearer.slice('Bearer '.length)
  shell.secrets.add(keyText)
  return { ...(await clientOf(shell, base, key)), keyText }
}

/** A client without a key, for the one endpoint that takes none. */
export async function openCatalogue(shell: Shell, base: BaseUrl): Promise<Omit<Account, 'keyText'>> {
  return await clientOf(shell, base, undefined)
}

async function clientOf(shell: Shell, base: BaseUrl, key: ApiKey | undefined) {
  let transport: Transport | undefined = shell.overrides.transport
  let close = () => {}
  if (!transport) {
    const { createNodeTransport } = await import('../engine/service/node-transport.ts')
    const own = createNodeTransport()
    transport = own
    close = () => own.close()
  }
  return { base, client: createServiceClient({ base, key, transport, clock: shell.clock }), close }
}

const attempts = 3
const longestPauseMs = 5000

/** A call at the start, tried again a few times where the service is only busy or has a passing fault. */
export async function patiently<T>(
  shell: Shell,
  call: () => Promise<ServiceResult<T>>,
): Promise<ServiceResult<T>> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await call()
    const passing = answer.kind === 'busy' || (answer.kind === 'unavailable' && answer.status !== undefined)
    if (!passing || attempt === attempts || shell.stop.signal.aborted) return answer
    const wished = answer.kind === 'busy' ? (answer.retryAfterMs ?? 500) : 300
    await shell.clock.sleep(Math.min(longestPauseMs, wished * attempt), shell.stop.signal)
  }
}

/** The credits of the account; also proves that this is the service and that it takes the key. */
export async function readBalance(shell: Shell, account: Account): Promise<Balance> {
  const answer = await patiently(shell, () => account.client.balance())
  return valueOf(answer, account)
}

/**
 * The value of an answer, or the command's end.
 * @throws Problem: 4 where the key is rejected, 64 where there is no such run, 69 for everything else
 */
export function valueOf<T>(answer: ServiceResult<T>, account: Pick<Account, 'base'>): T {
  if (answer.kind === 'ok') return answer.value
  const said = plainText(answer.message)
  const host = account.base.href
  if (answer.kind === 'key-rejected') {
    throw new Problem(
      exitStatus.key,
      `The service at ${host} rejected the key (${answer.status}): ${sentence(said)} ` +
        'Copy it again, or create a new one.',
    )
  }
  if (answer.kind === 'not-found') throw new Problem(exitStatus.usage, sentence(said))
  if (answer.kind === 'aborted') throw new Problem(exitStatus.interrupted, 'Interrupted.')
  throw new Problem(exitStatus.unreachable, `${host}: ${sentence(said)}`)
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`
}

/** A word where the service's catalogue does not name the app; whatever else goes wrong is a word too. */
export async function warnOfUnknownApp(shell: Shell, client: ServiceClient, appId: string) {
  const answer = await patiently(shell, () => client.apps())
  if (answer.kind !== 'ok') {
    warn(shell, `The list of apps could not be read (${plainText(answer.message)}); going on without it.`)
    return
  }
  if (answer.value.some((app) => app.id === appId)) return
  const names = answer.value.slice(0, 12).map((app) => plainText(app.id, 60))
  warn(
    shell,
    `The service does not list an app "${plainText(appId, 60)}" (it lists ${names.join(', ') || 'none'}); it is tried all the same.`,
  )
}
