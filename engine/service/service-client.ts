import type { App, Balance, DownloadLink, Run, RunList } from '../../shared/wire.ts'
import type { ServiceResult, SubmitOutcome } from './service-result.ts'
import type { SubmitConnection } from './transport.ts'

/** The service interface (section 4) as calls that never throw for what the service or the network did. */
export interface ServiceClient {
  /** Base address, normalised; safe to show. */
  readonly baseUrl: string
  /** Connects ahead for one submission; nothing is sent. */
  openSubmission(signal?: AbortSignal): Promise<OpenedSubmission>
  /**
   * POST /api/v1/run (4.1) on a connection that was opened for it.
   * @param body see submitBody
   * @param sending called synchronously before the first byte leaves; what it throws makes the outcome 'unsent'
   */
  submit(connection: SubmitConnection, body: string, sending: () => void): Promise<SubmitOutcome>
  /** GET /api/v1/runs/{run_id} (4.2). */
  run(runId: string, signal?: AbortSignal): Promise<ServiceResult<Run>>
  /** GET /api/v1/runs (4.3); limit at most 50. */
  list(query?: ListQuery, signal?: AbortSignal): Promise<ServiceResult<RunList>>
  /** GET /api/v1/balance (4.4). */
  balance(signal?: AbortSignal): Promise<ServiceResult<Balance>>
  /** GET /api/v1/runs/{run_id}/download (4.5); 'refused' with 400 where the run has not succeeded yet. */
  downloadLink(runId: string, signal?: AbortSignal): Promise<ServiceResult<DownloadLink>>
  /** GET /api/v1/apps (4.6), sent without the key. */
  apps(signal?: AbortSignal): Promise<ServiceResult<readonly App[]>>
}

export interface ListQuery {
  /** From 1. */
  readonly page?: number
  readonly limit?: number
  readonly status?: 'SUCCESS' | 'FAILED' | 'IN_QUEUE' | 'IN_PROGRESS' | 'all'
}

export type OpenedSubmission =
  | { readonly kind: 'open'; readonly connection: SubmitConnection }
  | { readonly kind: 'unsent'; readonly message: string; readonly offline: boolean }
