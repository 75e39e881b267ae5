import { say } from '../../shared/language/say.ts'
import { nameOfImage } from '../delivery/safe-name.ts'
import { deliveryKey } from '../store/images.ts'
import type { Attempt, Image } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import { anew } from './anew.ts'
import { DecisionError } from './decisions.ts'

/**
 * Another picture in the place of one that failed: the image keeps its batch, position, title, settings and the name of
 * its outputs, and has another source from now on.
 *
 * What goes by source, and why it is not confused:
 * - Evidence (`queue/reconcile.ts`) takes two submissions for the same picture when their images have one source, and
 *   the lane passes over images whose source is in question. Both read the source as it is now, and only of images
 *   with an open attempt. So the source of an image never changes while one of its attempts is open, or its run has no
 *   end yet: what is read there is always what was sent.
 * - From then on the image is judged by its new source: it waits where another image of that picture is in question,
 *   and its own question is left to a person where that one's is.
 * - Attribution (`queue/attribution.ts`) and notices go by attempts, times and run ids; settled attempts are read by
 *   none of them. The ledger stays as it is: a failed run of the former source stays paid, and says so.
 * - A run of the former source must not be taken for the new picture's later. In review that could be done by hand, where
 *   the service has lost the newest run: `former_source` says up to which attempt the source was another, and `adoptRun`
 *   refuses those. A run that the service has lost, before the change, may still bring a result that was paid for, so
 *   its image is left alone.
 * - What was given up in review (`dropped`) does not count: whoever sent the picture again agreed that it may be charged
 *   twice. An earlier success of an image that ran again was delivered then, and its file stays.
 * - Skipping goes by the fingerprint of source, settings and folder, which is made anew: the former link counts as never
 *   delivered, and the picked picture is not sent again by a later batch. One that is delivered already with these
 *   settings, or on its way, is refused here, since it would be paid for twice.
 */

/** Submissions of which it is not known yet what becomes of them. */
function isOpen({ state, runStatus }: Attempt): boolean {
  switch (state) {
    case 'intent':
    case 'sending':
    case 'unknown':
    case 'review':
      return true
    case 'acked':
    case 'adopted':
      return runStatus === null
    case 'unsent':
    case 'refused':
    case 'absent':
    case 'dropped':
      return false
  }
}

/** Why no other picture can be chosen in an image's place, as a sentence; undefined where one can. */
export function pickRefusal(store: Store, image: Image): string | undefined {
  if (image.state !== 'failed') return say`Only an image that has failed can be given another picture.`
  if (image.serviceStatus === 'SUCCESS') {
    return say`The result of this image is at the service and paid for; retry it, which fetches it without a new charge.`
  }
  const attempts = store.ledger.ofImage(image.id)
  if (attempts.some(isOpen)) {
    return say`It is not known yet what became of this image; wait until that is settled.`
  }
  if (attempts.some(({ runStatus }) => runStatus === 'LOST')) {
    return say`The service has lost sight of a run of this image, which may be paid for; retry it, or add the picture as a new batch.`
  }
  return undefined
}

/** What a person has agreed to. */
export interface PickedPicture {
  readonly image: number
  /** The image's source at that time: where it is another by now, something else has happened to it. */
  readonly from: string
  readonly source: string
}

/**
 * Why this picture cannot be sent in the image's place, as a sentence; undefined where it can. The same picture once
 * more is a plain retry.
 */
export function pickedTrouble(store: Store, image: Image, source: string): string | undefined {
  if (source === image.source) return undefined
  const other = store.formerSources.sameDelivery(keyOf(store, image, source), image.id)
  if (other === undefined) return undefined
  const { title } = store.images.byId(other)!
  return say`This picture is sent already, or was delivered, with the same settings into the same folder, as “${title}”; choose another.`
}

/**
 * Gives a failed image another source and puts it back into the queue, in one transaction: after a crash it has failed
 * as before, or waits with the picture that was chosen.
 * @throws DecisionError where that is not possible any more
 */
export function takePicked(store: Store, { image: id, from, source }: PickedPicture) {
  store.transaction(() => {
    const image = store.images.byId(id)
    if (!image || image.source !== from) {
      throw new DecisionError(say`This image has changed meanwhile; look at it again.`)
    }
    const refusal = pickRefusal(store, image) ?? pickedTrouble(store, image, source)
    if (refusal !== undefined) throw new DecisionError(refusal)
    store.images.move(id, 'failed', 'waiting', anew)
    store.outputs.forget(id)
    if (source === from) return
    const lastAttempt = store.ledger.ofImage(id).at(-1)?.id ?? 0
    store.formerSources.replace(image, {
      source,
      // Without a name of its own it had that of its address, and keeps it.
      name: nameOfImage(image),
      key: keyOf(store, image, source),
      lastAttempt,
    })
  })
}

function keyOf(store: Store, image: Image, source: string): string {
  const { outDir } = store.batches.bySeq(image.batchSeq)
  return deliveryKey(source, store.images.recipeById(image.recipeId), outDir)
}
