import { expect, test } from 'vitest'
import { exitStatus, statusOfWork } from './exit-status.ts'

const ends = [
  'done',
  'paused',
  'interrupted',
  'key-rejected',
  'unwritable',
  'out-of-credits',
  'budget',
] as const
const counts = [
  { failed: 0, review: 0 },
  { failed: 1, review: 0 },
  { failed: 0, review: 1 },
  { failed: 2, review: 3 },
]

test('every end with every count has the status of the contract', () => {
  const table = Object.fromEntries(ends.map((end) => [end, counts.map((count) => statusOfWork(end, count))]))
  expect(table).toEqual({
    done: [0, 2, 2, 2],
    paused: [2, 2, 2, 2],
    interrupted: [130, 130, 130, 130],
    'key-rejected': [4, 4, 4, 4],
    unwritable: [73, 73, 73, 73],
    'out-of-credits': [3, 3, 3, 3],
    budget: [3, 3, 3, 3],
  })
})

test('the numbers are those of the contract', () => {
  expect(Object.values(exitStatus).toSorted((a, b) => a - b)).toEqual([0, 2, 3, 4, 64, 69, 70, 73, 130])
})
