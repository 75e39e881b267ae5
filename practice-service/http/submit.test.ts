import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bench, goodBody, reply } from './testing/client.ts'

const parameters = goodBody.parameters

describe('POST /api/v1/run (4.1)', () => {
  test('answers with a run_id and nothing else, a new one each time', async () => {
    const { submit } = await bench()
    const first = await submit()
    const second = await submit()
    expect(first.status).toBe(200)
    expect(first.body).toEqual({ run_id: expect.stringMatching(/./) })
    expect(second.body).not.toEqual(first.body)
  })

  test.each([
    ['not JSON', '{"app_id":'],
    ['nothing', ''],
    ['a list', '[]'],
    ['null', 'null'],
    ['a text', '"rescue"'],
  ])('refuses a body that is %s', async (_name, body) => {
    const { service } = await bench()
    const response = await fetch(`${service.url}/run`, {
      method: 'POST',
      headers: { authorization: 'Bearer practice', 'content-type': 'application/json' },
      body,
    })
    expect((await reply(response)).status).toBe(400)
  })

  test.each([
    ['no app_id', { app_id: undefined }],
    ['an app_id that is no string', { app_id: 7 }],
    ['an app that does not exist', { app_id: 'restore' }],
    ['no parameters', { parameters: undefined }],
    ['parameters that are a list', { parameters: [] }],
    ['parameters that are null', { parameters: null }],
    ['no webhook_url', { webhook_url: undefined }],
    ['a webhook_url that is no URL', { webhook_url: 'done' }],
    ['a webhook_url that is not http', { webhook_url: 'ftp://hook.invalid/' }],
    ['a retoucher without an image', { parameters: {} }],
    ['an image that is no string', { parameters: { image: 5 } }],
    ['an empty image', { parameters: { image: '' } }],
    ['a colour by name', { parameters: { ...parameters, bg_color: 'red' } }],
    ['an unknown bg_mode', { parameters: { ...parameters, bg_mode: 'blur' } }],
    ['a number as text', { parameters: { ...parameters, shadow_size: '1' } }],
    ['a switch as text', { parameters: { ...parameters, debanding: 'true' } }],
    ['a setting that is null', { parameters: { ...parameters, framing_pad_top: null } }],
    ['another app without a required parameter', { app_id: 'studio-background' }],
    [
      'another app with a choice it has not',
      { app_id: 'studio-background', parameters: { ...parameters, style: 'x' } },
    ],
  ])('refuses %s with 400 and charges nothing', async (_name, change) => {
    const { service, submit } = await bench()
    expect((await submit(change)).status).toBe(400)
    expect(service.books().runs).toEqual([])
    expect(service.books().accounts['practice']?.charged).toBe(0)
  })

  test('refuses a body whose Content-Type is not JSON', async () => {
    const { service } = await bench()
    const response = await fetch(`${service.url}/run`, {
      method: 'POST',
      headers: { authorization: 'Bearer practice', 'content-type': 'text/plain' },
      body: JSON.stringify(goodBody),
    })
    expect((await reply(response)).status).toBe(400)
  })

  test('takes parameters it does not know, and numbers out of range', async () => {
    const { service, submit } = await bench()
    const sent = { ...parameters, note: 'x', shadow_size: 99, framing_pad_top: -4 }
    expect((await submit({ parameters: sent })).status).toBe(200)
    expect(service.books().runs[0]?.parameters).toEqual(sent)
  })

  test.each([
    ['no key', null],
    ['a wrong key', 'practise'],
  ])('answers 401 to %s, even where the body is wrong too', async (_name, key) => {
    const { submit } = await bench()
    expect((await submit({}, key)).status).toBe(401)
    expect((await submit({ app_id: 1 }, key)).status).toBe(401)
  })

  test('answers 401 to another scheme than Bearer', async () => {
    const { service } = await bench()
    const response = await fetch(`${service.url}/balance`, { headers: { authorization: 'Basic practice' } })
    expect(response.status).toBe(401)
  })

  test('answers 402 when the credits do not cover the run, and takes none of them', async () => {
    const { service, submit } = await bench({
      accounts: [{ key: 'k', name: 'studio', subscriptionCredits: 3, otherCredits: 2 }],
    })
    const dear = { parameters: { ...parameters, bg_mode: 'solid', debanding: true } }
    expect((await submit(dear)).status).toBe(402)
    expect(service.books().accounts['studio']).toMatchObject({ subscriptionCredits: 3, otherCredits: 2 })
    expect((await submit({ parameters: { ...parameters, bg_mode: 'solid' } })).status).toBe(200)
    expect((await submit()).status).toBe(402)
    service.control.topUp('studio', 2)
    expect((await submit()).status).toBe(200)
  })

  test('spends subscription credits first', async () => {
    const { get, submit } = await bench({
      accounts: [{ key: 'k', subscriptionCredits: 3, otherCredits: 10 }],
    })
    await submit()
    expect((await get('/balance')).body).toMatchObject({ subscription_credits: 1, other_credits: 10 })
    await submit()
    expect((await get('/balance')).body).toMatchObject({ subscription_credits: 0, other_credits: 9 })
  })
})

describe('prices (8)', () => {
  const modes = [undefined, 'off', 'solid', 'transparent'] as const
  const switches = [undefined, false, true] as const

  test('every combination of what costs and what does not', async () => {
    const { service, accepted, record } = await bench({
      accounts: [{ key: 'k', subscriptionCredits: 100_000 }],
    })
    const bases = { rescue: 2, precision: 3 }
    for (const [app, base] of Object.entries(bases)) {
      for (const mode of modes) {
        for (const debanding of switches) {
          for (const free of switches) {
            const settings = { bg_mode: mode, debanding, bg_shadow: free, framing_enabled: free }
            const runId = await accepted({ app_id: app, parameters: { ...parameters, ...settings } })
            const extras = (mode === 'solid' || mode === 'transparent' ? 3 : 0) + (debanding ? 1 : 0)
            expect((await record(runId))['credits_charged'], JSON.stringify(settings)).toBe(base + extras)
          }
        }
      }
    }
    const { charged, subscriptionCredits } = service.books().accounts['k']!
    expect(charged).toBe(service.books().runs.reduce((sum, run) => sum + run.charged, 0))
    expect(subscriptionCredits).toBe(100_000 - charged)
  })

  test('extras are for retouchers only', async () => {
    const { accepted, record } = await bench()
    const runId = await accepted({
      app_id: 'studio-background',
      parameters: { ...parameters, style: 'linen', bg_mode: 'solid', debanding: true },
    })
    expect((await record(runId))['credits_charged']).toBe(2)
  })

  test('credits never go below zero and never appear, whatever is submitted', async () => {
    const run = fc.record({
      app: fc.constantFrom('rescue', 'precision'),
      solid: fc.boolean(),
      fails: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(run, { maxLength: 12 }),
        fc.nat(30),
        fc.nat(30),
        async (runs, own, bought) => {
          const { service, submit } = await bench({
            accounts: [{ key: 'k', subscriptionCredits: own, otherCredits: bought }],
            outcome: ({ parameters }) => (parameters['fails'] === true ? { fail: 'as told' } : undefined),
          })
          for (const { app, solid, fails } of runs) {
            await submit({
              app_id: app,
              parameters: { ...parameters, fails, ...(solid ? { bg_mode: 'solid' } : {}) },
            })
            await service.control.idle()
          }
          const books = service.books()
          const account = books.accounts['k']!
          const kept = books.runs.reduce((sum, run) => sum + run.charged, 0)
          expect(account.subscriptionCredits).toBeGreaterThanOrEqual(0)
          expect(account.otherCredits).toBeGreaterThanOrEqual(0)
          expect(account.subscriptionCredits + account.otherCredits + kept).toBe(own + bought)
          expect(account.charged - account.refunded).toBe(kept)
          await service.close()
        },
      ),
      { numRuns: 15 },
    )
  })
})
