import { ArrowDownUp, Image, ImageMinus } from 'lucide-react'
import { Button as AriaButton, Slider, SliderThumb, SliderTrack } from 'react-aria-components'
import { useStore } from 'zustand'
import type { BatchRecord } from '../../shared/contract/records.ts'
import { figure, plural, range, times } from '../app/format.ts'
import type { ImageWindow } from '../app/image-window.ts'
import { pictureSizes } from '../app/layout.ts'
import { sieveOf } from '../app/view.ts'
import { useImages, useLayout, useTotals, useWorkspace } from '../app/workspace-context.ts'
import { MenuButton } from '../ui/Menu.tsx'
import { sortNames } from './filters.ts'
import { t } from '../../shared/language/text.ts'

function Selected({ images }: { readonly images: ImageWindow | undefined }) {
  const workspace = useWorkspace()
  const { all, ids } = useStore(workspace.selection.state)
  const { total } = useTotals(images)
  const count = all ? total : ids.size
  if (count === 0) return null
  const only = !all && ids.size === 1 ? images?.record([...ids][0] ?? -1) : undefined
  const price = workspace.batch?.pricePerImage
  return (
    <>
      <b>{t`${figure(count)} selected`}</b>
      {only && (
        <>
          <bdi className="ell f1" title={only.title}>
            {only.title}
          </bdi>
          {only.folder !== '' && <bdi className="ell">{only.folder.split('/').join(' / ')}</bdi>}
        </>
      )}
      {!only && price && (
        <span className="ell">{t`${figure(count)} × ${range(price)} = ${range(times(price, count))} credits`}</span>
      )}
    </>
  )
}

/** A filter is never silent. */
function Filtered({
  batch,
  images,
}: {
  readonly batch: BatchRecord
  readonly images: ImageWindow | undefined
}) {
  const workspace = useWorkspace()
  const sieve = useStore(workspace.view, (view) => sieveOf(view, batch.id))
  const { known, total } = useTotals(images)
  if (sieve.states.length === 0 && sieve.search === '') {
    return <span>{plural(batch.total, 'image')}</span>
  }
  return (
    <span className="row g6">
      {known ? t`Showing ${figure(total)} of ${figure(batch.total)}` : t`Looking`}
      <AriaButton className="link" onPress={() => workspace.sieve({ states: [], search: '' })}>
        {t`Clear`}
      </AriaButton>
    </span>
  )
}

function SortMenu({ batch }: { readonly batch: BatchRecord }) {
  const workspace = useWorkspace()
  const sieve = useStore(workspace.view, (view) => sieveOf(view, batch.id))
  const name = sortNames.find(([sort]) => sort === sieve.sort)?.[1] ?? ''
  return (
    <MenuButton
      label={t`Sort`}
      placement="top end"
      entries={[
        ...sortNames.map(([sort, words]) => ({
          kind: 'action' as const,
          id: sort,
          label: words,
          onAction: () => workspace.sieve({ sort }),
        })),
        { kind: 'line', id: 'line' },
        {
          kind: 'action',
          id: 'turn',
          label: sieve.descending ? t`Ascending` : t`Descending`,
          onAction: () => workspace.sieve({ descending: !sieve.descending }),
        },
      ]}
    >
      <AriaButton
        className="status-b"
        aria-label={sieve.descending ? t`Sort: ${name}, descending` : t`Sort: ${name}`}
      >
        <ArrowDownUp size={12} aria-hidden="true" />
        {name}
      </AriaButton>
    </MenuButton>
  )
}

function SizeSlider() {
  const workspace = useWorkspace()
  const size = useLayout((layout) => layout.pictureSize)
  return (
    <Slider
      className="size-slider"
      aria-label={t`Size of the pictures`}
      minValue={pictureSizes.min}
      maxValue={pictureSizes.max}
      step={4}
      value={size}
      onChange={(next) => workspace.layout.setState({ pictureSize: next })}
    >
      <ImageMinus size={12} aria-hidden="true" />
      <SliderTrack className="size-track">
        <SliderThumb className="size-thumb" />
      </SliderTrack>
      <Image size={14} aria-hidden="true" />
    </Slider>
  )
}

/** What is selected and shown, how it is sorted, and how large pictures are. */
export function StatusBar({ batch }: { readonly batch: BatchRecord }) {
  const images = useImages()
  const arrangement = useLayout((layout) => layout.arrangement)
  return (
    <footer className="status" data-region="status">
      <Selected images={images} />
      <Filtered batch={batch} images={images} />
      <span className="sp" />
      <SortMenu batch={batch} />
      {arrangement === 'grid' && <SizeSlider />}
    </footer>
  )
}
