import { randomBytes, randomUUID } from 'node:crypto'
import { Accounts } from './accounts.ts'
import type { Account } from './accounts.ts'
import type { PracticeApp } from './apps.ts'
import { Ledger } from './books.ts'
import type { Books } from './books.ts'
import { Faults } from './faults.ts'
import { OutputFolder } from './image-work.ts'
import { FileJournal, noJournal } from './journal.ts'
import type { Journal } from './journal.ts'
import { restore } from './restore.ts'
import { Links } from './links.ts'
import type { Conduct, Setup } from './options.ts'
import { Outputs } from './outputs.ts'
import { drawSeconds, seededRandom } from './random.ts'
import type { Random } from './random.ts'
import { completionNotice } from './records.ts'
import type { RecordContext } from './records.ts'
import { RunWork } from './run-work.ts'
import type { Result } from './run-work.ts'
import { newRun, Runs } from './runs.ts'
import type { Run } from './runs.ts'
import { ServerPool } from './server-pool.ts'
import { judgeSubmission } from './submission.ts'
import type { Submission } from './submission.ts'
import { Webhooks } from './webhooks.ts'

/** The service behind its endpoints: accounts, runs and the work on them. */
export class Service {
  readonly setup: Setup
  readonly conduct: Conduct
  readonly accounts: Accounts
  readonly apps: ReadonlyMap<string, PracticeApp>
  readonly runs = new Runs()
  readonly ledger = new Ledger()
  readonly links: Links
  readonly outputs: Outputs
  readonly pool: ServerPool
  readonly faults: Faults
  /** Aborts when the service closes. */
  readonly closing = new AbortController()
  readonly #folder: OutputFolder
  readonly #work: RunWork
  readonly #webhooks: Webhooks
  readonly #journal: Journal
  readonly #times: Random

  constructor(setup: Setup) {
    this.setup = setup
    this.conduct = setup.conduct
    this.accounts = new Accounts(setup.accounts)
    this.apps = new Map(setup.apps.map((app) => [app.id, app]))
    this.#times = seededRandom(setup.seed)
    this.faults = new Faults(setup.faults, setup.seed + 2)
    this.#folder = new OutputFolder(setup.stateFolder)
    this.outputs = new Outputs(() => this.#folder.path())
    this.#work = new RunWork(setup, this.outputs)
    this.#webhooks = new Webhooks(setup.webhook, setup.clock, this.ledger, this.closing.signal)
    this.pool = new ServerPool(this.conduct.concurrency, (run) => this.#workOn(run))
    const journal = setup.stateFolder === undefined ? undefined : new FileJournal(setup.stateFolder)
    this.#journal = journal ?? noJournal
    const restored = restore(journal?.read() ?? [], this.accounts, this.#journal)
    this.links = new Links(restored.secret ?? this.#newSecret())
    for (const run of restored.runs) {
      this.runs.add(run)
      this.runs.list(run)
    }
  }

  /** Queues what a restart found unfinished; called once links can be signed. */
  resume(): void {
    for (const run of this.runs.all()) if (run.status === 'IN_QUEUE') this.pool.enqueue(run)
  }

  /** The service's time: the clock's with its skew. */
  now(): number {
    return this.setup.clock.now() + this.conduct.clockSkewMs
  }

  /** What records of runs need beside the run. */
  recordContext(): RecordContext {
    return {
      links: this.links,
      nowMs: this.now(),
      skewMs: this.conduct.clockSkewMs,
      linkSeconds: this.conduct.linkSeconds,
    }
  }

  /** Accepts and charges a submission; undefined when the credits do not cover it (402). */
  submit(account: Account, submission: Submission, stranger = false): Run | undefined {
    const paid = account.pay(submission.price)
    if (!paid) return undefined
    const accepted = {
      runId: `run_${randomUUID().replaceAll('-', '')}`,
      account: account.name,
      appId: submission.app.id,
      appTitle: submission.app.title,
      parameters: submission.parameters,
      webhookUrl: submission.webhookUrl,
      stranger,
      createdMs: this.setup.clock.now(),
      price: submission.price,
      paid,
    }
    this.#journal.write({ event: 'accepted', ...accepted })
    const run = newRun(accepted, this.runs.size + 1)
    this.runs.add(run)
    void this.#list(run)
    this.pool.enqueue(run)
    return run
  }

  /** Submits as another client of the account would; returns the run's id, or throws why there is none. */
  submitAsStranger(
    accountName: string,
    appId: string,
    parameters: Readonly<Record<string, unknown>>,
  ): string {
    const body = { app_id: appId, parameters, webhook_url: 'https://stranger.invalid/' }
    const judged = judgeSubmission(JSON.stringify(body), this.apps)
    if (!judged.ok) throw new Error(judged.problem)
    const run = this.submit(this.accounts.named(accountName), judged.submission, true)
    if (!run) throw new Error(`The account "${accountName}" has too few credits for a run of ${appId}.`)
    return run.runId
  }

  topUp(accountName: string, credits: number): void {
    this.accounts.named(accountName).otherCredits += credits
    this.#journal.write({ event: 'top-up', account: accountName, credits })
  }

  change(conduct: Partial<Conduct>): void {
    Object.assign(this.conduct, conduct)
    this.pool.setConcurrency(this.conduct.concurrency)
  }

  books(): Books {
    return this.ledger.snapshot(this.runs, this.accounts)
  }

  async close(): Promise<void> {
    this.closing.abort()
    const working = this.pool.close()
    await Promise.all([this.#work.close(), this.#webhooks.close()])
    await working
    await this.#folder.remove()
  }

  async #list(run: Run): Promise<void> {
    if (this.conduct.listDelayMs > 0) {
      await this.setup.clock.sleep(this.conduct.listDelayMs, this.closing.signal)
    }
    this.runs.list(run)
  }

  async #workOn(run: Run): Promise<void> {
    const { clock } = this.setup
    const { signal } = this.closing
    this.runs.setStatus(run, 'IN_PROGRESS')
    run.startedMs = clock.now()
    const app = this.apps.get(run.appId)
    const account = this.accounts.named(run.account)
    const enough = clock.sleep(drawSeconds(this.conduct.processing, this.#times) * 1000, signal)
    const result: Result = app
      ? await this.#work.produce(run, app, account, signal)
      : { ok: false, error: `There is no app "${run.appId}" any more.` }
    await enough
    // What a closed service had in hand is queued again when it is started on the same folder.
    if (!signal.aborted) this.#finish(run, account, result)
  }

  #finish(run: Run, account: Account, result: Result): void {
    run.completedMs = this.setup.clock.now()
    if (result.ok) {
      run.outputs = result.outputs
      run.thumbnail = result.thumbnail
      run.isVideo = result.isVideo
    } else {
      run.error = result.error
      if (this.conduct.refund === 'refund') {
        account.refund(run.paid)
        run.creditsCharged = 0
      }
    }
    this.runs.setStatus(run, result.ok ? 'SUCCESS' : 'FAILED')
    this.#journal.write({
      event: 'finished',
      runId: run.runId,
      status: run.status,
      completedMs: run.completedMs,
      creditsCharged: run.creditsCharged,
      isVideo: run.isVideo,
      outputs: [...run.outputs],
      ...(run.startedMs === undefined ? {} : { startedMs: run.startedMs }),
      ...(run.error === undefined ? {} : { error: run.error }),
      ...(run.thumbnail === undefined ? {} : { thumbnail: run.thumbnail }),
    })
    this.#webhooks.notify(run, () => completionNotice(run, this.recordContext()))
  }

  #newSecret(): string {
    const secret = randomBytes(32).toString('hex')
    this.#journal.write({ event: 'secret', secret })
    return secret
  }
}
