import type { Store } from '../store/store.ts'
import { contentOfSource } from './own-source.ts'

/** What a person is told as an image's source: its address, or where its picture lies on this computer. */
export function shownSource(store: Pick<Store, 'ownFiles'>, source: string): string {
  const content = contentOfSource(source)
  return (content !== undefined && store.ownFiles.picture(content)?.path) || source
}
