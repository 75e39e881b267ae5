import { ImageOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { thumbnailPath } from '../../shared/contract/pictures.ts'
import type { Picture } from './arrangement.ts'
import { useCompare, useComparison, useStage } from './compare-context.ts'
import { t } from '../../shared/language/text.ts'

/** What a pane says where it has no picture: that one is on its way, or why there is none. */
export function PaneStates() {
  const comparison = useComparison()
  const { known, trouble, arranged, mode } = useStore(comparison.session.state)
  if (trouble !== undefined) {
    return (
      <div className="pane-state" role="alert">
        <ImageOff size={22} />
        <p>{trouble}</p>
      </div>
    )
  }
  if (!known) return null
  const { shown } = comparison
  const isSide = (arranged?.mode ?? mode) === 'side' || shown.length < 2
  return shown.map((picture, index) => (
    <div
      key={`${JSON.stringify(known.record.of)} ${picture.which}`}
      className="pane-over"
      style={{
        left: isSide ? `${(index * 100) / shown.length}%` : `${index * 50}%`,
        width: isSide ? `${100 / shown.length}%` : '50%',
      }}
    >
      <PaneState picture={picture} isSide={isSide} />
    </div>
  ))
}

function PaneState({ picture, isSide }: { readonly picture: Picture; readonly isSide: boolean }) {
  const look = useCompare((state) => state.known?.looks[picture.which])
  if (look?.kind === 'trouble') {
    return (
      <div className="pane-state" role="status">
        <ImageOff size={22} />
        {look.format !== null && <span className="tag">{look.format}</span>}
        <p>{look.sentence}</p>
      </div>
    )
  }
  if (look === undefined) return <Opening picture={picture} isSide={isSide} />
  return null
}

/** The small picture of the grid, scaled up, until the first level is there; a word only where that takes longer. */
function Opening({ picture, isSide }: { readonly picture: Picture; readonly isSide: boolean }) {
  const [isLate, setLate] = useState(false)
  const of = useCompare((state) => state.of)
  const isFit = useStage((stage) => stage.isFit) ?? true
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 300)
    return () => clearTimeout(timer)
  }, [])
  return (
    <>
      {'image' in of && isFit && isSide && !picture.isVideo && (
        <img
          className="stand-in"
          alt=""
          src={thumbnailPath(of.image, picture.which, 512, 0)}
          onError={(event) => {
            event.currentTarget.style.visibility = 'hidden'
          }}
        />
      )}
      {isLate && <div className="plabel opening">{t`Opening …`}</div>}
    </>
  )
}
