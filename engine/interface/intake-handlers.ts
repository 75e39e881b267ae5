import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { z } from 'zod'
import type { EngineContract } from '../../shared/contract/engine-contract.ts'
import type { readEventSchema, sourceSchema } from '../../shared/contract/intake-records.ts'
import type { Handlers } from '../../shared/rpc/contract.ts'
import { Fault } from '../../shared/rpc/fault.ts'
import { displayText } from '../intake/display-text.ts'
import type { Intake, IntakeProgress, Source } from '../intake/found.ts'
import { gather } from '../intake/gather.ts'
import type { PublishedIntake } from '../own-files/publish-intake.ts'
import { foundRecord, type Drafts } from './drafts.ts'
import type { Drops } from './drops.ts'
import type { Estimates } from './estimates.ts'
import type { InterfaceParts, Practice } from './parts.ts'
import { publishFound } from './publish-found.ts'
import { Topic } from './topic.ts'
import type { Workplace } from './workplace.ts'
import { say } from '../../shared/language/say.ts'

type WantedSource = z.output<typeof sourceSchema>
type ReadEvent = z.input<typeof readEventSchema>

export interface IntakeHandlerParts {
  readonly parts: InterfaceParts
  readonly drops: Drops
  readonly drafts: Drafts
  readonly estimates: Estimates
  readonly workplace: Workplace
}

export function intakeHandlers(all: IntakeHandlerParts): Handlers<EngineContract>['intake'] {
  const { drafts, estimates } = all
  const stops = new Map<string, AbortController>()
  return {
    read: ({ sources, token }, { signal }) => read(all, { sources, token, stops, signal }),
    stop: ({ token }) => {
      stops.get(token)?.abort()
      return {}
    },
    estimate: async (choice) => await estimates.make(choice),
    begin: async ({ estimate, start }) => await estimates.begin(estimate, start),
    discard: ({ draft }) => {
      drafts.discard(draft)
      return {}
    },
  }
}

interface Reading {
  readonly sources: readonly WantedSource[]
  readonly token: string
  readonly stops: Map<string, AbortController>
  readonly signal: AbortSignal
}

async function* read(all: IntakeHandlerParts, reading: Reading): AsyncGenerator<ReadEvent> {
  const { token, stops, signal } = reading
  const { sources, shown } = await resolved(all, reading.sources)
  const stop = new AbortController()
  stops.set(token, stop)
  const topic = new Topic()
  let latest: IntakeProgress | undefined
  const onProgress = (progress: IntakeProgress) => {
    latest = progress
    topic.ring()
  }
  const either = AbortSignal.any([stop.signal, signal])
  const whole = gather(sources, { keepDuplicates: true, signal: either, onProgress }).then(
    async (intake) => await published(all, intake, { signal: either, onProgress, latest: () => latest }),
  )
  const state = { done: false }
  const end = () => {
    state.done = true
    topic.ring()
  }
  const ended = whole.then(end, end)
  try {
    while (!state.done && !signal.aborted) {
      const { version } = topic
      if (latest) yield progressEvent(latest)
      await Promise.race([ended, topic.after(version, signal)])
      // Ten times a second is as often as anybody can read.
      await Promise.race([ended, all.parts.clock.sleep(100, signal)])
    }
    const intake = await whole
    if (signal.aborted) return
    yield { kind: 'found', found: foundRecord(all.drafts.add(intake), sources, shown) }
  } finally {
    stops.delete(token)
  }
}

interface PublishingPace {
  readonly signal: AbortSignal
  readonly onProgress: (progress: IntakeProgress) => void
  readonly latest: () => IntakeProgress | undefined
}

/** Pictures of this computer become images, with what is told meanwhile. */
async function published(
  all: IntakeHandlerParts,
  intake: Intake,
  { signal, onProgress, latest }: PublishingPace,
): Promise<PublishedIntake> {
  return await publishFound(all, intake, {
    signal,
    keepDuplicates: true,
    onProgress: (done, _, current) => {
      const before = latest()
      if (before)
        onProgress({ ...before, images: intake.images.length + done, current: displayText(current, 1000) })
    },
  })
}

function progressEvent({ files, images, duplicates, problems, current }: IntakeProgress): ReadEvent {
  return { kind: 'progress', files, images: images - duplicates, duplicates, problems, current }
}

/** What a shell took in, and what a person calls it. @throws Fault `gone` */
async function resolved({ parts, drops, workplace }: IntakeHandlerParts, wanted: readonly WantedSource[]) {
  const sources: Source[] = []
  const shown: string[] = []
  for (const source of wanted) {
    if (source.kind === 'text') {
      sources.push({ kind: 'text', text: source.text, shown: displayText(source.shown) || say`pasted text` })
      shown.push(displayText(source.shown) || say`the pasted text`)
    } else if (source.kind === 'drop') {
      const dropped = drops.find(source.drop)
      if (!dropped) throw new Fault('gone', say`What was dropped is not known any more; drop it again.`)
      sources.push(...dropped)
      shown.push(
        ...dropped.map((one) => (one.kind === 'path' ? (one.shown ?? one.path) : say`what was dropped`)),
      )
    } else {
      sources.push({ kind: 'path', path: await sampleShoot(parts, workplace) })
      shown.push(say`Sample shoot`)
    }
  }
  return { sources, shown }
}

/** Where the lists of the sample shoot lie by now, by the program's parts and the practice service's address. */
const written = new WeakMap<InterfaceParts, { readonly url: string; readonly folder: Promise<string> }>()

/**
 * Lists of the practice service's sample shoot, written anew where its address is another than the last time: they may
 * be read at this moment, by somebody who asked before.
 */
function sampleShoot(parts: InterfaceParts, workplace: Workplace): Promise<string> {
  const { practice } = workplace
  if (!practice)
    throw new Fault('refused', say`The sample shoot belongs to the practice service; switch to it first.`)
  const last = written.get(parts)
  if (last?.url === practice.url) return last.folder
  const folder = writeSamples(join(parts.home, 'practice', 'Sample shoot'), practice)
  written.set(parts, { url: practice.url, folder })
  void folder.catch(() => written.delete(parts))
  return folder
}

async function writeSamples(folder: string, practice: Pick<Practice, 'writeSamples'>): Promise<string> {
  await rm(folder, { recursive: true, force: true })
  await practice.writeSamples(folder)
  return folder
}
