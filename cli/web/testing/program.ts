import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../../engine/clock.ts'
import { createInterface, type EngineInterface } from '../../../engine/interface/create-interface.ts'
import type { InterfaceParts, Practice } from '../../../engine/interface/parts.ts'
import { openPreferenceFile } from '../../../engine/preferences/preference-file.ts'
import { createNodeTransport } from '../../../engine/service/node-transport.ts'
import { createDownloads } from '../../../engine/service/undici-downloads.ts'
import { Store } from '../../../engine/store/store.ts'
import { createMemoryVault } from '../../../engine/vault/memory-vault.ts'
import {
  startPracticeService,
  writeShootLists,
  type PracticeOptions,
  type PracticeService,
} from '../../../practice-service/start.ts'
import { engineContract, type EngineClient } from '../../../shared/contract/engine-contract.ts'
import type { DraftChoice, EstimateRecord, FoundRecord } from '../../../shared/contract/intake-records.ts'
import type { BatchRecord, ImageQuery } from '../../../shared/contract/records.ts'
import { connect } from '../../../shared/rpc/connect.ts'
import { linkedPorts } from '../../../shared/rpc/linked-ports.ts'
import { serve } from '../../../shared/rpc/serve.ts'

/** Of a test's context: what takes things down after it. */
export interface TestEnd {
  readonly onTestFinished: (work: () => void | Promise<void>) => void
}

/** A program as a page sees it: the real engine behind the real contract, over a line that loses what a socket would. */
export interface RunningProgram {
  readonly api: EngineClient
  readonly engine: EngineInterface
  readonly store: Store
  readonly home: string
  readonly out: string
  /** Faults of the program itself; a test ends with none. */
  readonly faults: unknown[]
  /** Everything that the page was told so far. */
  readonly heard: () => string
  /** The practice service that the program has started, if it has. */
  readonly practice: () => PracticeService
  /** Ends the program; what is on the disk stays. */
  readonly close: () => Promise<void>
}

export interface ProgramOptions extends Partial<Omit<InterfaceParts, 'home' | 'store'>> {
  readonly home?: string
  readonly practiceService?: PracticeOptions
}

/** A folder that is gone after the test. */
export async function emptyFolder({ onTestFinished }: TestEnd): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-interface-'))
  onTestFinished(async () => await rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

/** Starts a program on a data folder. */
export async function startProgram(test: TestEnd, options: ProgramOptions = {}): Promise<RunningProgram> {
  const { home = join(await emptyFolder(test), 'home'), practiceService, ...parts } = options
  const store = new Store(join(home, 'queue.db'))
  const faults: unknown[] = []
  const services: PracticeService[] = []
  const engine = await createInterface({
    home,
    store,
    preferences: openPreferenceFile(home),
    vault: createMemoryVault(),
    clock: systemClock,
    random: Math.random,
    transport: createNodeTransport(),
    openDownloads: (baseUrl) => createDownloads({ baseUrl }),
    startPractice: async ({ port, stateFolder }) =>
      await startPractice(services, { port, stateFolder, ...practiceService }),
    outDir: join(home, '..', 'out'),
    settleMs: 300,
    onFault: (error) => void faults.push(error),
    ...parts,
  })
  const [own, page] = linkedPorts()
  const heard: string[] = []
  page.onFrame((frame) => void heard.push(JSON.stringify(frame)))
  const end = serve(engineContract, engine.handlers, own, {
    onInternal: (path, error) => void faults.push(path, error),
  })
  let closed: Promise<void> | undefined
  const close = async () => {
    end()
    await engine.close()
    store.close()
  }
  const once = () => (closed ??= close())
  test.onTestFinished(once)
  return {
    api: connect(engineContract, page).api,
    engine,
    store,
    home,
    out: join(home, '..', 'out'),
    faults,
    heard: () => heard.join('\n'),
    practice: () => services.at(-1)!,
    close: once,
  }
}

async function startPractice(services: PracticeService[], options: PracticeOptions): Promise<Practice> {
  const service = await startPracticeService({ imageWork: 'echo', processing: 0.05, ...options })
  services.push(service)
  return {
    url: service.url,
    key: 'practice',
    writeSamples: async (folder) => void (await writeShootLists(folder, service.origin)),
    close: () => service.close(),
  }
}

/** The first item of a subscription that satisfies; the subscription is left then. */
export async function until<T>(items: AsyncIterable<T>, fits: (item: T) => boolean): Promise<T> {
  for await (const item of items) if (fits(item)) return item
  throw new Error('The subscription ended.')
}

/** How a batch stands once it is so. */
export async function batchOnce(
  { api }: Pick<RunningProgram, 'api'>,
  id: string,
  fits: (batch: BatchRecord) => boolean,
): Promise<BatchRecord> {
  const item = await until(api.batches.watch({}), ({ batches }) =>
    batches.some((batch) => batch.id === id && fits(batch)),
  )
  return item.batches.find((batch) => batch.id === id)!
}

/** Reads a text with addresses. */
export async function readText({ api }: Pick<RunningProgram, 'api'>, text: string): Promise<FoundRecord> {
  const item = await until(
    api.intake.read({ sources: [{ kind: 'text', text, shown: 'pasted text' }], token: 't' }),
    ({ kind }) => kind === 'found',
  )
  if (item.kind !== 'found') throw new Error('Nothing was found.')
  return item.found
}

/** Reads what was dropped. */
export async function readDrop(
  { api, engine }: RunningProgram,
  paths: readonly string[],
): Promise<FoundRecord> {
  const drop = engine.drops.addPaths(paths)
  const item = await until(
    api.intake.read({ sources: [{ kind: 'drop', drop }], token: 'd' }),
    ({ kind }) => kind === 'found',
  )
  return item.kind === 'found' ? item.found : Promise.reject(new Error('Nothing was found.'))
}

export function addresses(count: number, first = 1): string {
  return Array.from(
    { length: count },
    (_, index) => `https://pictures.example/ring-${index + first}.jpg`,
  ).join('\n')
}

/** A choice with everything as it comes. */
export function choiceOf(
  program: RunningProgram,
  draft: string,
  more: Partial<DraftChoice> = {},
): DraftChoice {
  return {
    draft,
    name: 'Rings',
    preset: null,
    recipe: { appId: 'rescue', settings: {}, parameters: {} },
    outDir: join(program.out, 'Rings'),
    nameTemplate: '{folder}/{name}{suffix}.{ext}',
    onConflict: 'rename',
    budget: null,
    test: null,
    ...more,
  }
}

/** Reads, estimates and begins a batch of so many images. */
export async function begin(
  program: RunningProgram,
  count: number,
  more: Partial<DraftChoice> & { readonly start?: boolean; readonly first?: number } = {},
): Promise<{ readonly batch: string; readonly estimate: EstimateRecord }> {
  const { start = true, first = 1, ...choice } = more
  const found = await readText(program, addresses(count, first))
  const estimate = await program.api.intake.estimate(choiceOf(program, found.draft, choice))
  const { batch } = await program.api.intake.begin({ estimate: estimate.estimate, start })
  return { batch, estimate }
}

/** A query for all images of a batch. */
export function queryOf(batch: string, more: Partial<ImageQuery> = {}): ImageQuery {
  return { batch, states: [], ...more }
}
