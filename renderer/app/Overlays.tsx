import { lazy, Suspense } from 'react'
import { useStore } from 'zustand'
import { BatchSheets } from '../batches/BatchSheets.tsx'
import { LargePicture } from '../batches/LargePicture.tsx'
import { RetrySheet } from '../batches/RetrySheet.tsx'
import { ConnectSheet } from '../connection/ConnectSheet.tsx'
import { ReplaceKeySheet } from '../connection/ReplaceKeySheet.tsx'
import { IntakeSheet } from '../intake/IntakeSheet.tsx'
import { PasteSheet } from '../intake/PasteSheet.tsx'
import { ReviewSheet } from '../review/ReviewSheet.tsx'
import { CommandPalette } from './CommandPalette.tsx'
import { KeysSheet } from './KeysSheet.tsx'
import { useWorkspace } from './workspace-context.ts'

/** Loaded when it is first asked for: most of a day's work needs no decoder of pictures. */
const CompareScreen = lazy(async () => ({
  default: (await import('../compare/CompareScreen.tsx')).CompareScreen,
}))

/** The one sheet that is open, or none. */
export function Overlays() {
  const overlay = useStore(useWorkspace().view, (view) => view.overlay)
  switch (overlay?.kind) {
    case undefined:
      return null
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
      return <RetrySheet target={overlay.target} title={overlay.title} />
    case 'review':
      return <ReviewSheet batch={overlay.batch} image={overlay.image} />
    case 'large-picture':
      return <LargePicture image={overlay.image} />
    case 'compare':
      return (
        <Suspense>
          <CompareScreen of={overlay.of} />
        </Suspense>
      )
    case 'rename-batch':
    case 'budget':
    case 'out-dir':
    case 'remove-batch':
      return <BatchSheets kind={overlay.kind} batch={overlay.batch} />
  }
}
