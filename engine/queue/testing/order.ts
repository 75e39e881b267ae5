import type { Attempt, Image } from '../../store/rows.ts'
import type { Store } from '../../store/store.ts'

/** What a run is really of: the picture's address, and the settings where there are any. No list ever shows it. */
export type Order = string

/** An order as a submission says it. */
function orderOf(image: string, settings: object): Order {
  const entries = Object.entries(settings).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return entries.length === 0 ? image : `${image} ${JSON.stringify(entries)}`
}

/** What an image is an order of. */
export function orderOfImage(store: Store, image: Image): Order {
  return orderOf(image.source, store.images.recipeById(image.recipeId).settings)
}

/** What an attempt was to send. */
export function orderOfAttempt(store: Store, { imageId }: Pick<Attempt, 'imageId'>): Order {
  return orderOfImage(store, store.images.byId(imageId)!)
}

/** Orders of one picture with different settings. */
export function areTwins(a: Order, b: Order): boolean {
  return a !== b && a.split(' ')[0] === b.split(' ')[0]
}

/** What a submission's body says. */
export interface Sent {
  readonly order: Order
  readonly webhookUrl: string
}

export function sentIn(body: string): Sent {
  const json = JSON.parse(body) as { parameters: { image: string }; webhook_url: string }
  const { image, ...settings } = json.parameters
  return { order: orderOf(image, settings), webhookUrl: json.webhook_url }
}
