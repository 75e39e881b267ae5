import { getCACertificates } from 'node:tls'
import { expect, test } from 'vitest'
import { trustSystemCertificates } from './trust-store.ts'

test('the authorities of the system are trusted beside Node’s own', () => {
  const trusted: (readonly string[])[] = []
  trustSystemCertificates({
    certificates: (type) => (type === 'default' ? ['a', 'b'] : ['b', 'c']),
    trust: (certificates) => void trusted.push(certificates),
  })
  expect(trusted).toEqual([['a', 'b', 'c']])
})

test('where the system does not tell its authorities, Node’s own stay', () => {
  // Written anew they break their lines elsewhere.
  const trusted = () => getCACertificates('default').map((text) => text.replace(/\s/g, ''))
  const before = trusted()
  trustSystemCertificates({
    certificates: () => {
      throw new Error('no key store')
    },
    trust: () => undefined,
  })
  trustSystemCertificates()
  const after = new Set(trusted())
  expect(before.length).toBeGreaterThan(50)
  expect(before.filter((one) => !after.has(one))).toEqual([])
})
