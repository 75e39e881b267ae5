import { expect, test } from 'vitest'
import type { Clock } from '../clock.ts'
import { contentOfSource, ownSource } from '../own-files/own-source.ts'
import type { PublisherPart } from './parts.ts'
import { seeded } from './testing/random.ts'
import { rehearse } from './testing/rehearsal.ts'

const images = 12

/** Publishes at its own times, forgets now and then what was ready, and signs another link each time. */
function moodyPublisher(clock: Pick<Clock, 'sleep'>, random: () => number, links: string[]): PublisherPart {
  const ready = new Set<string>()
  return {
    trouble: undefined,
    isReady: (source) => ready.has(source),
    link: async (source) => {
      await clock.sleep(random() * 20)
      if (random() < 0.3) {
        ready.delete(source)
        return undefined
      }
      links.push(`https://bucket.example/${contentOfSource(source)}?signature=${links.length}`)
      return links.at(-1)
    },
    async run(host, signal) {
      while (!signal.aborted) {
        for (let n = 0; n < images; n += 1) if (random() < 0.2) ready.add(ownSource(String(n)))
        host.onReady()
        await clock.sleep(100 + random() * 2000, signal)
      }
    },
    finish: () => Promise.resolve(),
  }
}

test.each(Array.from({ length: 12 }, (_, seed) => seed))(
  'own pictures that become ready when they like, with answers lost: each is charged once, by a link of its own (%i)',
  async (seed) => {
    const random = seeded(seed)
    const links: string[] = []
    const rehearsal = rehearse(0, {
      concurrency: 3,
      seed,
      fate: (n) => (n % 5 === 2 ? 'lost-after' : n % 5 === 4 ? 'lost-before' : 'answered'),
      publisher: (clock) => moodyPublisher(clock, random, links),
    })
    const { store, service, batchSeq } = rehearsal
    store.images.add(
      batchSeq,
      0,
      { appId: 'rescue', settings: {}, parameters: {} },
      '/out',
      Array.from({ length: images }, (_, n) => ({
        source: ownSource(String(n)),
        folder: '',
        name: String(n),
        state: 'waiting' as const,
        earlierImageId: null,
      })),
    )
    await rehearsal.run()
    expect(store.batches.counts(batchSeq).delivered).toBe(images)
    const pictures = service.runs.map(({ source }) => source.replace(/\?.*/, ''))
    expect(new Set(pictures).size).toBe(images)
    expect(pictures).toHaveLength(images)
    // Each submission had a link that was signed for it and for nothing else.
    expect(new Set(service.runs.map(({ source }) => source)).size).toBe(images)
    expect(service.runs.every(({ source }) => links.includes(source))).toBe(true)
    // Where there was no link nothing was intended.
    const attempts = store.images
      .page(batchSeq, -1, images)
      .reduce((sum, { id }) => sum + store.ledger.ofImage(id).length, 0)
    expect(attempts).toBe(service.requests.submit)
    expect(service.requests.submit).toBeLessThanOrEqual(links.length)
  },
)
