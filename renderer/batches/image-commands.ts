import type { ImageQuery, ImageRecord, Target } from '../../shared/contract/records.ts'
import type { ImageState } from '../../shared/states.ts'
import { plural } from '../app/format.ts'
import type { Workspace } from '../app/workspace.ts'
import { t } from '../../shared/language/text.ts'

type Mark = NonNullable<ImageRecord['mark']>

/** More rows than a batch may have. */
const everyRow = 10_000_000
const markNames: readonly Mark[] = ['keep-1', 'keep-2', 'reject']
/** What can still be taken back without anything having been sent. */
const unsentStates: readonly ImageState[] = ['held', 'waiting']
/** What can be run once more. */
export const settledStates: readonly ImageState[] = ['delivered', 'skipped', 'failed', 'cancelled']

async function idsOf(workspace: Workspace, query: ImageQuery): Promise<readonly number[]> {
  return (await workspace.api.images.ids({ query, from: 0, to: everyRow })).ids
}

/** Ids of a target that a narrower query finds too. */
async function narrowed(
  workspace: Workspace,
  target: Target,
  narrow: (query: ImageQuery) => ImageQuery | undefined,
): Promise<readonly number[]> {
  if ('query' in target) {
    const query = narrow(target.query)
    return query ? idsOf(workspace, query) : []
  }
  const batch = workspace.batch?.id
  const query = batch === undefined ? undefined : narrow({ batch, states: [] })
  if (!query) return []
  const wanted = new Set(target.ids)
  return (await idsOf(workspace, query)).filter((id) => wanted.has(id))
}

/** Ids of those images of a target that are in one of the states. */
function idsInStates(workspace: Workspace, target: Target, states: readonly ImageState[]) {
  return narrowed(workspace, target, (query) => {
    const both = query.states.length === 0 ? states : query.states.filter((state) => states.includes(state))
    return both.length === 0 ? undefined : { ...query, states: [...both] }
  })
}

/** Cancels what waits, with a way back. Costs nothing, since nothing of it was sent. */
export function cancelImages(workspace: Workspace, target: Target) {
  return workspace.attempt(async () => {
    const ids = await idsInStates(workspace, target, unsentStates)
    if (ids.length === 0) return workspace.say(t`None of these is waiting`)
    const { images } = await workspace.api.images.cancel({ ids: [...ids] })
    workspace.say(t`Cancelled ${plural(images, 'image')}`, async () => {
      await workspace.api.images.putBack({ ids: [...ids] })
    })
  })
}

export function putBackImages(workspace: Workspace, target: Target) {
  return workspace.attempt(async () => {
    const ids = await idsInStates(workspace, target, ['cancelled'])
    const { images } = await workspace.api.images.putBack({ ids: [...ids] })
    workspace.say(t`Put back ${plural(images, 'image')}`, async () => {
      await workspace.api.images.cancel({ ids: [...ids] })
    })
  })
}

export function moveImagesFirst(workspace: Workspace, target: Target) {
  return workspace.attempt(async () => {
    const { images, move } = await workspace.api.images.moveFirst(target)
    if (images === 0) return workspace.say(t`None of these is waiting`)
    workspace.say(t`Moved ${plural(images, 'image')} to the front`, async () => {
      await workspace.api.images.moveBack({ move })
    })
  })
}

export function releaseImages(workspace: Workspace, target: Target) {
  return workspace.attempt(async () => {
    const { images } = await workspace.api.images.release(target)
    workspace.say(t`Released ${plural(images, 'image')}`)
  })
}

function markedWords(mark: Mark | null, images: number): string {
  switch (mark) {
    case 'keep-1':
      return t`Kept ${images}`
    case 'keep-2':
      return t`Kept the original of ${images}`
    case 'reject':
      return t`Rejected ${images}`
    case null:
      return t`Cleared the mark of ${images}`
  }
}

/** Marks images; marks are records and never touch files. */
export function markImages(workspace: Workspace, target: Target, mark: Mark | null) {
  return workspace.attempt(async () => {
    const before: [Mark, readonly number[]][] = []
    for (const one of markNames) {
      const ids = await narrowed(workspace, target, (query) => ({ ...query, marks: [one] }))
      if (ids.length > 0) before.push([one, ids])
    }
    const { images } = await workspace.api.images.mark({ target, mark })
    workspace.say(markedWords(mark, images), async () => {
      await workspace.api.images.mark({ target, mark: null })
      for (const [one, ids] of before)
        await workspace.api.images.mark({ target: { ids: [...ids] }, mark: one })
    })
  })
}

/** Puts a text on the clipboard and says so. */
export function copyText(workspace: Workspace, text: string, what: string) {
  return workspace.attempt(async () => {
    if (workspace.isDesktop) await workspace.api.shell.copy({ text })
    else await navigator.clipboard.writeText(text)
    workspace.say(t`${what} copied`)
  })
}

/** Shows an output in the file manager; only a desktop window can. */
export function revealImage(workspace: Workspace, batch: string, image?: number, slug?: string) {
  return workspace.attempt(() =>
    workspace.api.shell.reveal({
      batch,
      ...(image === undefined ? {} : { image }),
      ...(slug === undefined ? {} : { slug }),
    }),
  )
}

/** What is known about one image, for somebody who can help. Never a key, never a signed address. */
export function copyReport(workspace: Workspace, image: number) {
  return workspace.attempt(async () => {
    const details = await workspace.api.images.details({ image })
    const lines = [
      t`Image: ${details.image.title}`,
      t`State: ${details.image.state}`,
      details.runId === null ? t`Run: none` : t`Run: ${details.runId}`,
      t`App: ${details.recipe.appId}`,
      t`Settings sent: ${JSON.stringify(details.recipe.settings)}`,
      t`Source: ${details.source.replace(/[?#].*$/s, '')}`,
      ...details.attempts.map(
        (attempt) =>
          `${new Date(attempt.at).toISOString()} ${attempt.outcome}${attempt.runId === null ? '' : ` (${attempt.runId})`}`,
      ),
      details.error === null ? t`Message: none` : t`Message: ${details.error}`,
    ]
    await copyText(workspace, lines.join('\n'), t`Report`)
  })
}
