import { join } from 'node:path'
import type { BalanceRecord } from '../../shared/contract/records.ts'
import { Fault } from '../../shared/rpc/fault.ts'
import { connectionFor } from '../batches/account.ts'
import type { ManifestWriter } from '../delivery/manifest.ts'
import type { PublisherPart } from '../queue/parts.ts'
import type { SavedConnection } from '../preferences/preferences.ts'
import { ApiKey } from '../service/api-key.ts'
import type { Connection } from '../store/rows.ts'
import type { ConnectionBook } from './connection-book.ts'
import { DownloadBytes } from './download-bytes.ts'
import type { Notices } from './notices.ts'
import type { InterfaceParts, Practice } from './parts.ts'
import { clientOf } from './parts.ts'
import { QueueKeeper } from './queue-keeper.ts'
import { balanceRecord, failureSentence } from './service-words.ts'
import { openSession, type Session } from './session.ts'
import { Topic } from './topic.ts'
import { checkBaseUrl } from '../service/base-url.ts'
import { say } from '../../shared/language/say.ts'

/** The key of the practice service, which is no secret: it is on this computer alone and costs nothing. */
const practiceKey = 'practice'
const balanceEveryMs = 10_000

/** The active connection at work. */
export interface Bench {
  readonly session: Session
  readonly keeper: QueueKeeper
}

/**
 * Where one connection at a time is worked on. Changing it ends the one queue in good order before the other begins;
 * what is at the service of the first is fetched when it is active again.
 */
export class Workplace {
  /** Rung when the queue, the balance or the active connection changed. */
  readonly topic = new Topic()
  /** How far downloads are. */
  readonly bytes = new DownloadBytes()
  readonly #parts: InterfaceParts
  readonly #book: ConnectionBook
  readonly #notices: Notices
  #bench: Bench | undefined
  #practice: Practice | undefined
  #balance: BalanceRecord | undefined
  /** Why the active connection could not be opened. */
  #trouble: string | undefined
  #turn: Promise<unknown> = Promise.resolve()
  readonly #closing = new AbortController()

  readonly #manifests: ManifestWriter
  readonly #publisher: PublisherPart

  constructor(
    parts: InterfaceParts,
    book: ConnectionBook,
    notices: Notices,
    { manifests, publisher }: { readonly manifests: ManifestWriter; readonly publisher: PublisherPart },
  ) {
    this.#parts = parts
    this.#manifests = manifests
    this.#publisher = publisher
    this.#book = book
    this.#notices = notices
  }

  get bench(): Bench | undefined {
    return this.#bench
  }

  get balance(): BalanceRecord | undefined {
    return this.#balance
  }

  get trouble(): string | undefined {
    return this.#trouble
  }

  /** The practice service, while it runs. */
  get practice(): Practice | undefined {
    return this.#practice
  }

  /** The session of the active connection. @throws Fault where there is none, with what to do. */
  session(): Session {
    if (this.#bench) return this.#bench.session
    throw new Fault(
      'refused',
      this.#trouble ?? say`No account is connected; connect one, or use the practice service.`,
    )
  }

  /** Begins to work with the connection that is active in the book; ends with the former one first. */
  change(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#end()
      const saved = this.#book.active()
      if (saved && !this.#closing.signal.aborted) await this.#begin(saved)
      this.topic.ring()
    })
  }

  async close() {
    this.#closing.abort()
    await this.#inTurn(() => this.#end())
    await this.#practice?.close()
  }

  /** Asks the service for the balance now; a queue that stood for it goes on. @throws Fault */
  async checkBalance(): Promise<BalanceRecord> {
    const { session, keeper } = this.#bench ?? { session: this.session(), keeper: undefined }
    const answer = await (keeper?.queue ?? { checkBalance: () => session.client.balance() }).checkBalance()
    if (answer.kind !== 'ok') throw new Fault('refused', failureSentence(answer))
    this.#setBalance(balanceRecord(answer.value, this.#parts.clock.now()))
    return this.#balance!
  }

  /** Starts the practice service where it does not run; returns its connection. */
  startPractice(): Promise<SavedConnection> {
    return this.#inTurn(() => this.#openPractice())
  }

  async #openPractice(): Promise<SavedConnection> {
    const known = this.#book.all().find(({ kind }) => kind === 'practice')
    if (this.#practice && known) return known
    const stateFolder = join(this.#parts.home, 'practice')
    const port = known ? Number(new URL(known.baseUrl).port) : 0
    this.#practice = await this.#parts
      .startPractice({ port, stateFolder })
      .catch(
        async () =>
          (known && (await this.#practiceOfAnother(known))) ??
          (await this.#parts.startPractice({ port: 0, stateFolder })),
      )
    const saved = this.#book.practice(this.#practice.url)
    if (known && known.storeId !== null && known.baseUrl !== saved.baseUrl) {
      this.#move(known.storeId, known.baseUrl, saved.baseUrl)
    }
    return saved
  }

  /** Its batches go along, and so do the addresses of its own sample pictures. */
  #move(storeId: number, from: string, to: string) {
    const { store } = this.#parts
    store.transaction(() => {
      store.connections.setBaseUrl(storeId, to)
      store.images.moveSources(storeId, new URL(from).origin, new URL(to).origin)
    })
  }

  /** The practice service where another program on this data folder runs it; two would spoil each other's state. */
  async #practiceOfAnother({ baseUrl }: SavedConnection): Promise<Practice | undefined> {
    const checked = checkBaseUrl(baseUrl)
    const key = ApiKey.parse(practiceKey)
    if (!checked.ok || typeof key === 'string') return undefined
    const answer = await clientOf(this.#parts, checked.base, key).balance()
    if (answer.kind !== 'ok') return undefined
    return {
      url: baseUrl,
      key: practiceKey,
      writeSamples: () =>
        Promise.reject(
          new Fault('refused', say`Another window runs the practice service; read the sample shoot there.`),
        ),
      close: () => Promise.resolve(),
      shared: true,
    }
  }

  /** The program that ran the practice service has ended, and left its batches to this one. */
  #inherit(bench: Bench) {
    if (this.#bench !== bench || !this.#practice?.shared || bench.keeper.queue?.desk.state !== 'offline')
      return
    this.#practice = undefined
    void this.change()
  }

  async #begin(wanted: SavedConnection) {
    this.#trouble = undefined
    try {
      const saved = wanted.kind === 'practice' ? await this.#openPractice() : wanted
      const key = wanted.kind === 'practice' ? ApiKey.parse(this.#practice!.key) : this.#book.key(wanted.id)
      if (key === undefined || typeof key === 'string') {
        this.#trouble = say`No key is known for ${saved.name}; give it again.`
        return
      }
      const storeId = (await this.#storeConnection(saved, key)).id
      await this.#book.setStoreId(saved.id, storeId)
      const tell = {
        manifest: (message: string) =>
          this.#notices.tell(say`The manifest could not be written: ${message}`, 'warning'),
        metadata: (message: string) => this.#notices.tell(message, 'warning'),
      }
      const session = openSession(
        this.#parts,
        saved,
        { storeId, key, manifests: this.#manifests, bytes: this.bytes },
        tell,
      )
      const onChange = () => {
        this.topic.ring()
        if (this.#bench) this.#inherit(this.#bench)
      }
      const keeper = new QueueKeeper({
        interface: this.#parts,
        session,
        publisher: this.#publisher,
        notices: this.#notices,
        onChange,
      })
      this.#bench = { session, keeper }
      void this.#keepBalance(this.#bench)
    } catch (error) {
      this.#parts.onFault(error)
      this.#trouble =
        wanted.kind === 'practice'
          ? say`The practice service could not be started; the log has the details.`
          : say`${wanted.name} could not be opened; the log has the details.`
    }
  }

  /** The store's own record of this address and account. */
  async #storeConnection(saved: SavedConnection, key: ApiKey): Promise<Connection> {
    const { connections } = this.#parts.store
    const text = key.bearer.slice('Bearer '.length)
    const known = connections.find(saved.baseUrl, text)
    if (known) return known
    // It was this connection's key that was changed, whoever did it: its batches go along.
    if (saved.storeId !== null) {
      connections.rekey(saved.storeId, text)
      return connections.byId(saved.storeId)
    }
    const checked = checkBaseUrl(saved.baseUrl)
    if (!checked.ok) throw new Error(checked.problem)
    return await connectionFor(this.#parts.store, clientOf(this.#parts, checked.base, key), text)
  }

  async #end() {
    const bench = this.#bench
    this.#bench = undefined
    this.#balance = undefined
    if (!bench) return
    await bench.keeper.close()
    await bench.session.close()
  }

  /** The balance is asked for at the beginning, and from time to time while credits are being spent. */
  async #keepBalance(bench: Bench) {
    const { clock } = this.#parts
    let spent = -1
    while (this.#bench === bench) {
      const now = this.#spent(bench.session.storeId)
      if (now !== spent || this.#balance === undefined) {
        spent = now
        const answer = await bench.session.client.balance()
        if (answer.kind === 'ok' && this.#bench === bench) {
          this.#setBalance(balanceRecord(answer.value, clock.now()))
        } else if (answer.kind !== 'ok') bench.keeper.queue?.desk.heed(answer)
      }
      await clock.sleep(this.#balance ? balanceEveryMs : 2000, this.#closing.signal)
      if (this.#closing.signal.aborted) return
    }
  }

  #spent(storeId: number): number {
    const { batches } = this.#parts.store
    return batches
      .all()
      .filter((batch) => batch.connectionId === storeId)
      .reduce((sum, batch) => sum + batch.charged, 0)
  }

  #setBalance(balance: BalanceRecord) {
    this.#balance = balance
    this.topic.ring()
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work, work)
    this.#turn = turn.catch(() => {})
    return turn
  }
}
