import { createHash } from 'node:crypto'
import { dirname } from 'node:path'
import type { Clock } from '../clock.ts'
import { DeliveryError } from './delivery-error.ts'
import type { Placement, NameRequest, SettledName } from './delivery.ts'
import { diskFault } from './disk-fault.ts'
import type { FileFacts, Files } from './files.ts'
import { fileIn, isPartIn } from './output-folder.ts'
import { numberedName } from './safe-name.ts'
import { say } from '../../shared/language/say.ts'

/** Whether the file at a path has exactly these contents. */
async function holds(
  files: Files,
  path: string,
  facts: FileFacts | undefined,
  wanted: Contents,
): Promise<boolean> {
  if (facts?.kind !== 'file' || facts.bytes !== wanted.bytes) return false
  const hash = createHash('sha256')
  for await (const chunk of files.read(path)) hash.update(chunk)
  return hash.digest('hex') === wanted.sha256
}

interface Contents {
  readonly bytes: number
  readonly sha256: string
}

/** Names are tried one by one up to here, then in growing steps: ten thousand pictures may want the same one. */
const oneByOne = 16
const mostNumber = 1_000_000

type Judged = SettledName | 'taken'

/** See Delivery.settleName. */
export async function settleName(files: Files, request: NameRequest): Promise<SettledName> {
  let number = 1
  for (; number <= oneByOne; number += 1) {
    const judged = await judgeName(files, request, number)
    if (judged !== 'taken') return judged
  }
  // Any free name will do, so a free one after a taken one is found by doubling and halving.
  let taken = oneByOne
  let free: SettledName | undefined
  while (!free && number <= mostNumber) {
    number = taken * 2
    const judged = await judgeName(files, request, number)
    if (judged === 'taken') taken = number
    else free = judged
  }
  if (!free)
    throw new DeliveryError(
      'in-the-way',
      say`Every name like ${request.relative} is taken; clear the folder.`,
    )
  while (number - taken > 1) {
    const middle = Math.floor((taken + number) / 2)
    const judged = await judgeName(files, request, middle)
    if (judged === 'taken') taken = middle
    else [free, number] = [judged, middle]
  }
  return free
}

async function judgeName(files: Files, request: NameRequest, number: number): Promise<Judged> {
  const relative = numberedName(request.relative, number)
  if (request.claimed(relative)) return 'taken'
  const path = await fileIn(files, request.outDir, relative)
  try {
    const facts = await files.stat(path)
    if (!facts) return { kind: 'free', relative, path, replace: false }
    if (await holds(files, path, facts, request)) return { kind: 'already', relative, path }
    if (request.onConflict === 'skip') return { kind: 'skip', relative, path }
    const replace = request.onConflict === 'overwrite' && facts.kind === 'file'
    return replace ? { kind: 'free', relative, path, replace } : 'taken'
  } catch (error) {
    throw diskFault(error, path, dirname(path))
  }
}

export interface PlaceParts {
  readonly files: Files
  readonly clock: Clock
}

/** See Delivery.placePart. */
export async function placePart(parts: PlaceParts, placement: Placement): Promise<'placed' | 'name-taken'> {
  const { files } = parts
  const { part, outDir, relative } = placement
  const path = await fileIn(files, outDir, relative)
  if (part === null || !(await isPartIn(files, outDir, part))) {
    throw new DeliveryError('outside', say`The temporary file for ${path} is not in the output folder.`)
  }
  try {
    if (placement.replace) {
      if ((await files.stat(path))?.kind === 'folder') {
        throw new DeliveryError(
          'in-the-way',
          say`A folder stands at ${path} where a file is needed; move it away.`,
        )
      }
      await patiently(parts, () => files.rename(part, path))
    } else if (!(await placeNew(parts, part, path))) return 'name-taken'
    await files.syncFolder(dirname(path))
    return 'placed'
  } catch (error) {
    throw diskFault(error, path, dirname(path))
  }
}

/** Systems without hard links (FAT, exFAT, some network drives) answer with one of these. */
const noLinks = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
  'EISDIR',
  'EXDEV',
  'EACCES',
  'EINVAL',
])

/** A hard link fails where the name is taken, in one step; a rename would replace. */
async function placeNew(parts: PlaceParts, part: string, path: string): Promise<boolean> {
  const { files } = parts
  try {
    await files.link(part, path)
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EEXIST') return false
    if (code !== 'EBUSY' && !noLinks.has(code)) throw error
    return await placeOverPlaceholder(parts, part, path)
  }
  await patiently(parts, () => files.remove(part))
  return true
}

/** Without links: an empty file of our own takes the name (only if it is free), and is then replaced. */
async function placeOverPlaceholder(parts: PlaceParts, part: string, path: string): Promise<boolean> {
  const { files } = parts
  try {
    await (await files.create(path)).close()
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
  try {
    await patiently(parts, () => files.rename(part, path))
  } catch (error) {
    await files.remove(path).catch(() => {})
    throw error
  }
  return true
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException | null)?.code ?? ''
}

const patienceMs = 60_000
/** On Windows a scanner or an indexer holds new files open for a moment. */
const passing = new Set(['EPERM', 'EACCES', 'EBUSY'])

/** Repeats what a scanner may hold up, for a minute with growing pauses (docs/reliability.md, F20). */
async function patiently(parts: PlaceParts, act: () => Promise<void>) {
  const { clock } = parts
  const until = clock.monotonic() + patienceMs
  for (let pause = 10; ; pause = Math.min(100, pause + 10)) {
    try {
      await act()
      return
    } catch (error) {
      if (!passing.has(codeOf(error)) || clock.monotonic() >= until) throw error
      await clock.sleep(pause)
    }
  }
}

/** See Delivery.recoverPlacement. */
export async function recoverPlacement(
  parts: PlaceParts,
  placement: Placement,
): Promise<'placed' | 'name-taken' | 'fetch-again'> {
  const { files } = parts
  const { part, outDir } = placement
  const path = await fileIn(files, outDir, placement.relative)
  const ownPart = part !== null && (await isPartIn(files, outDir, part)) ? part : null
  try {
    const facts = await files.stat(path)
    if (await holds(files, path, facts, placement)) {
      if (ownPart !== null) await files.remove(ownPart)
      await files.syncFolder(dirname(path))
      return 'placed'
    }
    if (ownPart === null) return 'fetch-again'
    if (!(await holds(files, ownPart, await files.stat(ownPart), placement))) {
      await files.remove(ownPart)
      return 'fetch-again'
    }
    // An empty file under the recorded name is the placeholder of a placing that was cut short.
    const replace = placement.replace || (facts?.kind === 'file' && facts.bytes === 0)
    return await placePart(parts, { ...placement, part: ownPart, replace })
  } catch (error) {
    throw diskFault(error, path, dirname(path))
  }
}
