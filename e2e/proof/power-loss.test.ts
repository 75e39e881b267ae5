import { spawnSync } from 'node:child_process'
import { createHash, randomInt } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { expect, test, type TestContext } from 'vitest'
import { startPracticeService, type PracticeOptions } from '../../practice-service/start.ts'
import { asksPerson, faultsOf, Known, putBack, StartUps, type Found } from './after-power-loss.ts'
import { broken, expectPlainWords } from './books.ts'
import { ProofDesk } from './desk.ts'
import { DiskLog, recorder, type Step } from './disk-log.ts'
import { Front } from './front.ts'
import { fateKinds, fateOf, LostDisk, type FateKind, type Left } from './lost-disk.ts'

/** How many states are judged, and with how many of them the program goes on; more in `npm run proof` and `-- --long`. */
const mode = String(process.env['PROOF'])
const states = { whole: 2000, long: 20_000 }[mode] ?? 150
const resumptions = { whole: 25, long: 250 }[mode] ?? 2
const seed = Number(process.env['PROOF_SEED'] ?? randomInt(2 ** 31))
const patience = 3_600_000
/** The recording is gone through until there are enough states that differ, at most so often. */
const mostPasses = 100

const canRecord = spawnSync('strace', ['-f', '--seccomp-bpf', '-qq', '-o', '/dev/null', 'true']).status === 0

const options = { imageWork: 'echo', processing: 0.05 } as const satisfies PracticeOptions
/** Two commands, as a person types them one after the other: the second begins on what the first has closed. */
const shoots = [['a', 'b', 'c'], ['d']].map((stems) =>
  stems.map((stem) => `https://pictures.example/${stem}.jpg`),
)

/** Made by a person before, with nothing in it; the data folder lies elsewhere, so that neither is flushed for the other. */
const results = 'results'

/** What one whole run did to the disk, and what the service has of it. */
interface Recording {
  readonly desk: ProofDesk
  readonly front: Front
  readonly steps: readonly Step[]
  /** For each command, the step at which it began. */
  readonly began: readonly number[]
  /** Lines of the service's own journal: what it has charged, in order. */
  readonly journal: readonly string[]
  /** Folder for what tests need. */
  readonly scratch: string
}

function commandOf(desk: ProofDesk, shoot: readonly string[]): readonly string[] {
  return desk.batch(shoot, ['--name', 'shoot/rings/{name}{suffix}.{ext}'])
}

async function record({ onTestFinished }: TestContext): Promise<Recording> {
  const scratch = mkdtempSync(join(tmpdir(), 'vitrine-recording-'))
  const front = new Front()
  const desk = new ProofDesk(`${await front.listen()}/api/v1`)
  onTestFinished(() => {
    desk.clear()
    front.close()
    rmSync(scratch, { recursive: true, force: true })
  })
  mkdirSync(join(desk.folder, results))
  desk.out = join(desk.folder, results, 'out')
  const faults = [{ on: 'submit', nth: 2, fault: { kind: 'reset-after' } }] as const
  const service = await startPracticeService({ ...options, faults, stateFolder: join(scratch, 'service') })
  try {
    front.target = Number(new URL(service.url).port)
    const log = new DiskLog(desk.folder, [results])
    const steps: Step[] = []
    const began: number[] = []
    for (const shoot of shoots) {
      desk.under = recorder(join(scratch, 'calls'))
      const { code, err } = await desk.run(commandOf(desk, shoot))
      expect(code, err).toBe(0)
      began.push(steps.at(-1)?.at ?? 0)
      // One by one: in many thousands of arguments there would be too many.
      for (const step of log.read(join(scratch, 'calls'))) steps.push(step)
    }
    desk.under = []
    expect(broken(service, desk, shoots.flat())).toEqual([])
    const journal = readFileSync(join(scratch, 'service', 'journal.jsonl'), 'utf8')
      .trim()
      .split('\n')
    return { desk, front, steps, began, journal, scratch }
  } finally {
    await service.close()
  }
}

/** mulberry32: the same states of the same recording for the same seed. */
function seeded(from: number): () => number {
  let state = from
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Tells states apart; the same files later, when more was told to others, are another. */
function digestOf({ files, folders }: Left, known: Known): string {
  const hash = createHash('sha1').update(`${known.size} ${folders.join(' ')}`)
  for (const [path, bytes] of files) hash.update(`${path} ${bytes.length} `).update(bytes)
  return hash.digest('hex')
}

/** What a failure of the power left, right after the step `at`. */
interface State {
  readonly kind: FateKind
  readonly left: Left
  readonly known: Known
  readonly at: number
}

/** States that a failure of the power can leave, at every step of the recording, with what was known by then. */
function* statesOf(steps: readonly Step[], random: () => number): Generator<State> {
  const seen = new Set<string>()
  for (let pass = 0; pass < mostPasses && seen.size < states; pass += 1) {
    const disk = new LostDisk([results])
    const known = new Known()
    // More than are missing: some will be known already.
    const perStep = (1.5 * (states - seen.size)) / steps.length
    for (const step of steps) {
      disk.take(step)
      if (step.kind === 'said') known.hear(step)
      for (let n = Math.floor(perStep + random()); n > 0 && seen.size < states; n -= 1) {
        // Where there is room for all kinds, nothing and everything are never left to chance.
        const kind =
          fateKinds[pass === 0 && n <= 2 && perStep > 4 ? n - 1 : Math.floor(random() * fateKinds.length)]!
        const left = disk.left(fateOf(kind, random))
        const digest = digestOf(left, known)
        if (seen.has(digest)) continue
        seen.add(digest)
        yield { kind, left, known, at: step.at }
      }
    }
  }
}

/** The program goes on, at a service that has taken what was sent by then; true where it left something to a person. */
async function goOn(
  { desk, front, began, journal, scratch }: Recording,
  { left, at }: State,
  taken: number,
): Promise<{ problems: string[]; asked: boolean }> {
  for (const folder of [desk.home, desk.out]) rmSync(folder, { recursive: true, force: true })
  putBack(left, desk.folder)
  const stateFolder = join(scratch, 'restarted')
  rmSync(stateFolder, { recursive: true, force: true })
  mkdirSync(stateFolder)
  const runs = journal.filter((line) => line.includes('"event":"accepted"')).slice(0, taken)
  const others = journal.filter((line) => !/"event":"(accepted|finished)"/.test(line))
  writeFileSync(join(stateFolder, 'journal.jsonl'), [...others, ...runs, ''].join('\n'))
  const service = await startPracticeService({ ...options, stateFolder })
  try {
    front.target = Number(new URL(service.url).port)
    const said: string[] = []
    const codes: (number | null)[] = []
    const type = async (command: readonly string[]) => {
      const { code, err } = await desk.run(command)
      expectPlainWords(err)
      codes.push(code)
      said.push(`${command[0]} ended with ${code}: ${err}`)
    }
    await type(['resume', '--json'])
    const typed = shoots.filter((_, n) => began[n]! <= at)
    for (const shoot of typed) {
      // Nothing of it may be known; then it is typed again.
      if (!existsSync(desk.out) || broken(service, desk, shoot).length > 0) await type(commandOf(desk, shoot))
    }
    const problems = broken(service, desk, typed.flat())
    const asked = problems.length > 0 && problems.every((problem) => problem.endsWith(' is review'))
    const isGood = (asked || problems.length === 0) && codes.every((code) => code === 0 || code === 2)
    return { problems: isGood ? [] : [...problems, ...said], asked }
  } finally {
    await service.close()
  }
}

/** How many submissions the service may have taken: the last one perhaps not, where nothing tells of its answer. */
function takenBy(
  known: Known,
  { attempts }: Found,
  journal: readonly string[],
  random: () => number,
): number {
  const sent = known.sent.length
  const last = journal.filter((line) => line.includes('"event":"accepted"'))[sent - 1]
  const { runId } = JSON.parse(last ?? '{}') as { runId?: string }
  const isAnswered = known.runs.has(runId ?? '') || attempts.some((one) => one.runId === runId)
  return isAnswered || random() < 0.5 ? sent : Math.max(0, sent - 1)
}

test.skipIf(!canRecord)(
  'after a power failure at any call, whatever reached the disk: nothing sent is forgotten, nothing delivered is missing',
  { timeout: patience },
  async (context) => {
    const recording = await record(context)
    const { desk, steps, journal } = recording
    const whole = wholeDisk(steps)
    const out = { path: desk.out, relative: relative(desk.folder, desk.out) }
    // Read as it was meant: what the calls say is what the run has left, byte for byte.
    const real = desk.files().toSorted()
    expect([...whole.files.keys()].toSorted()).toEqual(real)
    for (const path of real) {
      expect(whole.files.get(path)!.equals(readFileSync(join(desk.folder, path))), path).toBe(true)
    }

    const random = seeded(seed)
    const every = Math.floor(states / resumptions)
    const starts = new StartUps()
    context.onTestFinished(() => starts.close())
    const kinds: Partial<Record<FateKind, number>> = {}
    const tally = { states: 0, asked: 0, resumed: 0, leftToPerson: 0 }
    for (const state of statesOf(steps, random)) {
      const { kind, left, known, at } = state
      const where = `seed ${seed}, ${kind} at ${at}`
      const found = await starts.on(left)
      if ('refused' in found || 'fault' in found) throw new Error(`${where}: ${JSON.stringify(found)}`)
      expect(faultsOf(left, found, known, whole, out), where).toEqual([])
      kinds[kind] = (kinds[kind] ?? 0) + 1
      tally.states += 1
      if (asksPerson(found)) tally.asked += 1
      if (tally.states % every !== Math.floor(every / 2)) continue
      const { problems, asked } = await goOn(recording, state, takenBy(known, found, journal, random))
      expect(problems, where).toEqual([])
      tally.resumed += 1
      if (asked) tally.leftToPerson += 1
    }
    process.stdout.write(
      `proof: ${tally.states} states after a power failure, seed ${seed}: ${JSON.stringify({ ...kinds, ...tally })}\n`,
    )
    expect(tally.states).toBeGreaterThan(states * 0.9)
  },
)

function wholeDisk(steps: readonly Step[]): Left {
  const disk = new LostDisk([results])
  for (const step of steps) disk.take(step)
  return disk.left(fateOf('everything', () => 0))
}
