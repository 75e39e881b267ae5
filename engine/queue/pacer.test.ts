import { expect, it } from 'vitest'
import { Pacer } from './pacer.ts'
import { seeded } from './testing/random.ts'
import { VirtualClock } from './testing/virtual-clock.ts'

/** Sends as fast as the pacer allows; the service decides each request. */
async function drive(seconds: number, admits: (now: number) => boolean) {
  const clock = new VirtualClock()
  const pacer = new Pacer(clock)
  let admitted = 0
  let refused = 0
  await clock.run(
    (async () => {
      while (clock.monotonic() < seconds * 1000) {
        await pacer.take('get')
        await clock.sleep(10)
        if (admits(clock.monotonic())) {
          admitted += 1
          pacer.admitted()
        } else {
          refused += 1
          pacer.refused(undefined)
        }
      }
    })(),
  )
  return { perSecond: admitted / seconds, refusedShare: refused / (admitted + refused), pacer }
}

function bucket(rate: number) {
  let tokens = rate
  let at = 0
  return (now: number) => {
    tokens = Math.min(rate, tokens + ((now - at) / 1000) * rate)
    at = now
    if (tokens < 1) return false
    tokens -= 1
    return true
  }
}

it.each([2, 3, 5, 10, 30])('finds a limit of %d requests a second and keeps to it', async (rate) => {
  const { perSecond, refusedShare } = await drive(900, bucket(rate))
  expect(perSecond).toBeGreaterThan(0.9 * rate)
  expect(refusedShare).toBeLessThan(0.04)
})

it('grows to its highest rate where nothing is refused', async () => {
  const { pacer } = await drive(120, () => true)
  expect(pacer.rate).toBe(40)
})

it('is not talked down by refusals that come at random', async () => {
  const random = seeded(5)
  const { perSecond } = await drive(300, () => random() > 0.05)
  expect(perSecond).toBeGreaterThan(3)
})

it('lets a waiting GET go before a list, and a list before a submission', async () => {
  const clock = new VirtualClock()
  const pacer = new Pacer(clock)
  const order: string[] = []
  await clock.run(
    (async () => {
      await Promise.all(Array.from({ length: 20 }, () => pacer.take('get')))
      await Promise.all(
        (['submit', 'list', 'get'] as const).map(async (purpose) => {
          await pacer.take(purpose)
          order.push(purpose)
        }),
      )
    })(),
  )
  expect(order).toEqual(['get', 'list', 'submit'])
})
