import type { EngineContract } from '../../shared/contract/engine-contract.ts'
import type { BalanceRecord } from '../../shared/contract/records.ts'
import type { Handlers } from '../../shared/rpc/contract.ts'
import { Fault } from '../../shared/rpc/fault.ts'
import { ApiKey } from '../service/api-key.ts'
import { checkBaseUrl, type BaseUrl } from '../service/base-url.ts'
import type { Connection } from '../store/rows.ts'
import type { ConnectionBook } from './connection-book.ts'
import { clientOf, type InterfaceParts } from './parts.ts'
import { balanceRecord, failureSentence } from './service-words.ts'
import type { Workplace } from './workplace.ts'
import { say } from '../../shared/language/say.ts'

type Checked =
  | { readonly ok: true; readonly baseUrl: string; readonly balance: BalanceRecord }
  | { readonly ok: false; readonly field: 'baseUrl' | 'key' | 'service'; readonly message: string }

/** Runs that are tried to prove that a new key opens the account of the old one. */
const probes = 3

export function connectionHandlers(
  parts: InterfaceParts,
  book: ConnectionBook,
  workplace: Workplace,
): Handlers<EngineContract>['connections'] {
  return {
    watch: (_, { signal }) => book.topic.follow(() => ({ connections: book.records() }), signal),
    check: async ({ baseUrl, key }, { signal }) => (await check(parts, baseUrl, key, signal)).said,
    add: async ({ name, baseUrl, key, unprotected }) => {
      const { said } = await check(parts, baseUrl, key)
      if (!said.ok) return said
      const saved = await book.add({ name, baseUrl: said.baseUrl, key: key.trim(), unprotected })
      book.activate(saved.id)
      await workplace.change()
      return said
    },
    usePractice: async () => {
      const saved = await workplace.startPractice().catch((error: unknown) => {
        parts.onFault(error)
        throw new Fault('refused', say`The practice service could not be started; the log has the details.`)
      })
      await activate(book, workplace, saved.id)
      return {}
    },
    activate: async ({ id }) => {
      await activate(book, workplace, id)
      return {}
    },
    replaceKey: async ({ id, key, unprotected }) =>
      await replaceKey(parts, book, workplace, { id, key, unprotected }),
    rename: ({ id, name }) => {
      book.rename(id, name)
      return {}
    },
    remove: async ({ id }) => {
      const wasActive = book.active()?.id === id
      await book.remove(id)
      if (wasActive) await workplace.change()
      return {}
    },
    protection: async () => await parts.vault.protection(),
  }
}

async function activate(book: ConnectionBook, workplace: Workplace, id: string) {
  if (book.active()?.id === id && workplace.bench) return
  book.activate(id)
  await workplace.change()
}

/** Asks for the balance: proves the address and the key. */
async function check(parts: InterfaceParts, address: string, text: string, signal?: AbortSignal) {
  const no = (field: 'baseUrl' | 'key' | 'service', message: string) => ({
    said: { ok: false, field, message } as const,
  })
  const checked = checkBaseUrl(address)
  if (!checked.ok) return no('baseUrl', checked.problem)
  const key = ApiKey.parse(text)
  if (typeof key === 'string') return no('key', key)
  const answer = await clientOf(parts, checked.base, key).balance(signal)
  if (answer.kind === 'ok') {
    const balance = balanceRecord(answer.value, parts.clock.now())
    return { said: { ok: true, baseUrl: checked.base.href, balance } as const, base: checked.base, key }
  }
  const message = failureSentence(answer)
  if (answer.kind === 'key-rejected') return no('key', message)
  const ofAddress = answer.kind === 'not-the-service' || answer.kind === 'not-found'
  return no(ofAddress ? 'baseUrl' : 'service', message)
}

async function replaceKey(
  parts: InterfaceParts,
  book: ConnectionBook,
  workplace: Workplace,
  wanted: { readonly id: string; readonly key: string; readonly unprotected: boolean },
): Promise<Checked> {
  const saved = book.find(wanted.id)
  if (saved.kind === 'practice') throw new Fault('refused', say`The practice service needs no key.`)
  const checked = await check(parts, saved.baseUrl, wanted.key)
  if (!('key' in checked)) return checked.said
  const { said, base, key } = checked
  const text = wanted.key.trim()
  if (saved.storeId !== null && !(await opensSameAccount(parts, saved.storeId, base, key))) {
    const message = say`This key opens another account. Add it as a connection of its own; this one keeps its batches.`
    return { ok: false, field: 'key', message }
  }
  // From here on the old key is not used any more.
  if (saved.storeId !== null && !parts.store.connections.find(saved.baseUrl, text)) {
    parts.store.connections.rekey(saved.storeId, text)
  }
  await book.keepKey(saved, text, wanted.unprotected)
  if (book.active()?.id === saved.id) await workplace.change()
  return said
}

/**
 * Whether a run that was made under the old key answers under the new one; without runs any key will do. The interface
 * has no account id (interface, section 5 rule 5).
 */
async function opensSameAccount(
  parts: InterfaceParts,
  storeId: Connection['id'],
  base: BaseUrl,
  key: ApiKey,
) {
  const runs = parts.store.ledger.someRuns(storeId, probes)
  if (runs.length === 0) return true
  const client = clientOf(parts, base, key)
  for (const runId of runs) {
    const answer = await client.run(runId)
    if (answer.kind === 'ok') return true
  }
  return false
}
