export interface SkeletonProps {
  /** Pixels, or a CSS length such as "70%". */
  readonly width?: number | string
  readonly height: number | string
}

/** What stands in the size of a picture or a line until it is there. Hidden from readers. */
export function Skeleton({ width = '100%', height }: SkeletonProps) {
  return <div className="skel" aria-hidden="true" style={{ width, height }} />
}
