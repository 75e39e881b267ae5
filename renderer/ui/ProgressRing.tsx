/** Radius in the 24-unit drawing of a glyph. */
const radius = 8.6
const around = 2 * Math.PI * radius

export interface ProgressRingProps {
  /** From 0 to 1; a processing image fills toward the median of its app and holds at 0.9. */
  readonly fraction: number
  readonly size?: number
}

/** A ring that fills. It does not turn by itself: progress is never invented. Decoration beside a word. */
export function ProgressRing({ fraction, size = 13 }: ProgressRingProps) {
  const length = Math.min(1, Math.max(0, fraction)) * around
  return (
    <svg
      className="ring"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      strokeWidth={3}
      aria-hidden="true"
    >
      <circle className="ring-track" cx={12} cy={12} r={radius} stroke="currentColor" />
      <circle
        cx={12}
        cy={12}
        r={radius}
        stroke="currentColor"
        strokeLinecap="round"
        strokeDasharray={`${length.toFixed(2)} ${around.toFixed(2)}`}
        transform="rotate(-90 12 12)"
      />
    </svg>
  )
}
