import { Drops } from '../../engine/interface/drops.ts'
import { Topic } from '../../engine/interface/topic.ts'
import { engineContract, type EngineContract } from '../../shared/contract/engine-contract.ts'
import type { BatchRecord, ImageDetails } from '../../shared/contract/records.ts'
import type { Handlers } from '../../shared/rpc/contract.ts'
import { Fault } from '../../shared/rpc/fault.ts'
import type { DesktopEngine, EngineNeeds } from '../desktop-program.ts'
import { imageDetails, preferencesRecord, queueRecord } from './records.ts'

type Groups = Record<string, Record<string, unknown>>

/**
 * An engine of which a test says how things stand. It answers what a shell asks it, over the real contract, and refuses
 * everything else.
 */
export class StandInEngine implements DesktopEngine {
  readonly drops = new Drops()
  readonly #topic = new Topic()
  batches: BatchRecord[] = []
  queue = queueRecord()
  preferences = preferencesRecord()
  details: ImageDetails = imageDetails()
  baseUrl = 'https://service.example/api/v1'
  kind: 'practice' | 'account' = 'account'
  closed = 0
  closing: Promise<void> = Promise.resolve()
  needs: EngineNeeds | undefined

  /** Everything that this engine does not answer comes here. */
  refused = (name: string): unknown => {
    throw new Fault('refused', `${name} is not in this test.`)
  }

  /** Says that something has changed. */
  ring(): void {
    this.#topic.ring()
  }

  readonly open = (needs: EngineNeeds): Promise<this> => {
    this.needs = needs
    return Promise.resolve(this)
  }

  readonly pictures = (request: Request): Promise<Response> => {
    const path = new URL(request.url).pathname
    if (path !== '/pictures/1/primary/file') return Promise.resolve(new Response('none', { status: 404 }))
    const range = request.headers.get('range')
    const headers = { 'content-type': 'video/mp4', 'content-range': `bytes 0-3/10 for ${range}` }
    return Promise.resolve(new Response('abcd', { status: range ? 206 : 200, headers }))
  }

  readonly close = async (): Promise<void> => {
    this.closed += 1
    await this.closing
  }

  get handlers(): Handlers<EngineContract> {
    const all: Groups = Object.fromEntries(
      Object.entries(engineContract).map(([group, procedures]) => [
        group,
        Object.fromEntries(
          Object.keys(procedures).map((name) => [name, () => this.refused(`${group}.${name}`)]),
        ),
      ]),
    )
    const follow =
      <T>(read: () => T) =>
      (_: unknown, { signal }: { signal: AbortSignal }) =>
        this.#topic.follow(read, signal)
    all['batches']!['watch'] = follow(() => ({
      batches: this.batches,
      removed: [],
      order: this.batches.map(({ id }) => id),
    }))
    all['queue']!['watch'] = follow(() => this.queue)
    all['preferences']!['watch'] = follow(() => this.preferences)
    all['images']!['details'] = () => this.details
    all['connections']!['watch'] = follow(() => ({
      connections: [
        { id: 'c1', name: 'Studio', kind: this.kind, baseUrl: this.baseUrl, active: true, key: 'key-store' },
      ],
    }))
    return all as unknown as Handlers<EngineContract>
  }
}
