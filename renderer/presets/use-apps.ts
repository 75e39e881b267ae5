import { useEffect } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { AppRecord } from '../../shared/contract/records.ts'
import { useActiveConnection, useWorkspace } from '../app/workspace-context.ts'

/** Retouchers that the service's document names; the catalogue takes their place as soon as it is there. */
const documented: readonly AppRecord[] = [
  { id: 'rescue', title: 'Rescue', description: null, isRetoucher: true, parameters: undefined },
  { id: 'precision', title: 'Precision', description: null, isRetoucher: true, parameters: undefined },
]

const catalogues = createStore<Readonly<Record<string, readonly AppRecord[]>>>(() => ({}))

/** Apps of the active connection's service; asked for once per connection. */
export function useApps(): readonly AppRecord[] {
  const { api } = useWorkspace()
  const connection = useActiveConnection()?.id
  const known = useStore(catalogues, (all) => (connection === undefined ? undefined : all[connection]))
  useEffect(() => {
    if (connection === undefined || known) return
    const ends = new AbortController()
    const ask = async () => {
      const { apps } = await api.apps.list({}, { signal: ends.signal })
      if (apps.length > 0) catalogues.setState({ [connection]: apps })
    }
    // The form works without a catalogue; it is asked for again when it is opened next.
    ask().catch(() => undefined)
    return () => ends.abort()
  }, [api, connection, known])
  return known ?? documented
}
