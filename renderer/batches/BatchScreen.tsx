import { useStore } from 'zustand'
import { breakpoints, useMedia } from '../app/use-media.ts'
import { sieveOf } from '../app/view.ts'
import { useBatch, useImages, useLayout, useTotals, useWorkspace } from '../app/workspace-context.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { BatchBanner } from './BatchBanner.tsx'
import { BatchHeader } from './BatchHeader.tsx'
import { FilterRow } from './FilterRow.tsx'
import { Inspector } from './Inspector.tsx'
import { PictureGrid } from './PictureGrid.tsx'
import { PictureTable } from './PictureTable.tsx'
import { RunBar } from './RunBar.tsx'
import { StatusBar } from './StatusBar.tsx'
import { chipsOf, isChipOn } from './filters.ts'
import { t } from '../../shared/language/text.ts'

/** What stands in place of the pictures where none can be shown. */
function NoPictures({ id }: { readonly id: string }) {
  const workspace = useWorkspace()
  const sieve = useStore(workspace.view, (view) => sieveOf(view, id))
  const batch = useBatch(id)
  const { trouble } = useTotals(useImages())
  if (trouble !== undefined) {
    return <EmptyState title={t`The images cannot be shown`}>{trouble}</EmptyState>
  }
  if (sieve.search !== '') {
    return (
      <EmptyState
        title={t`Nothing called “${sieve.search}”.`}
        actions={<Button onPress={() => workspace.sieve({ search: '' })}>{t`Clear search`}</Button>}
      />
    )
  }
  if (sieve.states.length > 0 && batch) {
    const chip = chipsOf(batch.counts).find((one) => one.id !== 'all' && isChipOn(one, sieve.states))
    return (
      <EmptyState
        title={chip ? chip.none : t`No such images.`}
        actions={<Button onPress={() => workspace.sieve({ states: [] })}>{t`Show all`}</Button>}
      />
    )
  }
  return (
    <EmptyState title={t`No images in this batch`}>{t`Drop folders or lists here to add some.`}</EmptyState>
  )
}

function Pictures({ id }: { readonly id: string }) {
  const images = useImages()
  const totals = useTotals(images)
  const arrangement = useLayout((layout) => layout.arrangement)
  if (!images) return null
  const isEmpty = totals.trouble !== undefined || (totals.known && totals.total === 0)
  if (isEmpty) return <NoPictures id={id} />
  return arrangement === 'grid' ? (
    <PictureGrid key={JSON.stringify(images.query)} images={images} batch={id} />
  ) : (
    <PictureTable key={JSON.stringify(images.query)} images={images} batch={id} />
  )
}

/** One batch: its header, how it runs, its pictures, and the inspector beside them. */
export function BatchScreen({ id }: { readonly id: string }) {
  const batch = useBatch(id)
  const isWide = useMedia(breakpoints.wide)
  const isInspectorOpen = useLayout((layout) => (isWide ? layout.inspectorOpen : layout.inspectorFloating))
  if (!batch) return <main className="main" data-region="batch" />
  return (
    <>
      <main className="main" aria-label={batch.name}>
        <BatchHeader batch={batch} />
        <BatchBanner batch={batch} />
        <RunBar batch={batch} />
        <FilterRow batch={batch} />
        <div className="pictures" data-region="pictures">
          <Pictures id={id} />
        </div>
        <StatusBar batch={batch} />
      </main>
      {isInspectorOpen && <Inspector key={id} batch={batch} isFloating={!isWide} />}
    </>
  )
}
