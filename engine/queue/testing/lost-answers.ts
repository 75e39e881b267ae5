import { seeded } from './random.ts'
import { rehearse } from './rehearsal.ts'

/** What became of submissions in question, by the service's own books. */
export interface Settlement {
  batches: number
  images: number
  /** Submissions whose answer was lost, and how many of them the service had taken. */
  lost: number
  taken: number
  leftToAPerson: number
  /** Images that were neither delivered nor left to a person when the queue ended. */
  undelivered: number
  chargedTwice: number
  /** Images that were given another picture's run. */
  mistaken: number
  /** Of virtual time. */
  hours: number
}

export const shares = [0.05, 0.2, 0.5] as const
export const capacities = [1, 5, 20, 100] as const

/** One batch on an account of its own, with a service that loses that share of the answers and does nothing else wrong. */
export async function settleBatch(
  images: number,
  { share, concurrency, seed }: { share: number; concurrency: number; seed: number },
): Promise<Settlement> {
  const random = seeded(seed)
  let lost = 0
  let taken = 0
  const rehearsal = rehearse(images, {
    concurrency,
    seed,
    price: 5,
    fate: () => {
      const x = random() / share
      if (x >= 1) return 'answered'
      lost += 1
      if (x >= 0.5) return 'lost-before'
      taken += 1
      return 'lost-after'
    },
  })
  await rehearsal.run()
  const { store, service, batchSeq, clock } = rehearsal
  const counts = store.batches.counts(batchSeq)
  const delivered = store.images.inState(batchSeq, 'delivered')
  const settled = {
    batches: 1,
    images,
    lost,
    taken,
    leftToAPerson: counts.review,
    undelivered: images - counts.delivered - counts.review,
    chargedTwice: [...service.charges().values()].filter((charges) => charges > 1).length,
    mistaken: delivered.filter(
      (image) => service.runs.find((one) => one.id === image.runId)?.source !== image.source,
    ).length,
    hours: clock.monotonic() / 3_600_000,
  }
  store.close()
  return settled
}
