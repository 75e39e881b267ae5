import { useEffect, useState } from 'react'
import type { RunRecord } from '../../shared/contract/records.ts'
import { Fault } from '../../shared/rpc/fault.ts'
import { useActiveConnection, useWorkspace } from '../app/workspace-context.ts'
import { t } from '../../shared/language/text.ts'

export type RunStatus = 'IN_QUEUE' | 'IN_PROGRESS' | 'SUCCESS' | 'FAILED'

/** Runs on one page. */
export const pageLength = 50

export interface RunPage {
  readonly runs: readonly RunRecord[]
  readonly total: number | null
  readonly hasMore: boolean
}

export interface Runs {
  /** Of the page before while `isLoading`. */
  readonly page: RunPage | undefined
  readonly isLoading: boolean
  readonly trouble: string | undefined
  readonly reload: () => void
}

/** One page of the service's own list of runs. */
export function useRuns(page: number, status: RunStatus | null): Runs {
  const { api } = useWorkspace()
  const connection = useActiveConnection()?.id
  const [state, setState] = useState<Omit<Runs, 'reload'>>({
    page: undefined,
    isLoading: true,
    trouble: undefined,
  })
  const [asked, setAsked] = useState(0)
  useEffect(() => {
    const ends = new AbortController()
    setState((before) => ({ ...before, isLoading: true }))
    api.runs.list({ page, limit: pageLength, status }, { signal: ends.signal }).then(
      (next) => setState({ page: next, isLoading: false, trouble: undefined }),
      (error: unknown) => {
        if (ends.signal.aborted) return
        const trouble = error instanceof Fault ? error.message : t`The runs could not be asked for.`
        setState({ page: undefined, isLoading: false, trouble })
      },
    )
    return () => ends.abort()
  }, [api, connection, page, status, asked])
  return { ...state, reload: () => setAsked((count) => count + 1) }
}
