import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { addresses, stage } from './testing/stage.ts'

test.concurrent('a run delivers every picture, tells each step as an event and ends with the summary', async (t) => {
  const { call, list, folder, manifest, service } = await stage(t)
  const run = ['run', await list(3), '--app', 'rescue', '--set', 'debanding=true', '--out', 'out']
  const done = await call([...run, '--json', '--yes'])
  expect(done.status, done.err).toBe(0)
  const events = done.events()
  expect(events[0]).toMatchObject({
    event: 'batch',
    images: 3,
    waiting: 3,
    app: 'rescue',
    balance: 500,
    estimate: null,
  })
  const delivered = events.filter((event) => event.event === 'image' && event.state === 'delivered')
  expect(delivered).toHaveLength(3)
  expect(delivered[0]).toMatchObject({ credits: 3, error: null })
  for (const event of delivered) {
    if (event.event !== 'image') continue
    expect(event.outputs.map((output) => output.label)).toEqual(['De-Banded', 'Original'])
    for (const output of event.outputs) {
      expect(output.file).toBe(join(folder, 'out', output.path))
      expect(readFileSync(output.file)).toHaveLength(output.bytes)
    }
  }
  expect(done.summary()).toMatchObject({
    images: 3,
    delivered: 3,
    failed: 0,
    review: 0,
    skipped: 0,
    waiting: 0,
    held: 0,
    creditsCharged: 9,
    outDir: join(folder, 'out'),
    manifest: join(folder, 'out', 'manifest.jsonl'),
    stopped: null,
    exit: 0,
  })
  const lines = await manifest()
  expect(lines.map((line) => line['source'])).toEqual(addresses(3))
  expect(lines[0]).toMatchObject({
    status: 'delivered',
    credits: 3,
    error: null,
    batch: done.summary().batch,
  })
  expect(service.books().runs).toHaveLength(3)
  expect(done.err).toContain('plus 1 credit')
  expect(done.err).toContain('3 images: 3 delivered. 9 credits charged.')
})

test.concurrent('the same list into the same folder is skipped, unless --again or a file is gone', async (t) => {
  const { call, list, folder, manifest, service } = await stage(t)
  const run = ['run', await list(2), '--app', 'rescue', '--out', 'out', '--json', '--yes']
  expect((await call(run)).status).toBe(0)
  const second = await call(run.filter((word) => word !== '--yes'))
  expect(second.status, second.err).toBe(0)
  expect(second.summary()).toMatchObject({ images: 2, skipped: 2, delivered: 0, creditsCharged: 0 })
  expect(second.events().filter((event) => event.event === 'image')).toHaveLength(2)
  expect(service.books().runs).toHaveLength(2)
  const lines = await manifest()
  expect(lines.map((line) => line['status'])).toEqual(['delivered', 'delivered', 'skipped', 'skipped'])
  expect(lines[2]!['outputs']).toEqual(lines[0]!['outputs'])

  const again = await call([...run, '--again'])
  expect(again.summary()).toMatchObject({ delivered: 2, skipped: 0 })
  expect(service.books().runs).toHaveLength(4)
  expect(readdirSync(join(folder, 'out')).filter((name) => name.endsWith('.png'))).toHaveLength(4)
})

test.concurrent('--on-conflict skip looks before it sends: what is there is neither replaced nor paid for', async (t) => {
  const { call, list, folder, manifest, service } = await stage(t)
  const source = await list(2)
  const name = basename(addresses(2)[0]!).replace(/\.\w+$/, '')
  mkdirSync(join(folder, 'out'))
  writeFileSync(join(folder, 'out', `${name}.jpg`), 'mine')
  const run = ['run', source, '--app', 'rescue', '--out', 'out', '--on-conflict', 'skip', '--json', '--yes']
  for (const delivered of [1, 0]) {
    const done = await call(run)
    expect(done.status, done.err).toBe(0)
    expect(done.summary()).toMatchObject({ images: 2, delivered, skipped: 2 - delivered })
    expect(done.err).toContain(`is there already (${name}.jpg), so nothing was sent`)
    expect(service.books().runs).toHaveLength(1)
  }
  const lines = await manifest()
  expect(lines[0]).toMatchObject({ status: 'skipped', outputs: [], credits: 0 })
  expect(lines[0]!['error']).toContain('nothing was sent')
  expect(readFileSync(join(folder, 'out', `${name}.jpg`), 'utf8')).toBe('mine')
})

test.concurrent('an interrupted run that is typed again goes on; nothing is charged twice', async (t) => {
  const { call, list, manifest, service } = await stage(t)
  service.control.hold()
  const run = ['run', await list(3), '--app', 'rescue', '--out', 'out', '--json', '--yes']
  const asked: { stop?: () => void } = {}
  const first = call(run, { stopper: (stop) => (asked.stop = stop) })
  await vi.waitUntil(() => service.books().runs.length === 3, { timeout: 20_000 })
  asked.stop?.()
  expect((await first).status).toBe(130)
  service.control.release()
  const again = await call([...run, '--budget', '50'])
  expect(again.status, again.err).toBe(0)
  expect(again.err).toContain('already in batch')
  expect(again.summary()).toMatchObject({ images: 3, delivered: 3, batches: { length: 1 } })
  expect(again.events().find((event) => event.event === 'batch')).toMatchObject({ resumed: true, budget: 50 })
  expect(service.books().runs).toHaveLength(3)
  expect(await manifest()).toHaveLength(3)
})

test.concurrent('two processes that are given the same list at once charge each picture once', async (t) => {
  const { start, list, service } = await stage(t, { processing: 0.5 })
  const run = ['run', await list(3), '--app', 'rescue', '--out', 'out', '--json', '--yes']
  const both = await Promise.all([start(run).ended, start(run).ended])
  for (const one of both) expect(one.status, one.err).toBe(0)
  expect(service.books().runs).toHaveLength(3)
})

test.concurrent('names follow --name, and folders and names those of the lists', async (t) => {
  const { call, write, folder } = await stage(t)
  await write('shoot/Rings/list.csv', 'sku,url\nR-1,https://pictures.example/a.jpg\n')
  await write('shoot/Bracelets/Cuff/list.txt', 'https://pictures.example/b.jpg\n')
  const run = ['run', 'shoot', '--app', 'rescue', '--yes']
  const sources = run.map((word) => (word === 'shoot' ? join(folder, 'shoot') : word))
  expect((await call([...sources, '--out', 'out'])).status).toBe(0)
  expect(existsSync(join(folder, 'out/Rings/R-1.png'))).toBe(true)
  expect(existsSync(join(folder, 'out/Bracelets/Cuff/b.png'))).toBe(true)
  const named = await call([...sources, '--out', 'flat', '--name', '{app}-{n}{suffix}.{ext}'])
  expect(named.status, named.err).toBe(0)
  expect(readdirSync(join(folder, 'flat')).toSorted()).toEqual([
    'manifest.jsonl',
    'rescue-1.png',
    'rescue-2.png',
  ])
})

test.concurrent('--on-conflict decides about a file of that name that is not this result', async (t) => {
  const { call, list, read, write, folder } = await stage(t)
  const run = ['run', await list(1), '--app', 'rescue', '--out', 'out', '--yes', '--again']
  await write('out/ring-1.png', 'mine')
  expect((await call(run)).status).toBe(0)
  expect(await read('out/ring-1.png')).toBe('mine')
  expect(existsSync(join(folder, 'out/ring-1 (2).png'))).toBe(true)
  expect((await call([...run, '--on-conflict', 'skip'])).status).toBe(0)
  expect(await read('out/ring-1.png')).toBe('mine')
  expect((await call([...run, '--on-conflict', 'overwrite'])).status).toBe(0)
  expect(await read('out/ring-1.png')).not.toBe('mine')
})

test.concurrent('--on-conflict overwrite replaces what was there, never another picture of the batch', async (t) => {
  const { call, write, read, folder, service } = await stage(t)
  await write('out/ring.png', 'mine')
  const sources = ['a', 'b', 'c'].map((shoot) => `https://pictures.example/${shoot}/ring.jpg`)
  const done = await call([
    'run',
    ...sources,
    '--app',
    'rescue',
    '--out',
    'out',
    '--yes',
    '--on-conflict',
    'overwrite',
  ])
  expect(done.status, done.err).toBe(0)
  expect(service.books().runs).toHaveLength(3)
  expect(readdirSync(join(folder, 'out')).filter((name) => name.endsWith('.png'))).toHaveLength(3)
  expect(await read('out/ring.png')).not.toBe('mine')
})

test.concurrent('--test sends some and holds the rest with the same settings until release', async (t) => {
  const { call, list, service } = await stage(t)
  const first = await call([
    'run',
    await list(4),
    '--app',
    'rescue',
    '--out',
    'out',
    '--test',
    '1',
    '--json',
    '--yes',
  ])
  expect(first.status).toBe(0)
  const { batch } = first.summary()
  expect(first.summary()).toMatchObject({ delivered: 1, held: 3, waiting: 0 })
  expect(first.err).toContain(`vitrine release ${batch}`)
  expect((await call(['resume', '--yes'])).status).toBe(0)
  expect(service.books().runs).toHaveLength(1)
  const asked = await call(['release', batch!])
  expect(asked.status).toBe(64)
  expect(asked.err).toContain('3 images × 2 credits = 6 credits')
  const released = await call(['release', batch!, '--yes', '--json'])
  expect(released.summary()).toMatchObject({ batch, delivered: 4, held: 0 })
  expect(released.status).toBe(0)
  expect((await call(['release', batch!, '--yes'])).status).toBe(64)
})

test.concurrent('a budget is never overdrawn, and resume goes on with a larger one', async (t) => {
  const { call, list, service } = await stage(t)
  const run = ['run', await list(6), '--app', 'rescue', '--out', 'out', '--budget', '5', '--json', '--yes']
  const stopped = await call(run)
  expect(stopped.status).toBe(3)
  expect(stopped.summary()).toMatchObject({ stopped: 'budget', delivered: 2, waiting: 4, creditsCharged: 4 })
  expect(service.books().runs).toHaveLength(2)
  const { batch } = stopped.summary()
  expect((await call(['resume', batch!])).status).toBe(3)
  const goneOn = await call(['resume', batch!, '--budget', '12', '--json'])
  expect(goneOn.status, goneOn.err).toBe(0)
  expect(goneOn.summary()).toMatchObject({ delivered: 6, creditsCharged: 12 })
})

test.concurrent('out of credits ends with 3 after everything paid for is delivered; a top-up and resume finish', async (t) => {
  const accounts = [{ key: 'practice', subscriptionCredits: 5 }]
  const { call, list, service } = await stage(t, { accounts })
  const stopped = await call(['run', await list(4), '--app', 'rescue', '--out', 'out', '--json', '--yes'])
  expect(stopped.status).toBe(3)
  expect(stopped.summary()).toMatchObject({ stopped: 'out-of-credits', delivered: 2, waiting: 2 })
  expect(stopped.events()).toContainEqual(
    expect.objectContaining({ event: 'queue', state: 'out-of-credits' }),
  )
  const [status] = (await call(['status', '--json'])).records()
  expect(status).toMatchObject({ state: 'stopped', stopReason: 'out-of-credits', counts: { waiting: 2 } })
  service.control.topUp('practice', 100)
  const finished = await call(['resume', '--json'])
  expect(finished.status).toBe(0)
  expect(finished.summary()).toMatchObject({ delivered: 4, waiting: 0, creditsCharged: 8 })
})

test.concurrent('failed images end with 2; retry asks with the price and sends them again', async (t) => {
  let failing = true
  const { call, list, manifest } = await stage(t, {
    outcome: (run) =>
      failing && run.sequence === 2 ? { fail: 'The image could not be\u001b[31m downloaded.' } : undefined,
  })
  const done = await call([
    'run',
    await list(3),
    '--app',
    'rescue',
    '--out',
    'out',
    '--json',
    '--yes',
    '--in-flight',
    '1',
  ])
  expect(done.status).toBe(2)
  const { batch } = done.summary()
  expect(done.summary()).toMatchObject({ delivered: 2, failed: 1, exit: 2 })
  expect(done.err).toMatch(/\/2 https:\S+ failed: The image could not be downloaded\./)
  expect((await manifest())[1]).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('could not be'),
  })
  expect((await call(['status', batch!])).out).toContain('could not be')
  failing = false
  expect((await call(['retry', batch!])).status).toBe(64)
  const retried = await call(['retry', batch!, '--yes', '--json'])
  expect(retried.status).toBe(0)
  expect(retried.summary()).toMatchObject({ delivered: 3, failed: 0 })
  expect((await call(['retry', '--all', '--yes'])).err).toContain('Nothing has failed')
})

test.concurrent('a submission whose answer was lost on a shared account needs a decision before anything is sent again', async (t) => {
  // Others use the account too, so that one unknown run is no proof.
  const { call, list, service } = await stage(t, {
    accounts: [{ key: 'practice', subscriptionCredits: 100_000 }],
    faults: [{ on: 'submit', nth: [2, 3], fault: { kind: 'status', status: 500 } }],
  })
  const { submitAsStranger } = service.control
  let added = 0
  const transportNoise = setInterval(() => {
    if (added < 5000)
      submitAsStranger('practice', 'rescue', { image: `https://other.example/${(added += 1)}.jpg` })
  }, 20)
  const done = await call([
    'run',
    await list(3),
    '--app',
    'rescue',
    '--out',
    'out',
    '--json',
    '--yes',
    '--in-flight',
    '1',
  ])
  clearInterval(transportNoise)
  expect(done.status, done.err).toBe(2)
  expect(done.summary()).toMatchObject({ review: 2, delivered: 1, exit: 2 })
  const { batch } = done.summary()
  const name = `${batch}/2`
  const [question] = (await call(['review', '--json'])).records() as {
    image: string
    candidates: { runId: string }[]
  }[]
  expect(question!.image).toBe(name)
  expect(question!.candidates.length).toBeGreaterThan(0)
  expect((await call(['review', batch!])).out).toContain('it may be run')
  expect((await call(['review', name, '--send-again'])).status).toBe(64)
  expect((await call(['review', name, '--drop', '--send-again'])).status).toBe(64)
  // What another picture took is no candidate any more.
  const taken = question!.candidates[0]!.runId
  expect((await call(['review', `${batch}/3`, '--adopt', taken])).err).toContain('taken on your word')
  const [left] = (await call(['review', '--json'])).records() as (typeof question)[]
  expect(left!.candidates).toEqual(question!.candidates.slice(1))
  expect((await call(['review', name, '--adopt', taken])).err).toContain('already belongs')
  const run = left!.candidates[0]!.runId
  const adopted = await call(['review', name, '--adopt', run, '--json'])
  expect(adopted.records()).toEqual([{ image: name, decision: 'adopted' }])
  expect(adopted.err).toContain(`vitrine resume ${batch}`)
  expect((await call(['review', name, '--drop'])).status).toBe(64)
  const resumed = await call(['resume', '--json'])
  expect(resumed.status, resumed.err).toBe(0)
  expect(resumed.summary()).toMatchObject({ delivered: 3, review: 0 })
})

test.concurrent('cancel gives up what is not submitted, in the store and in the manifest', async (t) => {
  const { call, list, manifest } = await stage(t)
  const run = ['run', await list(3), '--app', 'rescue', '--out', 'out', '--test', '1', '--json', '--yes']
  const { batch } = (await call(run)).summary()
  expect((await call(['cancel'])).status).toBe(64)
  expect((await call(['cancel', batch!])).status).toBe(64)
  const cancelled = await call(['cancel', batch!, '--yes', '--json'])
  expect(cancelled.status, cancelled.err).toBe(0)
  expect(cancelled.records()).toEqual([{ batch, cancelled: 2 }])
  expect((await manifest()).map((line) => line['status'])).toEqual(['delivered', 'cancelled', 'cancelled'])
  expect((await call(['cancel', '--all', '--yes'])).status).toBe(64)
  expect((await call(['status'])).err).toContain('Nothing is unfinished.')
})

test.concurrent('an app that the service does not list is a warning, and its refusal is the image’s', async (t) => {
  const { call, list } = await stage(t)
  const done = await call(['run', await list(1), '--app', 'nobody', '--out', 'out', '--json', '--yes'])
  expect(done.status).toBe(2)
  expect(done.events()).toContainEqual(
    expect.objectContaining({ event: 'warning', message: expect.stringContaining('"nobody"') }),
  )
  expect(done.summary()).toMatchObject({ failed: 1 })
})

test.concurrent('settings are sent as set: clamped and dropped ones with a word, other parameters with other apps', async (t) => {
  const { call, list, service } = await stage(t)
  const set = ['bg_color=#FF0000', 'framing_enabled=true', 'framing_pad_top=140'].flatMap((text) => [
    '--set',
    text,
  ])
  const done = await call(['run', await list(1), '--app', 'precision', ...set, '--out', 'out', '--yes'])
  expect(done.status, done.err).toBe(0)
  expect(done.err).toContain('framing_pad_top 140 is out of range (0 to 100): 100 is used.')
  expect(done.err).toContain('bg_color is not sent: it only counts where bg_mode is "solid".')
  const image = addresses(1)[0]
  expect(service.books().runs[0]).toMatchObject({
    parameters: { image, framing_enabled: true, framing_pad_top: 100 },
    webhookUrl: expect.stringMatching(/^https:\/\/[^/]*\.invalid\//),
  })
  const other = ['--app', 'studio-background', '--set', 'style=linen', '--set', 'padding=30']
  expect((await call(['run', await list(1), ...other, '--out', 'out', '--yes'])).status).toBe(0)
  expect(service.books().runs[1]!.parameters).toEqual({ image, style: 'linen', padding: 30 })
})
