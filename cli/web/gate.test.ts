import { describe, expect, test } from 'vitest'
import { judge, type Door, type Knock } from './gate.ts'

const door: Door = {
  port: 4711,
  cookieName: 'vitrine-4711',
  isSession: (value) => value === 'good',
  isToken: (value) => value === 'fresh',
  linePath: '/line',
  postPaths: ['/drops'],
}
const host = '127.0.0.1:4711'
const own: Knock = {
  method: 'GET',
  path: '/',
  host,
  origin: undefined,
  fetchSite: undefined,
  cookie: 'vitrine-4711=good',
  token: undefined,
  upgrade: false,
}
const verdict = (knock: Partial<Knock>) => {
  const said = judge({ ...own, ...knock }, door)
  return said.kind === 'refuse' ? said.status : said.kind
}

const hosts = [
  ['127.0.0.1:4711', true],
  ['localhost:4711', true],
  ['LOCALHOST:4711', true],
  [undefined, false],
  ['', false],
  ['127.0.0.1', false],
  ['localhost', false],
  ['127.0.0.1:4712', false],
  ['127.0.0.1:47110', false],
  ['127.0.0.1:4711.evil.com', false],
  ['127.0.0.1:4711@evil.com', false],
  ['evil.com', false],
  ['evil.com:4711', false],
  ['localhost.evil.com:4711', false],
  ['evil-localhost:4711', false],
  ['localhost.:4711', false],
  ['[::1]:4711', false],
  ['0.0.0.0:4711', false],
  ['127.1:4711', false],
  ['2130706433:4711', false],
] as const

const origins = [
  [undefined, 'absent'],
  [`http://${host}`, 'own'],
  ['null', 'foreign'],
  ['', 'foreign'],
  [`https://${host}`, 'foreign'],
  ['http://127.0.0.1:9999', 'foreign'],
  ['http://localhost:4711', 'foreign'],
  ['http://127.0.0.1:4711.evil.com', 'foreign'],
  ['http://127.0.0.1:4711evil', 'foreign'],
  ['http://evil.com', 'foreign'],
  ['http://evil.com:4711', 'foreign'],
  ['file://', 'foreign'],
] as const

const sites = [
  [undefined, true],
  ['same-origin', true],
  ['none', true],
  ['same-site', false],
  ['cross-site', false],
  ['strange', false],
] as const

const cookies = [
  ['vitrine-4711=good', true],
  ['other=1; vitrine-4711=good', true],
  [undefined, false],
  ['', false],
  ['vitrine-4711=bad', false],
  ['vitrine-4711=', false],
  ['vitrine-4712=good', false],
  ['xvitrine-4711=good', false],
  ['vitrine-4711=good; vitrine-4711=bad', false],
] as const

describe('who is let in to the loopback server', () => {
  test('every host, origin, site and cookie with every way of asking', () => {
    const ways = [
      { method: 'GET', path: '/', upgrade: false, changes: false },
      { method: 'HEAD', path: '/assets/main.js', upgrade: false, changes: false },
      { method: 'GET', path: '/pictures/1/source/thumb-128', upgrade: false, changes: false },
      { method: 'POST', path: '/drops', upgrade: false, changes: true },
      { method: 'GET', path: '/line', upgrade: true, changes: true },
    ] as const
    let asked = 0
    for (const { changes, ...way } of ways)
      for (const [hostName, hostIsRight] of hosts)
        for (const [origin, from] of origins)
          for (const [fetchSite, siteIsRight] of sites)
            for (const [cookie, cookieIsRight] of cookies) {
              asked += 1
              // The origin has to be that of the very host that was asked.
              const isOwn = from !== 'absent' && hostIsRight && origin === `http://${hostName.toLowerCase()}`
              const fromHere = changes ? isOwn : isOwn || from === 'absent'
              const right = hostIsRight && fromHere && siteIsRight && cookieIsRight
              const knock = { ...way, host: hostName, origin, fetchSite, cookie }
              const said = verdict(knock)
              if (right !== (said === 'enter')) expect({ knock, said }).toEqual({ knock, said: right })
            }
    expect(asked).toBeGreaterThan(60_000)
  })

  test('localhost is another origin than 127.0.0.1, and each is its own', () => {
    const origin = 'http://localhost:4711'
    expect(verdict({ host: 'localhost:4711', origin, method: 'POST', path: '/drops' })).toBe('enter')
    expect(verdict({ host, origin, method: 'POST', path: '/drops' })).toBe(403)
  })

  test('methods that nothing is asked for by are refused before anything else of use', () => {
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'CONNECT', 'POST', '']) {
      expect(verdict({ method })).toBe(405)
    }
    expect(verdict({ method: 'GET', path: '/drops' })).toBe(405)
    expect(verdict({ path: '/other', upgrade: true, origin: `http://${host}` })).toBe(404)
    expect(verdict({ path: '/line', upgrade: true, origin: `http://${host}`, method: 'POST' })).toBe(404)
  })

  test('a token is exchanged at the page alone, and for the right host alone', () => {
    const bare = { cookie: undefined, token: 'fresh' }
    expect(verdict(bare)).toBe('exchange')
    expect(verdict({ ...bare, fetchSite: 'cross-site' })).toBe('exchange')
    expect(verdict({ ...bare, token: 'used' })).toBe(401)
    expect(verdict({ ...bare, token: '' })).toBe(401)
    expect(verdict({ ...bare, host: 'evil.com:4711' })).toBe(403)
    expect(verdict({ ...bare, origin: 'http://evil.com' })).toBe(403)
    expect(verdict({ ...bare, path: '/pictures/1/source/thumb-128' })).toBe(401)
    expect(verdict({ ...bare, path: '/line', upgrade: true, origin: `http://${host}` })).toBe(401)
    expect(verdict({ ...bare, path: '/drops', method: 'POST', origin: `http://${host}` })).toBe(401)
  })
})
