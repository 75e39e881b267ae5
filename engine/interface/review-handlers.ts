import type { EngineContract } from '../../shared/contract/engine-contract.ts'
import type { RunRecord } from '../../shared/contract/records.ts'
import { plainText } from '../../shared/plain-text.ts'
import type { Handlers } from '../../shared/rpc/contract.ts'
import { Fault } from '../../shared/rpc/fault.ts'
import { adoptRun, DecisionError, dropImage, sendAgain } from '../batches/decisions.ts'
import { estimate } from '../queue/prices.ts'
import type { Attempt, Candidate, Image } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import { imageOf, wakeBatch, type ImageActions } from './image-actions.ts'
import { ImageRecords } from './image-records.ts'
import type { InterfaceParts } from './parts.ts'
import { candidateRecord, runRecord } from './run-records.ts'
import type { Workplace } from './workplace.ts'
import { say } from '../../shared/language/say.ts'

/** Of more candidates than this only what was noted of them is told. */
const mostAsked = 12
/** A run that was created within this of the sending may be offered as chosen, if it is the only one. */
const nearMs = 5000

export function reviewHandlers(
  parts: InterfaceParts,
  workplace: Workplace,
  actions: ImageActions,
): Handlers<EngineContract>['review'] {
  const { store, clock } = parts
  return {
    candidates: async ({ image: id }, { signal }) => {
      const image = imageOf(store, id)
      return await candidatesOf(store, workplace, image, signal)
    },
    decide: ({ image: id, decision }) => {
      const image = imageOf(store, id)
      try {
        if (decision.kind === 'adopt') adoptRun(store, image, decision.runId, clock)
        else if (decision.kind === 'send-again') sendAgain(store, image, clock)
        else dropImage(store, image, clock)
      } catch (error) {
        if (error instanceof DecisionError) throw new Fault('refused', error.message)
        throw error
      }
      if (decision.kind !== 'drop') wakeBatch(store, image.batchSeq)
      actions.changed([image.batchSeq])
      return {}
    },
  }
}

async function candidatesOf(store: Store, workplace: Workplace, image: Image, signal: AbortSignal) {
  const attempts = store.ledger.ofImage(image.id)
  const attempt = attempts.find(({ state }) => state === 'review') ?? attempts.at(-1)
  const noted = attempt ? freeCandidates(store, attempt, image) : []
  const runs = await Promise.all(
    noted.map(async (candidate, index) => {
      const run =
        index < mostAsked
          ? await askedRun(store, workplace, candidate, signal)
          : candidateRecord(store, candidate)
      const apart = attempt ? apartOf(attempt, candidate) : null
      return { run, apart, sameApp: attempt !== undefined && candidate.appId === attempt.appId }
    }),
  )
  const near = runs.filter(({ apart, sameApp }) => sameApp && apart !== null && Math.abs(apart) <= nearMs)
  const recipe = store.images.recipeById(image.recipeId)
  const noticed = { min: attempt?.priceMin ?? null, max: attempt?.priceMax ?? null }
  const cost =
    noticed.min !== null && noticed.max !== null
      ? { min: noticed.min, max: noticed.max }
      : (estimate(store, store.batches.bySeq(image.batchSeq).connectionId, recipe) ?? null)
  return {
    image: new ImageRecords(store).details(image),
    sentFrom: attempt?.sentFrom ?? null,
    sentTo: attempt?.sentTo ?? null,
    why: plainText(image.error ?? attempt?.detail ?? say`The answer of the service was lost.`, 500),
    runs,
    likely: near.length === 1 ? near[0]!.run.runId : null,
    cost,
  }
}

/** A run that another image took since is no candidate any more. */
function freeCandidates(store: Store, attempt: Attempt, image: Image): Candidate[] {
  return store.ledger
    .candidates(attempt.id)
    .filter(({ runId }) => (store.ledger.byRun(runId)?.imageId ?? image.id) === image.id)
}

/** Milliseconds between sending and a run's creation, in the service's time. */
function apartOf({ sentFrom, sentTo }: Attempt, { created }: Candidate): number | null {
  const at = Date.parse(created)
  if (Number.isNaN(at) || sentFrom === null || sentTo === null) return null
  if (at < sentFrom) return at - sentFrom
  return at > sentTo ? at - sentTo : 0
}

/** The run as it is now; what was noted of it where the service does not answer. */
async function askedRun(
  store: Store,
  workplace: Workplace,
  candidate: Candidate,
  signal: AbortSignal,
): Promise<RunRecord> {
  const client = workplace.bench?.session.client
  const answer = await client?.run(candidate.runId, signal)
  return answer?.kind === 'ok' ? runRecord(store, answer.value) : candidateRecord(store, candidate)
}
