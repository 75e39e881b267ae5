import { expect, test } from 'vitest'
import { checkCatalogs } from './catalogs.ts'

test('every text of the program passes through the catalogs, and has its German', () => {
  // `npm run strings -- --write` makes the empty places, and takes out what is not used any more.
  expect(checkCatalogs()).toEqual({ missing: [], unused: [], faults: [] })
})
