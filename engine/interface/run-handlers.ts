import { extname } from 'node:path'
import type { EngineContract } from '../../shared/contract/engine-contract.ts'
import type { Handlers } from '../../shared/rpc/contract.ts'
import { plainText } from '../../shared/plain-text.ts'
import { Fault } from '../../shared/rpc/fault.ts'
import { isRetoucher } from '../../shared/settings.ts'
import type { Run } from '../../shared/wire.ts'
import { DeliveryError } from '../delivery/delivery-error.ts'
import type { Delivery } from '../delivery/delivery.ts'
import { defaultNameTemplate, parseNameTemplate, pathRoom, renderName } from '../delivery/names.ts'
import type { OfferedOutput } from '../queue/parts.ts'
import { outputsOf } from '../queue/offered-outputs.ts'
import type { ServiceClient } from '../service/service-client.ts'
import { prepareFolder } from './output-place.ts'
import type { InterfaceParts } from './parts.ts'
import { runRecord, summaryRecord } from './run-records.ts'
import { failureSentence, valueOf } from './service-words.ts'
import type { Workplace } from './workplace.ts'
import { say } from '../../shared/language/say.ts'

export function runHandlers(parts: InterfaceParts, workplace: Workplace): Handlers<EngineContract>['runs'] {
  const { store } = parts
  return {
    list: async ({ page, limit, status }, { signal }) => {
      const { client } = workplace.session()
      const found = valueOf(await client.list({ page, limit, status: status ?? 'all' }, signal))
      return {
        runs: found.runs.map((run) => summaryRecord(store, run)),
        total: found.total ?? null,
        hasMore: found.hasMore ?? found.runs.length >= limit,
      }
    },
    show: async ({ runId }, { signal }) =>
      runRecord(store, valueOf(await workplace.session().client.run(runId, signal))),
    download: ({ runIds, outDir }, { signal }) => download(workplace, runIds, outDir, signal),
  }
}

export function appHandlers(workplace: Workplace): Handlers<EngineContract>['apps'] {
  return {
    list: async (_, { signal }) => {
      const apps = valueOf(await workplace.session().client.apps(signal))
      return {
        apps: apps.map((app) => ({
          id: app.id,
          title: app.title,
          description: app.description ?? null,
          isRetoucher: isRetoucher(app),
          parameters: app.parameters ?? null,
        })),
      }
    },
  }
}

interface Tally {
  files: number
  bytes: number
  readonly written: string[]
  readonly problems: string[]
}

async function* download(
  workplace: Workplace,
  runIds: readonly string[],
  outDir: string,
  signal: AbortSignal,
) {
  const { client, delivery } = workplace.session()
  const folder = await prepareFolder(outDir)
  const tally: Tally = { files: 0, bytes: 0, written: [], problems: [] }
  const shown = () => ({ ...tally, written: [...tally.written], problems: [...tally.problems] })
  for (const runId of new Set(runIds)) {
    if (signal.aborted) return
    try {
      const run = valueOf(await client.run(runId, signal))
      const name = await nameOf(client, run, signal)
      for (const output of await offered(client, run, signal)) {
        const placed = await fetchOne(delivery, { run, output, folder, name, signal })
        tally.files += 1
        tally.bytes += placed.bytes
        if (placed.written) tally.written.push(placed.relative)
        yield { ...shown(), done: false }
      }
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof Fault || error instanceof DeliveryError)) throw error
      tally.problems.push(say`Run ${plainText(runId, 80)}: ${error.message}`)
      yield { ...shown(), done: false }
      if (error instanceof DeliveryError && error.stopsBatch) break
    }
  }
  yield { ...shown(), done: true }
}

/** @throws Fault where the run has no file to fetch */
async function offered(
  client: ServiceClient,
  run: Run,
  signal: AbortSignal,
): Promise<readonly OfferedOutput[]> {
  if (run.status === 'FAILED') {
    throw new Fault('refused', say`it failed: ${plainText(run.error ?? say`no reason was given`)}`)
  }
  if (run.status !== 'SUCCESS') throw new Fault('refused', say`it is not finished yet; try again later.`)
  const outputs = outputsOf(run)
  if (outputs.length > 0) return outputs
  const link = await client.downloadLink(run.runId, signal)
  if (link.kind !== 'ok') throw new Fault('refused', failureSentence(link))
  return [{ label: say`Result`, slug: 'primary', url: link.value.downloadUrl, isVideo: run.isVideo }]
}

/** The service's own name for the file (2.5), else the run's id. */
async function nameOf(client: ServiceClient, run: Run, signal: AbortSignal): Promise<string> {
  const link = await client.downloadLink(run.runId, signal)
  const filename = link.kind === 'ok' ? link.value.filename : undefined
  return filename === undefined ? run.runId : filename.slice(0, filename.length - extname(filename).length)
}

interface Wanted {
  readonly run: Run
  readonly output: OfferedOutput
  readonly folder: string
  readonly name: string
  readonly signal: AbortSignal
}

const namingTries = 20

/** Fetches, checks, names and places one file outside any batch; nothing is ever replaced. */
async function fetchOne(delivery: Delivery, { run, output, folder, name, signal }: Wanted) {
  const { url, isVideo, slug } = output
  const got = await delivery.fetchToPart({ url, outDir: folder, folder: '', isVideo, signal })
  const { part, bytes, sha256 } = got
  const template = parseNameTemplate(defaultNameTemplate)
  if (!template.ok) throw new Error(template.problem)
  const values = {
    folder: '',
    name,
    suffix: slug === 'primary' ? '' : `-${slug}`,
    ext: got.extension,
    n: 1,
    of: 1,
  }
  const about = { batch: '', preset: '', app: run.appId, run: run.runId, date: run.created.slice(0, 10) }
  const relative = renderName(template.template, { ...values, ...about }, pathRoom(folder))
  const where = { outDir: folder, bytes, sha256 }
  for (let tries = 0; tries < namingTries; tries += 1) {
    const settled = await delivery.settleName({
      ...where,
      relative,
      onConflict: 'rename',
      claimed: () => false,
    })
    if (settled.kind !== 'free') {
      await delivery.discardPart(part)
      return { relative: settled.relative, bytes, written: false }
    }
    const placed = await delivery.placePart({ ...where, part, relative: settled.relative, replace: false })
    if (placed === 'placed') return { relative: settled.relative, bytes, written: true }
  }
  throw new Fault('refused', say`No free name was found for ${relative}; other programs write there too.`)
}
