import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Subject } from '../../shared/contract/compare-records.ts'
import type { ImageQuery, Target } from '../../shared/contract/records.ts'
import type { ImageState } from '../../shared/states.ts'

export const preferencePages = [
  'general',
  'connections',
  'output',
  'files',
  'queue',
  'keys',
  'places',
  'program',
] as const
export type PreferencePage = (typeof preferencePages)[number]

/** What fills the main column. `start` is the empty window: drop a shoot here. */
export type Screen =
  | { readonly kind: 'start' }
  | { readonly kind: 'batch'; readonly batch: string }
  | { readonly kind: 'history' }
  | { readonly kind: 'presets' }
  | { readonly kind: 'preferences'; readonly page: PreferencePage }

/** What lies over it; one at a time. */
export type Overlay =
  | { readonly kind: 'palette' }
  | { readonly kind: 'keys' }
  | { readonly kind: 'paste' }
  | { readonly kind: 'intake' }
  | { readonly kind: 'connect' }
  | { readonly kind: 'replace-key'; readonly connection: string }
  | {
      readonly kind: 'retry'
      readonly target: Target
      readonly title: string
      /** The drop with another picture for the only image. */
      readonly pick?: string
    }
  | { readonly kind: 'review'; readonly batch: string; readonly image: number | undefined }
  | { readonly kind: 'rename-batch' | 'budget' | 'out-dir' | 'remove-batch'; readonly batch: string }
  | { readonly kind: 'large-picture'; readonly image: number }
  | { readonly kind: 'compare'; readonly of: Subject }
  /** A hot folder's settings; null to set one up. */
  | { readonly kind: 'hot-folder'; readonly id: number | null }

/** Filter, search and sort of one batch. */
export interface Sieve {
  readonly states: readonly ImageState[]
  /** Empty for all. */
  readonly marks: NonNullable<ImageQuery['marks']>
  readonly search: string
  readonly sort: NonNullable<ImageQuery['sort']>
  readonly descending: boolean
}

const openSieve: Sieve = { states: [], marks: [], search: '', sort: 'queue', descending: false }

export interface ViewState {
  readonly screen: Screen
  readonly overlay: Overlay | undefined
  /** Kept per batch while the program runs. */
  readonly sieves: Readonly<Record<string, Sieve>>
}

export function createView(hash: string): StoreApi<ViewState> {
  return createStore(() => ({ ...readAddress(hash), sieves: {} }))
}

/** What is kept in the page's address. */
type Place = Pick<ViewState, 'screen' | 'overlay'>

const comparePart = /\/compare\/(image|run)\/([^/]+)$/

/** The place in the page's address, with what is compared there. */
export function writeAddress({ screen, overlay }: Place): string {
  const address = writeHash(screen)
  if (overlay?.kind !== 'compare') return address
  const { of } = overlay
  const what = 'image' in of ? `image/${of.image}` : `run/${encodeURIComponent(of.run)}`
  return `${address.replace(/\/$/, '')}/compare/${what}`
}

/** The start screen where the address names no place. */
export function readAddress(hash: string): Place {
  const [, kind, id = ''] = comparePart.exec(hash) ?? []
  const screen = readHash(hash.replace(comparePart, '')) ?? { kind: 'start' }
  const of = kind === 'run' ? { run: decode(id) } : { image: Number(id) }
  const isCompare = kind === 'run' || (kind === 'image' && /^[1-9]\d{0,14}$/.test(id))
  return { screen, overlay: isCompare ? { kind: 'compare', of } : undefined }
}

/** The address of a screen, so that a reload comes back to it. */
export function writeHash(screen: Screen): string {
  switch (screen.kind) {
    case 'start':
      return '#/'
    case 'batch':
      return `#/batch/${encodeURIComponent(screen.batch)}`
    case 'history':
    case 'presets':
      return `#/${screen.kind}`
    case 'preferences':
      return `#/preferences/${screen.page}`
  }
}

/** Undefined where the address names no place. */
export function readHash(hash: string): Screen | undefined {
  const [kind = '', rest] = hash.replace(/^#\/?/, '').split('/', 2)
  switch (kind) {
    case 'batch':
      return rest === undefined || rest === '' ? undefined : { kind: 'batch', batch: decode(rest) }
    case 'history':
    case 'presets':
      return { kind }
    case 'preferences':
      return { kind, page: preferencePages.find((page) => page === rest) ?? 'general' }
    default:
      return undefined
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export function sieveOf(view: ViewState, batch: string): Sieve {
  return view.sieves[batch] ?? openSieve
}

export function queryOf(batch: string, sieve: Sieve): ImageQuery {
  return { batch, ...sieve, states: [...sieve.states], marks: [...sieve.marks] }
}
