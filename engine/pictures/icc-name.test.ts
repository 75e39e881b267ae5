import fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { profileName } from './icc-name.ts'
import { tries } from '../../shared/tries.ts'

describe('the name of a colour profile', () => {
  it('is read from profiles of both versions', async () => {
    const picture = sharp({ create: { width: 1, height: 1, channels: 3, background: 'red' } })
    const p3 = await sharp(await picture.withIccProfile('p3').png().toBuffer()).metadata()
    expect(profileName(p3.icc!)).toBe('sP3C')
    const v4 = Buffer.alloc(132 + 12 + 28 + 8)
    v4.writeUInt32BE(1, 128)
    v4.write('desc', 132, 'latin1')
    v4.writeUInt32BE(144, 136)
    v4.writeUInt32BE(36, 140)
    v4.write('mluc', 144, 'latin1')
    v4.writeUInt32BE(8, 144 + 20)
    v4.writeUInt32BE(28, 144 + 24)
    for (const [i, letter] of ['Ä', 'b', '\0', 'c'].entries())
      v4.writeUInt16BE(letter.codePointAt(0)!, 172 + 2 * i)
    expect(profileName(v4)).toBe('Äb')
  })

  it('never throws and never names control characters, whatever the bytes', () => {
    const head = fc.uint8Array({ minLength: 0, maxLength: 300 })
    fc.assert(
      fc.property(head, fc.nat(160), fc.nat(400), fc.nat(400), (bytes, at, start, size) => {
        const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
        if (bytes.length >= 160) {
          view.setUint32(128, 2)
          bytes.set(Buffer.from('desc'), 132)
          view.setUint32(136, start)
          view.setUint32(140, size)
          if (at + 4 < bytes.length) bytes.set(Buffer.from(at % 2 ? 'desc' : 'mluc'), at)
        }
        const name = profileName(bytes)
        return name === undefined || (name.length <= 80 && !/\p{Cc}/u.test(name))
      }),
      { numRuns: tries(2000) },
    )
  })
})
