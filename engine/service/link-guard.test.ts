import { expect, test } from 'vitest'
import { createLinkGuard, placeOf } from './link-guard.ts'
import type { Resolve } from './link-guard.ts'

const publicBase = 'https://api.service.example/api/v1'
const resolver =
  (table: Readonly<Record<string, string>>): Resolve =>
  (host) =>
    table[host] === undefined
      ? Promise.reject(new Error('ENOTFOUND'))
      : Promise.resolve(
          table[host].split(' ').map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        )
const names = resolver({
  'api.service.example': '93.184.216.34',
  'nas.home': '192.168.1.20',
  'lvh.me': '127.0.0.1',
  'half.example': '192.168.1.20 93.184.216.34',
})

/**
 * Spellings of places that a service on the open net must never send us to; each as it may stand in a link:
 * this machine in every notation that URL parsers know, nowhere, the local net, link-local and the metadata services
 * of clouds, and the ranges that are no place at all.
 */
const inward = `
  127.0.0.1 127.1 127.0.1 127.255.255.254 2130706433 0x7f000001 0x7f.1 0177.0.0.1 017700000001
  0x7F.0x0.0x0.0x1 127.0.0.1. 127.000.000.001 ０x7f.1 ①②⑦.0.0.1 127。0。0。1 localhost LOCALHOST
  localhost. a.localhost LocalHost. %6cocalhost 127.0.0.1:8080 127.0.0.1:22 [::1] [0:0:0:0:0:0:0:1]
  [0000::0001] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [64:ff9b::127.0.0.1] [64:ff9b::7f00:1]
  [2002:7f00:1::] [2002:7f00:0001::1] [::ffff:0:127.0.0.1] 0.0.0.0 0 0x0 00.0.0.0 0.1.2.3 [::] [0::0]
  [::0.0.0.0] [::ffff:0.0.0.0] 10.0.0.1 10.255.255.255 0xa000001 167772161 012.0.0.1 10.1 172.16.0.1
  172.31.255.255 172.20.10.1 0xac100001 2886729729 192.168.0.1 192.168.255.255 0xc0a80001 3232235521
  192.168.1 0300.0250.0.1 [fc00::1] [fd12:3456:789a::1] [fdff:ffff::] [::ffff:10.0.0.1]
  [::ffff:192.168.0.1] [::ffff:c0a8:1] [::192.168.0.1] [64:ff9b::10.0.0.1] [2002:c0a8:1::1]
  [2002:0a00:0001::] 100.64.0.1 100.127.255.255 0x64400001 [::ffff:100.64.0.1] 169.254.169.254
  169.254.0.1 0xa9fea9fe 2852039166 0251.0376.0251.0376 [fe80::1] [febf::1] [::ffff:169.254.169.254]
  [::ffff:a9fe:a9fe] [64:ff9b::a9fe:a9fe] [2002:a9fe:a9fe::] [fd00:ec2::254] 100.100.100.200
  [::169.254.169.254] 169.254.43518 224.0.0.1 239.255.255.255 255.255.255.255 240.0.0.1 0xffffffff
  4294967295 [ff02::1] [ff0e::1] 192.0.2.1 198.51.100.7 203.0.113.9 198.18.0.1 [2001:db8::1] 192.0.0.8
  [100::1] [fec0::1]
`
  .trim()
  .split(/\s+/)

test('there are at least a hundred spellings', () => {
  expect(new Set(inward).size).toBeGreaterThanOrEqual(100)
})

test.each(inward)('a service on the open net may not send us to %s', async (host) => {
  const guard = await createLinkGuard(publicBase, names)
  for (const scheme of ['https', 'http']) {
    let link: URL
    try {
      link = new URL(`${scheme}://${host}/x.png`)
    } catch {
      // What is no URL at all cannot be fetched.
      continue
    }
    expect(guard.refusal(link)).toMatch(/\.$/)
  }
  const bare = host.replace(/^\[|\]$/g, '')
  expect(guard.mayConnect('https:', bare)).toBe(false)
})

test.each([
  '93.184.216.34',
  '8.8.8.8',
  '[2606:2800:220:1:248:1893:25c8:1946]',
  '172.32.0.1',
  '100.128.0.1',
  '11.0.0.1',
])('https to the open net (%s) is allowed, http is not', async (host) => {
  const guard = await createLinkGuard(publicBase, names)
  expect(guard.refusal(new URL(`https://${host}/x.png`))).toBeUndefined()
  expect(guard.mayConnect('https:', host)).toBe(true)
  expect(guard.refusal(new URL(`http://${host}/x.png`))).toContain('not https')
  expect(guard.mayConnect('http:', host)).toBe(false)
})

test('a name is judged by where it leads, once it is connected', async () => {
  const guard = await createLinkGuard(publicBase, names)
  expect(guard.refusal(new URL('https://lvh.me/x.png'))).toBeUndefined()
  expect(guard.mayConnect('https:', '127.0.0.1')).toBe(false)
})

test('the practice service on loopback may link to loopback and private places over http, and to the net over https', async () => {
  for (const base of ['http://127.0.0.1:8080/api/v1', 'http://localhost:1/api/v1', 'http://[::1]:1/api/v1']) {
    const guard = await createLinkGuard(base, names)
    for (const host of ['127.0.0.1:9', 'localhost:9', '[::1]', '192.168.1.2', '10.0.0.2']) {
      expect(guard.refusal(new URL(`http://${host}/x.png`))).toBeUndefined()
    }
    expect(guard.mayConnect('http:', '127.0.0.1')).toBe(true)
    expect(guard.mayConnect('http:', '93.184.216.34')).toBe(false)
    expect(guard.mayConnect('https:', '93.184.216.34')).toBe(true)
    expect(guard.refusal(new URL('http://169.254.169.254/'))).toBeDefined()
    expect(guard.refusal(new URL('http://0.0.0.0/'))).toBeDefined()
  }
})

test('a service in the local net may not send us to this machine', async () => {
  for (const base of ['https://nas.home/api/v1', 'https://192.168.1.20/api/v1']) {
    const guard = await createLinkGuard(base, names)
    expect(guard.mayConnect('http:', '192.168.1.21')).toBe(true)
    expect(guard.mayConnect('https:', '127.0.0.1')).toBe(false)
    expect(guard.refusal(new URL('http://localhost/x'))).toBeDefined()
  }
})

test('a name counts as public unless all of its addresses are private, and never as loopback', async () => {
  for (const base of ['https://half.example/', 'https://unknown.example/', 'https://lvh.me/']) {
    const guard = await createLinkGuard(base, names)
    expect(guard.mayConnect('https:', '192.168.1.21')).toBe(false)
    expect(guard.mayConnect('https:', '127.0.0.1')).toBe(false)
  }
})

test.each([
  'https://user@files.example/x',
  'https://user:pw@files.example/x',
  'ftp://files.example/x',
  'file:///etc/passwd',
  'data:text/plain,x',
])('%s is refused, and the refusal does not repeat it', async (link) => {
  const guard = await createLinkGuard('http://127.0.0.1:1/', names)
  const refusal = guard.refusal(new URL(link))
  expect(refusal).toBeDefined()
  expect(refusal).not.toMatch(/user:|pw|passwd/)
})

test('what is no address is no place', () => {
  for (const text of ['', 'example.com', '::g', '1.2.3.4.5', 'fe80::1%eth0'])
    expect(placeOf(text)).toBe('forbidden')
})
