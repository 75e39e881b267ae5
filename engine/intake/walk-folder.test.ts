import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { fileTrouble } from './file-trouble.ts'
import { naturalOrder } from './walk-folder.ts'

describe('naturalOrder', () => {
  it('counts numbers and ignores case', () => {
    expect(['b 10', 'B 9', 'a', 'Ä', 'z', 'b 09'].sort(naturalOrder)).toEqual([
      'a',
      'Ä',
      'B 9',
      'b 09',
      'b 10',
      'z',
    ])
  })

  it('is one order for any names', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(Math.sign(naturalOrder(a, b))).toBe(-Math.sign(naturalOrder(b, a)) + 0)
        expect(naturalOrder(a, b) === 0).toBe(a === b)
      }),
    )
  })
})

describe('fileTrouble', () => {
  it.each(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP', 'ENAMETOOLONG', 'EMFILE', 'EIO', ''])(
    'has one sentence for %j',
    (code) => {
      const sentence = fileTrouble('shoot/list.txt', Object.assign(new Error('x'), { code }))
      expect(sentence).toMatch(/^[A-Z][^\n]*shoot\/list\.txt[^\n]*\.$/)
    },
  )
})
