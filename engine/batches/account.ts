import type { ServiceClient } from '../service/service-client.ts'
import type { Connection } from '../store/rows.ts'
import type { Store } from '../store/store.ts'

/** Runs that are tried to prove that a new key opens the account of the old one. */
const probes = 3

/**
 * The connection for an address and key. The interface has no account id, so a new key counts as the same account
 * when a run that was made under the old one answers under it (interface, section 5 rule 5); then it takes over the
 * old connection with its open work. Without such proof it is a connection of its own.
 */
export async function connectionFor(store: Store, client: ServiceClient, key: string): Promise<Connection> {
  const known = store.connections.find(client.baseUrl, key)
  if (known) return known
  for (const other of store.connections.others(client.baseUrl, key)) {
    if (await knowsRunsOf(store, client, other)) {
      store.connections.rekey(other.id, key)
      return store.connections.byId(other.id)
    }
  }
  return store.connections.add(client.baseUrl, key)
}

async function knowsRunsOf(store: Store, client: ServiceClient, other: Connection): Promise<boolean> {
  for (const runId of store.ledger.someRuns(other.id, probes)) {
    const answer = await client.run(runId)
    if (answer.kind === 'ok') return true
  }
  return false
}
