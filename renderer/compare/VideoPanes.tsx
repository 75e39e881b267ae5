import { useRef, useState } from 'react'
import { useStore } from 'zustand'
import { wholePath } from '../../shared/contract/pictures.ts'
import { labelOf } from './arrangement.ts'
import { useComparison } from './compare-context.ts'
import { t } from '../../shared/language/text.ts'

/** Videos play where pictures are; those beside each other keep one time. */
export function VideoPanes() {
  const comparison = useComparison()
  const { known } = useStore(comparison.session.state)
  const videos = useRef(new Map<string, HTMLVideoElement>())
  const [broken, setBroken] = useState<ReadonlySet<string>>(new Set())
  if (!known) return null
  const { shown } = comparison
  const others = (which: string) => [...videos.current].filter(([key]) => key !== which).map(([, one]) => one)
  return shown.map((picture, index) => {
    const { which } = picture
    const look = known.looks[which]
    if (look?.kind !== 'video') return null
    return (
      <div
        key={`${look.stamp} ${which}`}
        className="pane-over video"
        style={{ left: `${(index * 100) / shown.length}%`, width: `${100 / shown.length}%` }}
      >
        {broken.has(look.stamp) && <p className="plabel opening">{t`This video cannot be played here.`}</p>}
        <video
          ref={(video) => {
            if (video) videos.current.set(which, video)
            else videos.current.delete(which)
          }}
          src={wholePath(known.record.of, which, look.stamp)}
          aria-label={labelOf(picture)}
          controls
          loop
          muted
          playsInline
          onError={() => setBroken((before) => new Set([...before, look.stamp]))}
          onPlay={() => others(which).forEach((other) => void other.play().catch(() => undefined))}
          onPause={() => others(which).forEach((other) => other.pause())}
          onSeeked={(event) => {
            const { currentTime } = event.currentTarget
            for (const other of others(which)) {
              if (Math.abs(other.currentTime - currentTime) > 0.08) other.currentTime = currentTime
            }
          }}
        />
      </div>
    )
  })
}
