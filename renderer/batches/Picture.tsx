import { useEffect, useState } from 'react'

export interface PictureProps {
  /** Undefined: no picture is asked for. */
  readonly src: string | undefined
  /** Stands in the box where no picture can be had: the name of its format. */
  readonly fallback: string
  readonly alt?: string
}

interface Loaded {
  readonly src: string
  readonly isBroken: boolean
}

/**
 * A picture that stays until its successor is decoded, so that a result takes the place of its source in one frame.
 * Until the first is there a skeleton stands in its place, which shows itself only after a moment.
 */
export function Picture({ src, fallback, alt = '' }: PictureProps) {
  const [loaded, setLoaded] = useState<Loaded>()
  useEffect(() => {
    if (src === undefined) return
    let isWanted = true
    const image = new Image()
    image.src = src
    image.decode().then(
      () => isWanted && setLoaded({ src, isBroken: false }),
      () => isWanted && setLoaded({ src, isBroken: true }),
    )
    return () => {
      isWanted = false
      // What has left the view before it came need not come.
      if (!image.complete) image.src = ''
    }
  }, [src])
  if (src === undefined || loaded?.isBroken === true) {
    return (
      <span
        className="no-picture"
        role={alt === '' ? undefined : 'img'}
        aria-label={alt === '' ? undefined : alt}
      >
        {fallback}
      </span>
    )
  }
  if (!loaded) return <span className="skel late" aria-hidden="true" />
  return <img src={loaded.src} alt={alt} draggable={false} />
}
