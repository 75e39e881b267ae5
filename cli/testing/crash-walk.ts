import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startPracticeService, type PracticeService } from '../../practice-service/start.ts'
import { call } from './stage.ts'

const child = fileURLToPath(new URL('./crash-child.ts', import.meta.url))

export interface Walk {
  /** Names of the places that the recording visited, in order. */
  readonly places: readonly string[]
  /** What was wrong after a kill at each place; empty when all promises held. */
  readonly broken: readonly {
    readonly at: number
    readonly place: string
    readonly problems: readonly string[]
  }[]
}

interface Scene {
  readonly home: string
  readonly out: string
  readonly service: PracticeService
  readonly sources: readonly string[]
  readonly options: readonly string[]
  readonly env: NodeJS.ProcessEnv
}

/**
 * Runs a batch and kills it at every place in turn, each time in a folder and on a service of its own, then lets
 * `vitrine resume` finish it, and checks the promises against the service's own books. The service loses the second
 * answer after it has charged for it.
 *
 * @param images pictures in the batch; the second of each run's two outputs is the untouched original
 * @param atOnce kills under way at the same time
 * @param more further options of the command, and the places at which it is killed; all where that is left out
 */
export async function walk(
  images: number,
  atOnce: number,
  { options = [], only = /./ }: { readonly options?: readonly string[]; readonly only?: RegExp } = {},
): Promise<Walk> {
  const places = await record(images, options)
  const turns = places.flatMap((place, index) => (only.test(place) ? [index + 1] : []))
  const broken: Walk['broken'][number][] = []
  const work = async () => {
    for (let at = turns.shift(); at !== undefined; at = turns.shift()) {
      const problems = await killAndResume(images, at, options)
      if (problems.length > 0) broken.push({ at, place: places[at - 1] ?? 'past the end', problems })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return { places, broken }
}

async function record(images: number, options: readonly string[]): Promise<string[]> {
  const scene = await setScene(images, options)
  const log = join(scene.home, 'places.log')
  await run(scene, { CRASH_AT: '0', CRASH_LOG: log })
  const places = readFileSync(log, 'utf8').trim().split('\n')
  await clear(scene)
  return places
}

async function killAndResume(images: number, at: number, options: readonly string[]): Promise<string[]> {
  const scene = await setScene(images, options)
  try {
    await run(scene, { CRASH_AT: String(at) })
    // Nothing of the killed process is left but its files, so the rest may as well happen in this one.
    const resumed = await call(['resume'], scene.env, scene.home)
    // A kill before the batch was stored leaves nothing to resume: the person types the command again.
    const stored = existsSync(join(scene.out, 'manifest.jsonl'))
    const again = resumed.status === 0 && !stored
    const last = again ? await call(commandOf(scene), scene.env, scene.home) : resumed
    return last.status === 0 ? check(scene) : [`exit ${last.status}: ${last.err.trim().split('\n').at(-1)}`]
  } finally {
    await clear(scene)
  }
}

function check(scene: Scene): string[] {
  const problems: string[] = []
  const { runs } = scene.service.books()
  for (const source of scene.sources) {
    const charged = runs.filter((one) => one.source === source)
    if (charged.length !== 1) problems.push(`${source} was charged ${charged.length} times`)
  }
  const lines = readFileSync(join(scene.out, 'manifest.jsonl'), 'utf8').trim().split('\n')
  const manifest = lines.map((line) => JSON.parse(line) as ManifestLine)
  for (const source of scene.sources) {
    const line = manifest.find((one) => one.source === source && one.status === 'delivered')
    if (line?.outputs.length !== 2) problems.push(`${source} has ${line?.outputs.length ?? 'no'} outputs`)
    for (const output of line?.outputs ?? []) {
      const bytes = readFileSync(join(scene.out, output.path))
      if (createHash('sha256').update(bytes).digest('hex') !== output.sha256) {
        problems.push(`${output.path} is not what the manifest says`)
      }
      if (scene.options.includes('run') && !bytes.includes('urn:vitrine:run:')) {
        problems.push(`${output.path} lacks its metadata`)
      }
      if (scene.options.includes('sidecar') && !existsSync(join(scene.out, `${output.path}.xmp`))) {
        problems.push(`${output.path} lacks its sidecar`)
      }
    }
  }
  const files = readdirSync(scene.out).filter((name) => name !== 'manifest.jsonl')
  const each = scene.options.includes('sidecar') ? 4 : 2
  if (files.length !== scene.sources.length * each) problems.push(`the folder holds ${files.join(', ')}`)
  return problems
}

interface ManifestLine {
  readonly source: string
  readonly status: string
  readonly outputs: readonly { readonly path: string; readonly sha256: string }[]
}

async function setScene(images: number, options: readonly string[]): Promise<Scene> {
  const home = mkdtempSync(join(tmpdir(), 'vitrine-walk-'))
  const service = await startPracticeService({
    imageWork: 'echo',
    concurrency: 4,
    processing: 0.05,
    faults: [{ on: 'submit', nth: 2, fault: { kind: 'reset-after' } }],
  })
  const sources = Array.from({ length: images }, (_, index) => `${service.origin}/shoot/ring-${index}.jpg`)
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    VITRINE_HOME: join(home, 'data'),
    VITRINE_API_KEY: service.keys[0],
    VITRINE_BASE_URL: service.url,
    VITRINE_SETTLE_SECONDS: '0.5',
  }
  return { home, out: join(home, 'out'), service, sources, options, env }
}

async function clear(scene: Scene) {
  await scene.service.close()
  rmSync(scene.home, { recursive: true, force: true })
}

function commandOf({ out, options, sources }: Scene): readonly string[] {
  const command = ['run', '--app', 'rescue', '--set', 'debanding=true', '--yes', '--out', out]
  return [...command, ...options, ...sources]
}

/** Runs the batch in a process that kills itself at one place, and waits for its end. */
async function run(scene: Scene, env: NodeJS.ProcessEnv) {
  const killed = spawn(process.execPath, [child, ...commandOf(scene)], {
    env: { ...scene.env, ...env },
    stdio: 'ignore',
  })
  await once(killed, 'close')
}
