import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { failureReason, reviewReason, undeliveredReason } from './reasons.ts'

const ran = { refused: false }
const short = (text: string, about = ran) => failureReason(text, about).short

describe('why an image failed, in a few words', () => {
  test.each([
    ['Could not download the image: 404', 'Link not reachable'],
    ['Failed to fetch image from url', 'Link not reachable'],
    ['download failed', 'Link not reachable'],
    ['The source URL returned 403', 'Link not reachable'],
    ['getaddrinfo ENOTFOUND pictures.example', 'Link not reachable'],
    ['Image url unreachable', 'Link not reachable'],
    ['Failed to load image', 'Link not reachable'],
    ['No object found in image', 'No item found'],
    ['no foreground detected', 'No item found'],
    ['The subject was not detected', 'No item found'],
    ['Nothing was found in the picture', 'No item found'],
    ['Unsupported image format: image/heic', 'Format not accepted'],
    ['File is not an image', 'Format not accepted'],
    ['Image exceeds maximum size', 'Format not accepted'],
    ['cannot decode', 'Format not accepted'],
    ['Internal error 17', 'Service error'],
    ['', 'Service error'],
  ])('%s', (text, expected) => {
    expect(short(text)).toBe(expected)
  })

  test('what was refused names the setting, where the service did', () => {
    const refused = { refused: true }
    expect(failureReason('bg_color is wrong', refused)).toMatchObject({
      short: 'Request refused',
      heading: 'The service refused the setting bg_color',
    })
    expect(failureReason('400 Bad Request', ran)).toMatchObject({
      heading: 'The service refused the request',
    })
    expect(failureReason(null, refused).advice).toContain('settings')
  })

  test('every text gets words, and none of its own', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 3000 }), fc.boolean(), (text, refused) => {
        const reason = failureReason(text, { refused })
        expect(reason.short.length).toBeLessThan(25)
        expect(reason.heading.length).toBeGreaterThan(5)
        expect(reason.advice).not.toBeNull()
      }),
    )
  })

  test('results that are there, and pictures that may have been sent, have words of their own', () => {
    expect(undeliveredReason()).toMatchObject({
      short: 'Result not saved',
      advice: expect.stringContaining('without a new charge'),
    })
    expect(reviewReason(null).heading).toBe('Was this picture sent?')
    expect(reviewReason('The answer was lost.').advice).toBe('The answer was lost.')
  })
})
