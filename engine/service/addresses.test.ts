import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { ApiKey } from './api-key.ts'
import { checkBaseUrl } from './base-url.ts'
import { longestRetryAfterMs, retryAfterMs } from './retry-after.ts'

test.each([
  ['https://service.example/api/v1', 'https://service.example/api/v1', false],
  [' https://service.example/api/v1// ', 'https://service.example/api/v1', false],
  ['HTTPS://Service.Example:443', 'https://service.example', false],
  ['http://127.0.0.1:8080/api/v1/', 'http://127.0.0.1:8080/api/v1', true],
  ['http://127.9.8.7/x', 'http://127.9.8.7/x', true],
  ['http://localhost:3000/api/v1', 'http://localhost:3000/api/v1', true],
  ['http://[::1]:3000/api/v1', 'http://[::1]:3000/api/v1', true],
])('%s is a service address', (text, href, loopback) => {
  expect(checkBaseUrl(text)).toMatchObject({
    ok: true,
    base: { href, loopback, origin: new URL(href).origin },
  })
})

test.each([
  ['http://service.example/api/v1', 'in clear'],
  ['http://192.168.1.4/api/v1', 'in clear'],
  ['http://127.0.0.1.example/api', 'in clear'],
  ['http://localhost.example/api', 'in clear'],
  ['ftp://service.example', 'https://'],
  ['service.example/api', 'web address'],
  ['https://user:secret@service.example', 'name or password'],
  ['https://service.example/api?x=1', '? or #'],
  ['https://service.example/api#', '? or #'],
  ['', 'web address'],
])('%s is refused in a sentence', (text, word) => {
  const checked = checkBaseUrl(text)
  if (checked.ok) throw new Error('accepted')
  expect(checked.problem).toContain(word)
  expect(checked.problem).toMatch(/\.$/)
  expect(checked.problem).not.toContain('secret')
})

test('a key shows itself nowhere but in its header', () => {
  const key = ApiKey.parse(' sk-canary-123 ')
  if (typeof key === 'string') throw new Error(key)
  expect(key.bearer).toBe('Bearer sk-canary-123')
  const shown = [
    String(key),
    JSON.stringify({ key }),
    inspect({ key }, { depth: 9, showHidden: true }),
    Object.keys(key).join(),
  ]
  expect(shown.join(' ')).not.toContain('canary')
  expect(key.redact('Invalid key sk-canary-123!')).toBe('Invalid key [key]!')
})

test.each(['', '  ', 'two words', 'line\nbreak', 'schlüssel'])('%j is no key', (text) => {
  const problem = ApiKey.parse(text)
  expect(typeof problem).toBe('string')
  if (text.trim() !== '') expect(problem).not.toContain(text)
})

const noon = Date.UTC(2026, 10, 21, 12)
test.each([
  ['2', 2000],
  [' 0 ', 0],
  ['1.5', 1500],
  ['86400000', longestRetryAfterMs],
  ['99999999999999999999', longestRetryAfterMs],
  [new Date(noon + 30_000).toUTCString(), 30_000],
  [new Date(noon - 30_000).toUTCString(), 0],
  [new Date(noon + 1e12).toUTCString(), longestRetryAfterMs],
  ['-5', undefined],
  ['', undefined],
  ['soon', undefined],
  ['NaN', undefined],
  ['1e9', undefined],
  [undefined, undefined],
])('Retry-After %j is %j ms', (header, ms) => expect(retryAfterMs(header, noon)).toBe(ms))
