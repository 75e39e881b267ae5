import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { checkAddress, MAX_ADDRESS, splitAddresses, unwrapAddress } from './address.ts'
import { tries } from '../../shared/tries.ts'

describe('checkAddress', () => {
  it.each([
    'https://x.test/a.jpg',
    'HTTP://X.test/ä b'.replace(' ', '_'),
    'http://127.0.0.1:8080/a?x={1}|2^',
    'https://[::1]/a',
    'https://user:pw@x.test/%zz',
    'https://x.test/a%20b.jpg#x',
  ])('takes %s as it is', (url) => {
    expect(checkAddress(` ${url}\u200b\r`)).toEqual({ ok: true, url })
  })

  it.each([
    ['www.x.com/a.jpg', /does not begin/, 'https://www.x.com/a.jpg'],
    ['x.com/a.jpg', /does not begin/, 'https://x.com/a.jpg'],
    ['//cdn.x.com/a.jpg', /does not begin/, 'https://cdn.x.com/a.jpg'],
    ['http:/x.com/a.jpg', /does not begin/, 'https://x.com/a.jpg'],
    ['htps://x.com/a.jpg', /does not begin/, 'https://x.com/a.jpg'],
    ['https://x.test/a b.jpg', /%20/, 'https://x.test/a%20b.jpg'],
    ['Front: https://x.test/a.jpg.', /other words/, 'https://x.test/a.jpg'],
    ['https://x.test/a.jpg front', /%20/, undefined],
    ['https://', /no server/, undefined],
    ['https:///a.jpg', /no server/, undefined],
    ['https://x.test:99999/a', /no server/, undefined],
    ['https://x.test/a\u0000.jpg', /control/, undefined],
    ['https://x.test/a\u202e.jpg', /control/, undefined],
    ['https://x.test/\ufffd.jpg', /damaged/, undefined],
    ['https://x.test/\ud800.jpg', /damaged/, undefined],
    [`https://x.test/${'a'.repeat(MAX_ADDRESS)}`, /longer than 8,192/, undefined],
    ['ftp://x.test/a.jpg', /not ftp:/, undefined],
    ['s3://bucket/a.jpg', /not s3:/, undefined],
    ['data:image/png;base64,AAAA', /written out/, undefined],
    ['blob:https://x.test/1', /blob:/, undefined],
    ['file:///c:/a.jpg', /file on a computer/, undefined],
    ['C:\\pics\\a.jpg', /file on a computer/, undefined],
    ['\\\\nas\\a.jpg', /file on a computer/, undefined],
    ['/Users/a/a.jpg', /file on a computer/, undefined],
    ['~/a.jpg', /file on a computer/, undefined],
    ['ring.jpg', /file name without/, undefined],
    ['hello', /not an image address/, undefined],
    ['', /no address/, undefined],
  ])('refuses %j', (text, reason, repair) => {
    const check = checkAddress(text)
    expect(check).toMatchObject({ ok: false, reason: expect.stringMatching(reason) })
    expect(check.ok ? undefined : check.repair?.url).toBe(repair)
  })

  it('only offers repairs that would be taken, and takes only what it was given', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.string().map((text) => `https:${text}`),
          fc.string().map((text) => `https://x.test/${text}`),
        ),
        (text) => {
          const check = checkAddress(text)
          if (check.ok) expect(text).toContain(check.url)
          else if (check.repair) expect(checkAddress(check.repair.url).ok).toBe(true)
        },
      ),
      { numRuns: tries(3000) },
    )
  })
})

describe('what stands around addresses', () => {
  it('is taken off in pairs', () => {
    expect(unwrapAddress(' "<https://x.test/a>", ')).toBe('https://x.test/a')
    expect(unwrapAddress("https://x.test/it's")).toBe("https://x.test/it's")
    expect(unwrapAddress('"')).toBe('"')
  })

  it('parts several addresses, not one with another inside', () => {
    expect(splitAddresses('https://x/1|https://x/2 ,\n https://x/3')).toEqual([
      'https://x/1',
      'https://x/2',
      'https://x/3',
    ])
    const nested = 'https://x.test/fetch/w_3,h_4/https://y.test/a.jpg'
    expect(splitAddresses(nested)).toEqual([nested])
  })
})
