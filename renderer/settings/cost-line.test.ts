import { array, assert, boolean, integer, nat, option, property, record } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { costLine, costParts, type CostQuestion } from './cost-line.ts'

const certain = (credits: number) => ({ min: credits, max: credits })
const shoot: CostQuestion = {
  groups: [{ count: 212, base: 2, extras: certain(4) }],
  unit: 'images',
  balance: 1284,
}

describe('the cases of the design', () => {
  test('exact', () => {
    expect(costLine({ ...shoot, balance: 5000 })).toEqual({
      line: `212 images × 6 = ${(1272).toLocaleString()} credits`,
      total: certain(1272),
      after: { text: `Balance after: ${(3728).toLocaleString()}`, tone: 'plain' },
    })
  })

  test('what is left is little: amber', () => {
    expect(costLine(shoot).after).toEqual({ text: 'Balance after: 12', tone: 'amber' })
  })

  test('while it runs', () => {
    const groups = [{ count: 80, base: 2, extras: certain(4) }]
    expect(costLine({ groups, unit: 'left', balance: 528 })).toMatchObject({
      line: '80 left × 6 = 480 credits',
      after: { text: 'Balance after: 48', tone: 'plain' },
    })
  })

  test('De-banding is left to the account', () => {
    const groups = [{ count: 212, base: 2, extras: { min: 3, max: 4 } }]
    expect(costLine({ ...shoot, groups }).line).toBe(
      `212 × 5 to 6 = ${(1060).toLocaleString()} to ${(1272).toLocaleString()}`,
    )
  })

  test('images of different settings', () => {
    const groups = [
      { count: 2, base: 2, extras: certain(3) },
      { count: 2, base: 2, extras: { min: 3, max: 4 } },
    ]
    expect(costLine({ ...shoot, groups, balance: 72 })).toMatchObject({
      line: '4 images × 5 to 6 = 20 to 22 credits',
      after: { text: 'Balance after: 50 to 52' },
    })
  })

  test('the base price is not known', () => {
    const groups = [{ count: 212, base: undefined, extras: certain(4) }]
    expect(costLine({ ...shoot, groups })).toEqual({
      line: '212 × (4 + base price)',
      total: undefined,
      hint: '“3 first” finds the base price out for 3 images',
    })
    const plain = [{ count: 2, base: undefined, extras: certain(0) }]
    expect(costLine({ ...shoot, groups: plain })).toEqual({ line: '2 × base price', total: undefined })
  })

  test('the balance does not reach: red, with what fits', () => {
    expect(costLine({ ...shoot, balance: 1080 }).after).toEqual({
      text: '180 images fit, 32 will wait',
      tone: 'red',
    })
    expect(costLine({ ...shoot, balance: 6 }).after?.text).toBe('1 image fits, 211 will wait')
    expect(costLine({ ...shoot, committed: certain(204) }).after?.text).toBe('180 images fit, 32 will wait')
  })

  test('what costs nothing is never short of credits, however much others have taken', () => {
    const groups = [{ count: 1, base: 0, extras: certain(0) }]
    const { after } = costLine({ ...shoot, groups, balance: 0, committed: certain(1) })
    expect(after?.text).toBe('Balance after: 0')
  })

  test('it depends on the account whether the balance reaches', () => {
    const groups = [{ count: 10, base: 2, extras: { min: 0, max: 1 } }]
    expect(costLine({ ...shoot, groups, balance: 24 }).after).toEqual({
      text: 'May not reach for all: 8 images surely fit',
      tone: 'amber',
    })
  })

  test('play credits, one image, nothing', () => {
    const one = [{ count: 1, base: 1, extras: certain(0) }]
    expect(costLine({ ...shoot, groups: one, isPractice: true }).line).toBe('1 image × 1 = 1 play credit')
    expect(costLine({ ...shoot, groups: [] }).line).toBe('Nothing left to send')
  })
})

test('the words and the figures agree for any batch', () => {
  const group = record({
    count: nat({ max: 60 }),
    base: nat({ max: 9 }),
    extra: nat({ max: 4 }),
    open: boolean(),
  })
  assert(
    property(
      array(group, { maxLength: 4 }),
      option(nat({ max: 900 }), { nil: undefined }),
      integer({ min: 0, max: 50 }),
      (some, balance, others) => {
        const groups = some.map(({ count, base, extra, open }) => ({
          count,
          base,
          extras: { min: extra, max: extra + (open ? 1 : 0) },
        }))
        const answer = costLine({ groups, unit: 'images', balance, committed: certain(others) })
        const least = groups.reduce((sum, { count, base, extras }) => sum + count * (base + extras.min), 0)
        const most = groups.reduce((sum, { count, base, extras }) => sum + count * (base + extras.max), 0)
        expect(answer.total).toEqual({ min: least, max: most })
        if (balance === undefined || groups.every(({ count }) => count === 0)) {
          expect(answer.after).toBeUndefined()
          return
        }
        expect(answer.after?.tone === 'red').toBe(least > Math.max(0, balance - others))
        expect(answer.after?.text.startsWith('Balance after')).toBe(most <= Math.max(0, balance - others))
        const fit = /(\d+) images? fits?, (\d+) will wait/.exec(answer.after?.text ?? '')
        if (fit === null) return
        const count = groups.reduce((sum, group) => sum + group.count, 0)
        expect(Number(fit[1]) + Number(fit[2])).toBe(count)
        expect(Number(fit[2])).toBeGreaterThan(0)
      },
    ),
  )
})

test('what the price is made of', () => {
  expect(costParts('Rescue', 2, certain(3), certain(1))).toEqual(['Rescue 2', 'Background 3', 'De-banding 1'])
  expect(costParts('Rescue', undefined, certain(0), { min: 0, max: 1 })).toEqual([
    'Base price',
    'De-banding 0 or 1',
  ])
})
