import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, type TestContext } from 'vitest'
import { WebSocket } from 'ws'
import { startPracticeService, type FaultRule } from '../../practice-service/start.ts'
import { ProofDesk } from './desk.ts'

const key = 'canary-key-7f3b9c5e1d'
const signature = /[?&](?:sig|signature|token|expires)=/i
const patience = 300_000

/** What happens while everything is watched. */
const faults: readonly FaultRule[] = [
  { on: ['submit', 'run', 'list', 'file'], probability: 0.1, fault: { kind: 'reset-after' } },
  {
    on: ['run', 'list'],
    probability: 0.1,
    fault: { kind: 'status', status: 500, body: `Bearer ${key} was refused` },
  },
  { on: 'file', probability: 0.1, fault: { kind: 'expired' } },
  {
    on: 'submit',
    nth: 3,
    fault: { kind: 'status', status: 400, body: `{"detail":"the key ${key} may not"}` },
  },
]

const accounts = [{ key, subscriptionCredits: 10_000 }]
const options = { imageWork: 'echo', processing: 0.3, accounts, faults } as const
const fail = ({ sequence }: { sequence: number }) =>
  sequence % 4 === 1 ? { fail: `The key ${key} was used with Bearer ${key}.` } : undefined

interface Seen {
  readonly where: string
  readonly text: string
}

/** Arguments of a process and its children, and the environment of the children. */
function processesOf(pid: number): Seen[] {
  const seen: Seen[] = []
  const look = (one: number, isChild: boolean) => {
    try {
      seen.push({ where: `arguments of ${one}`, text: readFileSync(`/proc/${one}/cmdline`, 'utf8') })
      if (isChild)
        seen.push({ where: `environment of ${one}`, text: readFileSync(`/proc/${one}/environ`, 'latin1') })
      for (const thread of readdirSync(`/proc/${one}/task`)) {
        const children = readFileSync(`/proc/${one}/task/${thread}/children`, 'utf8')
        for (const child of children.split(' ').filter(Boolean)) look(Number(child), true)
      }
    } catch {
      // It ended while we looked, or this system does not tell.
    }
  }
  look(pid, false)
  return seen
}

function filesOf(desk: ProofDesk): Seen[] {
  return desk.files().map((name) => ({ where: name, text: readFileSync(join(desk.folder, name), 'latin1') }))
}

function expectNone(seen: readonly Seen[]): void {
  expect(seen.length).toBeGreaterThan(3)
  for (const { where, text } of seen) expect(text.includes(key), `${where}: ${around(text)}`).toBe(false)
}

function around(text: string): string {
  const at = text.indexOf(key)
  return at < 0 ? '' : text.slice(Math.max(0, at - 80), at + 80)
}

/** A desk with the key, beside a service that puts the key into its own errors. */
async function openDesk({ onTestFinished }: TestContext) {
  const service = await startPracticeService({ ...options, outcome: fail })
  const desk = new ProofDesk(service.url, { VITRINE_API_KEY: key })
  onTestFinished(async () => {
    desk.clear()
    await service.close()
  })
  return { service, desk }
}

test(
  'the command line under faults: the key is in no file, line, event, argument or child',
  { timeout: patience },
  async (context) => {
    const { service, desk } = await openDesk(context)
    const sources = Array.from({ length: 12 }, (_, n) => `https://pictures.example/${n}.jpg`)
    const seen: Seen[] = []
    const commands = [
      desk.batch(sources),
      ['status'],
      ['runs'],
      ['review'],
      ['balance'],
      ['retry', '--all', '--yes'],
      ['resume', '--json'],
    ]
    for (const command of commands) {
      const running = desk.start(command)
      await sleep(command[0] === 'run' ? 1500 : 300)
      seen.push(...processesOf(running.child.pid!))
      const { out, err } = await running.ended
      seen.push({ where: `${command[0]} said`, text: out }, { where: `${command[0]} told`, text: err })
      expect(out + err).not.toMatch(signature)
    }
    seen.push(...filesOf(desk))
    // The service did say it: what was looked for could have been found.
    expect(service.books().runs.some(({ error }) => error?.includes(key))).toBe(true)
    expectNone(seen)
    process.stdout.write(`proof: the key was looked for in ${seen.length} texts of the command line\n`)
  },
)

test(
  'the window’s program under faults: the key is in no frame, file, line, argument or child',
  { timeout: patience },
  async (context) => {
    const { service, desk } = await openDesk(context)
    const running = desk.start(['serve', '--no-open', '--json'])
    expect(await running.said('"event":"address"')).toBe(true)
    const seen: Seen[] = []
    const { url } = JSON.parse(running.soFar().split('\n')[0]!) as { url: string }
    const { origin, host } = new URL(url)
    const entered = await fetch(url, { redirect: 'manual' })
    const cookie = entered.headers.getSetCookie()[0]!.split(';')[0]!
    const socket = new WebSocket(`ws://${host}/line`, { headers: { cookie, origin } })
    let frames = ''
    const answers = new Map<number, (value: Record<string, unknown>) => void>()
    socket.on('message', (data) => {
      const text = (data as Buffer).toString()
      frames += text
      const frame = JSON.parse(text) as { id?: number; type: string; value?: Record<string, unknown> }
      if (frame.id !== undefined && (frame.value ?? frame.type === 'fail'))
        answers.get(frame.id)?.(frame.value ?? {})
    })
    await once(socket, 'open')
    let next = 0
    const ask = (path: string, input: unknown) => {
      const id = (next += 1)
      socket.send(JSON.stringify({ type: 'start', id, path, input }))
      return new Promise<Record<string, unknown>>((resolve) => answers.set(id, resolve))
    }
    for (const topic of ['connections', 'queue', 'batches', 'notices', 'preferences', 'presets'])
      void ask(`${topic}.watch`, {})
    const text = Array.from({ length: 12 }, (_, n) => `https://pictures.example/${n}.jpg`).join('\n')
    const found = await new Promise<Record<string, unknown>>((resolve) => {
      const id = (next += 1)
      answers.set(
        id,
        (value) => value['kind'] === 'found' && resolve(value['found'] as Record<string, unknown>),
      )
      socket.send(
        JSON.stringify({
          type: 'start',
          id,
          path: 'intake.read',
          input: { sources: [{ kind: 'text', text, shown: 'x' }], token: 't' },
        }),
      )
    })
    const recipe = { appId: 'rescue', settings: {}, parameters: {} }
    const choice = {
      draft: found['draft'],
      name: 'Rings',
      preset: null,
      recipe,
      outDir: desk.out,
      nameTemplate: '{name}{suffix}.{ext}',
      onConflict: 'rename',
      budget: null,
      test: null,
    }
    const { estimate } = await ask('intake.estimate', choice)
    const { batch } = await ask('intake.begin', { estimate, start: true })
    void ask('images.watch', { batch, states: [] })
    while (!/"state":"(?:finished|stopped)"/.test(frames)) {
      await sleep(200)
      seen.push(...processesOf(running.child.pid!))
    }
    for (const [path, input] of [
      ['images.page', { query: { batch, states: [] }, offset: 0, limit: 50 }],
      ['images.details', { image: 1 }],
      ['images.details', { image: 2 }],
      ['runs.list', { page: 1, limit: 50, status: null }],
      ['connections.check', { baseUrl: 'http://127.0.0.1:1/api/v1', key }],
      ['connections.check', { baseUrl: service.url, key: `${key}-wrong` }],
      ['preferences.places', {}],
    ] as const) {
      await ask(path, input)
    }
    await fetch(`${origin}/pictures/1/output/primary/thumb-128`, { headers: { cookie } }).then((one) =>
      one.arrayBuffer(),
    )
    seen.push(...processesOf(running.child.pid!))
    running.child.kill('SIGTERM')
    const { out, err } = await running.ended
    seen.push(
      { where: 'frames', text: frames },
      { where: 'stdout', text: out },
      { where: 'stderr', text: err },
      ...filesOf(desk),
    )
    expect(frames.length).toBeGreaterThan(2000)
    expect(frames).toContain('delivered')
    expectNone(seen)
    expect(frames).not.toMatch(signature)
    process.stdout.write(`proof: the key was looked for in ${seen.length} texts of the window’s program\n`)
  },
)
