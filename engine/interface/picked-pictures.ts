import { Fault } from '../../shared/rpc/fault.ts'
import { say } from '../../shared/language/say.ts'
import { pickedTrouble, pickRefusal, type PickedPicture } from '../batches/picked-picture.ts'
import { displayText } from '../intake/display-text.ts'
import type { LocalPicture, Source } from '../intake/found.ts'
import { gather } from '../intake/gather.ts'
import type { Drops } from './drops.ts'
import { imageOf } from './image-actions.ts'
import { publishFound, type PublishFoundParts } from './publish-found.ts'

export interface PickingParts extends PublishFoundParts {
  readonly drops: Drops
}

/** A picture that may take an image's place. */
export interface Picked extends PickedPicture {
  /** What a person calls its file. */
  readonly file: string
}

/**
 * Reads the picture that a person chose in the place of an image that failed, as intake reads it, and has it published
 * as own files are set up. Nothing of the image is changed.
 * @throws Fault with a sentence where the image, or the picture, is not such as can be sent
 */
export async function readPicked(
  all: PickingParts,
  { image: id, drop }: { readonly image: number; readonly drop: string },
  signal: AbortSignal,
): Promise<Picked> {
  const { store } = all.parts
  const image = imageOf(store, id)
  const refusal = pickRefusal(store, image)
  if (refusal !== undefined) throw new Fault('refused', refusal)
  const dropped = all.drops.find(drop)
  if (!dropped) throw new Fault('gone', say`What was chosen is not known any more; choose it again.`)
  const { source, file } = await published(all, dropped, signal)
  // Reading may have taken a while.
  const trouble = pickedTrouble(store, imageOf(store, id), source)
  if (trouble !== undefined) throw new Fault('refused', trouble)
  return { image: id, from: image.source, source, file }
}

async function published(
  all: PickingParts,
  dropped: readonly Source[],
  signal: AbortSignal,
): Promise<{ readonly source: string; readonly file: string }> {
  const { published: folder, storage } = all.parts.preferences.read().ownFiles
  if (!folder && !storage) {
    throw new Fault(
      'refused',
      say`Pictures of this computer cannot be sent yet; set up own files in the settings first.`,
    )
  }
  const intake = await gather(dropped, { signal })
  const picture = onlyPicture(dropped, intake.localPictures)
  if (!picture || intake.images.length > 0) {
    throw new Fault('refused', intake.problems[0]?.reason ?? say`Choose one picture.`)
  }
  const { images, problems } = await publishFound(all, intake, { signal })
  const file = displayText(picture.shown.split(/[/\\]/).at(-1) ?? picture.shown, 300)
  const [image] = images
  if (image) return { source: image.url, file }
  throw new Fault(
    'refused',
    problems[0]?.reason ??
      say`${file} does not lie in the published folder; choose a picture that does, or set up a storage.`,
  )
}

/** The picture, where exactly one was chosen, and not its folder. */
function onlyPicture(
  dropped: readonly Source[],
  pictures: readonly LocalPicture[],
): LocalPicture | undefined {
  const [source] = dropped
  const [picture] = pictures
  const isAlone = dropped.length === 1 && pictures.length === 1 && source?.kind === 'path'
  return isAlone && picture?.path === source.path ? picture : undefined
}
