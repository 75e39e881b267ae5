import { lazy, Suspense } from 'react'
import { useStore } from 'zustand'
import { LargePicture } from '../batches/LargePicture.tsx'
import { later } from './later.ts'
import type { Overlay } from './view.ts'
import { useWorkspace } from './workspace-context.ts'

const CommandPalette = later(async () => (await import('./CommandPalette.tsx')).CommandPalette)
const KeysSheet = later(async () => (await import('./KeysSheet.tsx')).KeysSheet)
const IntakeSheet = later(async () => (await import('../intake/IntakeSheet.tsx')).IntakeSheet)
const PasteSheet = later(async () => (await import('../intake/PasteSheet.tsx')).PasteSheet)
const RetrySheet = later(async () => (await import('../batches/RetrySheet.tsx')).RetrySheet)
const BatchSheets = later(async () => (await import('../batches/BatchSheets.tsx')).BatchSheets)
const ReviewSheet = later(async () => (await import('../review/ReviewSheet.tsx')).ReviewSheet)
const ConnectSheet = later(async () => (await import('../connection/ConnectSheet.tsx')).ConnectSheet)
const ReplaceKeySheet = later(async () => (await import('../connection/ReplaceKeySheet.tsx')).ReplaceKeySheet)
const HotFolderSheet = later(async () => (await import('../hot-folders/HotFolderSheet.tsx')).HotFolderSheet)

/** Loaded when it is first asked for: most of a day's work needs no decoder of pictures. */
const CompareScreen = lazy(async () => ({
  default: (await import('../compare/CompareScreen.tsx')).CompareScreen,
}))

function Open({ overlay }: { readonly overlay: Overlay }) {
  switch (overlay.kind) {
    case 'palette':
      return <CommandPalette />
    case 'keys':
      return <KeysSheet />
    case 'paste':
      return <PasteSheet />
    case 'intake':
      return <IntakeSheet />
    case 'connect':
      return <ConnectSheet />
    case 'replace-key':
      return <ReplaceKeySheet connection={overlay.connection} />
    case 'retry':
      return <RetrySheet target={overlay.target} title={overlay.title} pick={overlay.pick} />
    case 'review':
      return <ReviewSheet batch={overlay.batch} image={overlay.image} />
    case 'large-picture':
      return <LargePicture image={overlay.image} />
    case 'compare':
      return <CompareScreen of={overlay.of} />
    case 'hot-folder':
      return <HotFolderSheet id={overlay.id} />
    case 'rename-batch':
    case 'budget':
    case 'out-dir':
    case 'remove-batch':
      return <BatchSheets kind={overlay.kind} batch={overlay.batch} />
  }
}

/** The one sheet that is open, or none. */
export function Overlays() {
  const overlay = useStore(useWorkspace().view, (view) => view.overlay)
  return <Suspense>{overlay && <Open overlay={overlay} />}</Suspense>
}
