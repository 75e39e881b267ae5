import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test, type TestContext } from 'vitest'
import { startPracticeService, type PracticeOptions } from '../../practice-service/start.ts'
import { broken, expectPlainWords } from './books.ts'
import { ProofDesk } from './desk.ts'
import { SmallDisk } from './small-disk.ts'

const patience = 300_000

async function setScene({ onTestFinished }: TestContext, options: PracticeOptions = {}) {
  const accounts = [{ key: 'practice', subscriptionCredits: 100_000 }]
  const service = await startPracticeService({
    imageWork: 'echo',
    processing: 0.3,
    concurrency: 4,
    accounts,
    ...options,
  })
  const desk = new ProofDesk(service.url)
  onTestFinished(async () => {
    desk.clear()
    await service.close()
  })
  const sources = Array.from({ length: 12 }, (_, n) => `${service.origin}/shoot/ring-${n}.jpg`)
  return { service, desk, sources }
}

/** A small disk, gone after the test; where there can be none the test is skipped, and the last line counts it. */
function smallDisk(context: TestContext, folder: string, kilobytes: number): SmallDisk {
  const disk = SmallDisk.mount(folder, kilobytes)
  if (!disk) context.skip('Only root on Linux may have a small disk.')
  context.onTestFinished(() => disk.unmount())
  return disk
}

/** No picture was charged twice, whatever became of the queue. */
function chargedOnce({
  service,
  sources,
}: Pick<Awaited<ReturnType<typeof setScene>>, 'service' | 'sources'>) {
  for (const source of sources) {
    expect(service.books().runs.filter((run) => run.source === source).length).toBeLessThanOrEqual(1)
  }
}

test.concurrent(
  'the disk of the outputs is full: 73, a sentence, and all comes once there is room',
  { timeout: patience },
  async (context) => {
    const { service, desk, sources } = await setScene(context)
    const disk = smallDisk(context, desk.out, 64)
    disk.fill()
    // The manifest alone needs some room; pictures do not fit.
    disk.change('size=72k')
    const stopped = await desk.run(desk.batch(sources))
    expect(stopped.code, stopped.err).toBe(73)
    expect(stopped.err).toMatch(/is full/)
    expectPlainWords(stopped.err)
    disk.empty()
    disk.change('size=4m')
    const resumed = await desk.run(['resume', '--json'])
    expect(resumed.code, resumed.err).toBe(0)
    disk.empty()
    expect(broken(service, desk, sources)).toEqual([])
  },
)

test.concurrent(
  'the disk of the queue is full right after submissions: no run id is lost',
  { timeout: patience },
  async (context) => {
    const { service, desk, sources } = await setScene(context, {
      faults: [{ on: 'submit', fault: { kind: 'slow', ms: 400, phase: 'after' } }],
    })
    const disk = smallDisk(context, desk.home, 16_384)
    const running = desk.start(desk.batch(sources))
    expect(await running.said('"state":"running"')).toBe(true)
    disk.fill()
    const stopped = await running.ended
    expect(stopped.code, stopped.err).toBe(73)
    expect(stopped.err).toMatch(/is full/)
    expectPlainWords(stopped.err)
    disk.empty()
    // Without the list nothing but what was kept beside the queue can tell which run is whose.
    service.control.setFaults([{ on: 'list', fault: { kind: 'status', status: 500 } }])
    const resumed = await desk.run(['resume', '--json'])
    expect(resumed.code, resumed.err).toBe(0)
    expect(broken(service, desk, sources)).toEqual([])
  },
)

test.concurrent(
  'the output folder becomes read-only in mid-run, and can be written again',
  { timeout: patience },
  async (context) => {
    const { service, desk, sources } = await setScene(context)
    const disk = smallDisk(context, desk.out, 4096)
    const running = desk.start(desk.batch(sources))
    expect(await running.said('"state":"running"')).toBe(true)
    disk.change('ro')
    const stopped = await running.ended
    expect(stopped.code, stopped.err).toBe(73)
    expect(stopped.err).toMatch(/may not be written|cannot be written/)
    expectPlainWords(stopped.err)
    disk.change('rw')
    const resumed = await desk.run(['resume', '--json'])
    expect(resumed.code, resumed.err).toBe(0)
    expect(broken(service, desk, sources)).toEqual([])
  },
)

test.concurrent(
  'the output folder is taken away in mid-run, and brought back',
  { timeout: patience },
  async (context) => {
    const { service, desk, sources } = await setScene(context, { processing: 2 })
    const running = desk.start(desk.batch(sources))
    expect(await running.said('"state":"delivered"')).toBe(true)
    renameSync(desk.out, `${desk.out}-elsewhere`)
    const stopped = await running.ended
    expect(stopped.code, stopped.err).toBe(73)
    expect(stopped.err).toMatch(/is gone/)
    expectPlainWords(stopped.err)
    // It was not made anew somewhere else.
    expect(existsSync(desk.out)).toBe(false)
    renameSync(`${desk.out}-elsewhere`, desk.out)
    const resumed = await desk.run(['resume', '--json'])
    expect(resumed.code, resumed.err).toBe(0)
    expect(broken(service, desk, sources)).toEqual([])
  },
)

test.concurrent(
  'names that differ by case alone are files of their own on any disk',
  { timeout: patience },
  async (context) => {
    const { service, desk } = await setScene(context)
    const names = ['Ring.jpg', 'ring.jpg', 'RING.JPG', 'ri%C3%B1g.jpg', 'rin%CC%83g.jpg', 'RIÑG.jpg']
    const sources = names.map((name, n) => `https://pictures.example/${n}/${name}`)
    const ended = await desk.run(desk.batch(sources))
    expect(ended.code, ended.err).toBe(0)
    expect(broken(service, desk, sources)).toEqual([])
    const paths = desk.manifest().flatMap(({ outputs }) => outputs.map(({ path }) => path))
    expect(new Set(paths.map((path) => path.normalize('NFC').toLowerCase())).size).toBe(names.length)
  },
)

test.concurrent(
  'a queue that is damaged after a batch: kept, said, and the same list is not sent again without a decision',
  { timeout: patience },
  async (context) => {
    const scene = await setScene(context)
    const { service, desk, sources } = scene
    expect((await desk.run(desk.batch(sources.slice(0, 6)))).code).toBe(0)
    writeFileSync(join(desk.home, 'queue.db'), 'no database '.repeat(2000))
    const told = await desk.run(desk.batch(sources))
    expect(told.code).toBe(70)
    expect(told.err).toMatch(/was damaged and is kept as .*queue\.db\.damaged/)
    expectPlainWords(told.err)
    // A new queue knows nothing of what was sent; the mark beside it does.
    for (let n = 0; n < 2; n += 1) {
      rmSync(join(desk.out, 'manifest.jsonl'), { force: true })
      const again = await desk.run(desk.batch(sources))
      expect([2, 0], again.err).toContain(again.code)
      expect(again.out).toContain('"review":12')
    }
    chargedOnce(scene)
    expect(service.books().runs).toHaveLength(6)
  },
)

test.concurrent(
  'a queue that is an older copy of itself: nothing is sent again without a decision',
  { timeout: patience },
  async (context) => {
    const scene = await setScene(context)
    const { service, desk, sources } = scene
    service.control.hold()
    const first = desk.start(desk.batch(sources, ['--in-flight', '1']))
    expect(await first.said('"state":"running"')).toBe(true)
    first.child.kill('SIGKILL')
    await first.ended
    const files = ['queue.db', 'queue.db-wal'].filter((name) => existsSync(join(desk.home, name)))
    mkdirSync(join(desk.folder, 'backup'))
    for (const name of files) copyFileSync(join(desk.home, name), join(desk.folder, 'backup', name))
    service.control.release()
    expect((await desk.run(['resume', '--json'])).code).toBe(0)
    for (const name of readdirSync(desk.home).filter((one) => one.startsWith('queue.db'))) {
      rmSync(join(desk.home, name))
    }
    for (const name of files) copyFileSync(join(desk.folder, 'backup', name), join(desk.home, name))
    const restored = await desk.run(['resume', '--json'])
    expect(restored.code, restored.err).toBe(2)
    expect(restored.err).toMatch(/restored from an older copy/)
    chargedOnce(scene)
  },
)

test.concurrent(
  'a write-ahead log that was cut off anywhere: no picture is charged twice',
  { timeout: patience },
  async (context) => {
    for (let n = 1; n <= 5; n += 1) {
      const scene = await setScene(context)
      const { service, desk, sources } = scene
      const running = desk.start(desk.batch(sources))
      expect(await running.said(n % 2 === 0 ? '"state":"delivered"' : '"state":"running"')).toBe(true)
      running.child.kill('SIGKILL')
      await running.ended
      const log = join(desk.home, 'queue.db-wal')
      truncateSync(log, Math.floor((statSync(log).size * n) / 6) + n)
      // What was cut off may be the batch itself: then a person types the command again.
      for (const command of [['resume', '--json'], desk.batch(sources), ['resume', '--json']]) {
        const { code, err } = await desk.run(command)
        expect([0, 2, 70], err).toContain(code)
        expectPlainWords(err)
      }
      chargedOnce(scene)
      expect(service.books().runs.length).toBeLessThanOrEqual(sources.length)
    }
  },
)
