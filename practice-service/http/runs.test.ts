import { describe, expect, test } from 'vitest'
import { VirtualClock } from '../service/testing/virtual-clock.ts'
import { bench, goodBody } from './testing/client.ts'

const twoAccounts = [
  { key: ['north-1', 'north-2'], name: 'north', subscriptionCredits: 1000 },
  { key: 'south', name: 'south', subscriptionCredits: 1000 },
]
const always = ['app_id', 'app_title', 'created', 'credits_charged', 'is_video', 'run_id', 'status']

describe('GET /api/v1/runs/{run_id} (4.2)', () => {
  test('a run goes from IN_QUEUE through IN_PROGRESS to SUCCESS, with the fields each state has', async () => {
    const clock = new VirtualClock()
    const { service, accepted, record } = await bench({ clock, processing: 10 })
    service.control.hold()
    const runId = await accepted()
    const queued = await record(runId)
    expect(queued).toMatchObject({
      status: 'IN_QUEUE',
      app_id: 'rescue',
      app_title: 'Rescue',
      is_video: false,
    })
    expect(Object.keys(queued).sort()).toEqual(always)

    service.control.release()
    await clock.advance(9_999)
    const working = await record(runId)
    expect(working['status']).toBe('IN_PROGRESS')
    expect(Object.keys(working).sort()).toEqual(always)

    await clock.advance(1)
    const done = await record(runId)
    expect(done['status']).toBe('SUCCESS')
    expect(Object.keys(done).sort()).toEqual([...always, 'completed', 'output_url'].sort())
    expect(Date.parse(String(done['completed'])) - Date.parse(String(done['created']))).toBe(10_000)
    expect(done['created']).toBe(new Date(Date.UTC(2026, 10, 21, 9)).toISOString())
  })

  test('a FAILED run has an error and its end, and no output', async () => {
    const { service, accepted, record } = await bench({ outcome: () => ({ fail: 'No item was found.' }) })
    const runId = await accepted()
    await service.control.idle()
    const failed = await record(runId)
    expect(failed).toMatchObject({ status: 'FAILED', error: 'No item was found.', credits_charged: 0 })
    expect(Object.keys(failed).sort()).toEqual([...always, 'completed', 'error'].sort())
  })

  test('the credits of a FAILED run go back to where they came from, or stay, as ordered', async () => {
    const outcome = () => ({ fail: 'no' })
    const accounts = [{ key: 'k', subscriptionCredits: 1, otherCredits: 5 }]
    const kind = await bench({ outcome, accounts })
    await kind.accepted()
    await kind.service.control.idle()
    expect((await kind.get('/balance')).body).toMatchObject({ subscription_credits: 1, other_credits: 5 })
    const strict = await bench({ outcome, accounts, refund: 'keep' })
    const runId = await strict.accepted()
    await strict.service.control.idle()
    expect((await strict.record(runId))['credits_charged']).toBe(2)
    expect((await strict.get('/balance')).body).toMatchObject({ subscription_credits: 0, other_credits: 4 })
  })

  test('a de-banded run has both outputs (4.7, 2.2)', async () => {
    const { service, accepted, record } = await bench()
    const runId = await accepted({ parameters: { ...goodBody.parameters, debanding: true } })
    await service.control.idle()
    const done = await record(runId)
    expect(done['primary_label']).toBe('De-Banded')
    expect(done['extra_outputs']).toEqual([
      { label: 'Original', slug: 'original', format: 'png', url: expect.stringMatching(/^http:/) },
    ])
    const [extra] = done['extra_outputs'] as { url: string }[]
    expect(extra?.url).not.toBe(done['output_url'])
  })

  test('a video says so', async () => {
    const { service, accepted, record } = await bench({ outcome: () => ({ video: true }) })
    const runId = await accepted()
    await service.control.idle()
    const done = await record(runId)
    expect(done['is_video']).toBe(true)
    const file = await fetch(String(done['output_url']))
    expect(file.headers.get('content-type')).toBe('video/mp4')
  })

  test('is not found when it does not exist or belongs to another account (5)', async () => {
    const { service, accepted, get } = await bench({ accounts: twoAccounts })
    const runId = await accepted({}, 'north-1')
    await service.control.idle()
    expect((await get(`/runs/${runId}`, 'north-2')).status).toBe(200)
    const foreign = await get(`/runs/${runId}`, 'south')
    const missing = await get('/runs/run_none', 'south')
    expect(foreign.status).toBe(404)
    expect(foreign.body).toEqual(missing.body)
    expect((await get(`/runs/${runId}/download`, 'south')).status).toBe(404)
    expect((await get(`/runs/${runId}`, null)).status).toBe(401)
    expect((await get('/runs/%E0%A4%A', 'south')).status).toBe(404)
  })
})

describe('GET /api/v1/runs (4.3)', () => {
  async function filled(count: number) {
    const { service, accepted, get } = await bench({ accounts: twoAccounts })
    const ids: string[] = []
    for (let at = 0; at < count; at += 1) ids.push(await accepted({}, 'north-1'))
    await service.control.idle()
    const list = async (query: string, key = 'north-1') =>
      (await get(`/runs${query}`, key)).body as {
        runs: Record<string, unknown>[]
        total: number
        page: number
        has_more: boolean
      }
    return { service, accepted, get, list, newestFirst: ids.toReversed() }
  }
  const idsOf = (list: { runs: Record<string, unknown>[] }) => list.runs.map((run) => run['run_id'])

  test('shows summaries, newest first, 20 a page unless told otherwise', async () => {
    const { list, newestFirst } = await filled(23)
    const first = await list('')
    expect(idsOf(first)).toEqual(newestFirst.slice(0, 20))
    expect(first).toMatchObject({ total: 23, page: 1, has_more: true })
    expect(Object.keys(first).sort()).toEqual(['has_more', 'page', 'runs', 'total'])
    for (const run of first.runs) {
      expect(Object.keys(run).sort()).toEqual(always.filter((field) => field !== 'is_video'))
    }
    const second = await list('?page=2')
    expect(idsOf(second)).toEqual(newestFirst.slice(20))
    expect(second).toMatchObject({ total: 23, page: 2, has_more: false })
  })

  test('pages of every size join to the whole, and the last one says so', async () => {
    const { list, newestFirst } = await filled(12)
    for (const limit of [1, 5, 6, 12, 13, 50]) {
      const seen: unknown[] = []
      let more = true
      for (let page = 1; more; page += 1) {
        const answer = await list(`?limit=${limit}&page=${page}`)
        seen.push(...idsOf(answer))
        more = answer.has_more
        expect(more).toBe(page * limit < 12)
      }
      expect(seen).toEqual(newestFirst)
    }
    expect(await list('?limit=5&page=99')).toEqual({ runs: [], total: 12, page: 99, has_more: false })
  })

  test.each([
    'page=0',
    'page=-1',
    'page=abc',
    'page=1.5',
    'page=',
    'limit=0',
    'limit=51',
    'limit=ten',
    'status=DONE',
    'status=success',
  ])('refuses ?%s', async (query) => {
    const { get } = await bench()
    expect((await get(`/runs?${query}`)).status).toBe(400)
  })

  test('filters by status, and counts what matches', async () => {
    const { service, accepted, list } = await filled(3)
    service.control.hold()
    const waiting = await accepted({}, 'north-2')
    expect(idsOf(await list('?status=IN_QUEUE'))).toEqual([waiting])
    expect(await list('?status=SUCCESS')).toMatchObject({ total: 3 })
    expect(await list('?status=FAILED')).toMatchObject({ total: 0, runs: [] })
    expect(await list('?status=IN_PROGRESS')).toMatchObject({ total: 0 })
    expect(await list('?status=all')).toMatchObject({ total: 4 })
  })

  test('keeps accounts apart, whichever of its keys asks', async () => {
    const { list } = await filled(2)
    expect((await list('', 'north-2')).total).toBe(2)
    expect((await list('', 'south')).total).toBe(0)
  })

  test('shows an accepted run only after the delay that was ordered', async () => {
    const clock = new VirtualClock()
    const { service, accepted, get, record } = await bench({ clock, listDelayMs: 5_000 })
    service.control.hold()
    const runId = await accepted()
    expect((await record(runId))['status']).toBe('IN_QUEUE')
    await clock.advance(4_999)
    expect((await get('/runs')).body).toMatchObject({ total: 0 })
    await clock.advance(1)
    expect((await get('/runs')).body).toMatchObject({ total: 1 })
  })
})

describe('GET /api/v1/runs/{run_id}/download (4.5)', () => {
  test('gives a link and a name for a run that succeeded', async () => {
    const { service, accepted, get } = await bench()
    const runId = await accepted({ parameters: { image: 'http://127.0.0.1/Rings/R1183%20front.jpg?v=2' } })
    await service.control.idle()
    const { status, body } = await get(`/runs/${runId}/download`)
    expect(status).toBe(200)
    expect(body).toEqual({
      download_url: expect.stringMatching(/^http:/),
      filename: expect.stringMatching(/^[\w-]+\.png$/),
      expires_in: 900,
    })
    expect((await fetch((body as { download_url: string }).download_url)).status).toBe(200)
  })

  test('answers 400 while the run has not succeeded, and when it never will', async () => {
    const { service, accepted, get } = await bench({ outcome: () => ({ fail: 'no' }) })
    service.control.hold()
    const runId = await accepted()
    expect((await get(`/runs/${runId}/download`)).status).toBe(400)
    service.control.release()
    await service.control.idle()
    expect((await get(`/runs/${runId}/download`)).status).toBe(400)
    expect((await get('/runs/none/download')).status).toBe(404)
    expect((await get(`/runs/${runId}/download`, null)).status).toBe(401)
  })
})

describe('balance, apps and the rest', () => {
  test('the balance has its five fields (2.4)', async () => {
    const { get } = await bench({
      accounts: [
        { key: 'pro', subscriptionCredits: 7, otherCredits: 4 },
        { key: 'studio', subscription: 'Studio', creditsExpire: '2027-01-01T00:00:00.000Z' },
      ],
    })
    expect((await get('/balance')).body).toEqual({
      total_credits: 11,
      subscription_credits: 7,
      other_credits: 4,
      subscription: 'Pro',
      credits_expire: null,
    })
    expect((await get('/balance', 'studio')).body).toMatchObject({
      total_credits: 0,
      subscription: 'Studio',
      credits_expire: '2027-01-01T00:00:00.000Z',
    })
    expect((await get('/balance', 'none')).status).toBe(401)
  })

  test('apps need no key and name their parameters (4.6)', async () => {
    const { get } = await bench()
    const { status, body } = await get('/apps', null)
    expect(status).toBe(200)
    const apps = body as { app_id: string; title: string; parameters: { name: string }[] }[]
    expect(apps.map((app) => app.app_id)).toEqual(['rescue', 'precision', 'studio-background'])
    expect(apps[0]?.parameters.map((parameter) => parameter.name)).toContain('framing_pad_left')
    expect(new Set(apps.map((app) => app.app_id)).size).toBe(apps.length)
  })

  test('unknown addresses answer 404 and wrong methods 405, both as JSON', async () => {
    const { service, get } = await bench()
    expect(await get('/nothing')).toMatchObject({ status: 404, body: { error: expect.any(String) } })
    const response = await fetch(`${service.url}/run`, { headers: { authorization: 'Bearer practice' } })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('POST')
    expect((await fetch(`${service.origin}/api/v2/run`, { method: 'POST' })).status).toBe(404)
    expect((await fetch(`${service.url}/runs`, { method: 'DELETE' })).status).toBe(405)
  })

  test('the clock of the service may be ahead', async () => {
    const clock = new VirtualClock()
    const { service, accepted, record, get } = await bench({ clock, clockSkewMs: 3_600_000 })
    service.control.hold()
    const runId = await accepted()
    expect(Date.parse(String((await record(runId))['created'])) - clock.now()).toBe(3_600_000)
    expect(Date.parse((await get('/balance')).headers.get('date') ?? '') - clock.now()).toBe(3_600_000)
  })
})
