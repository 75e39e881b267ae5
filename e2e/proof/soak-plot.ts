/** The program at one moment of a soak. */
export interface Sample {
  readonly seconds: number
  readonly rssMb: number
  readonly files: number
  readonly walMb: number
  /** Runs that the service has taken so far. */
  readonly runs: number
}

const [width, height, left, top] = [760, 120, 64, 40]

interface Curve {
  readonly title: string
  readonly points: readonly (readonly [number, number])[]
}

/** A drawing of a soak: one field for each measure, time to the right. Colours are readable on white and on black. */
export function drawSoak(
  images: number,
  samples: readonly Sample[],
  loop: readonly (readonly [number, number])[],
): string {
  const at = (field: keyof Sample) => samples.map((one) => [one.seconds, one[field]] as const)
  const curves: Curve[] = [
    { title: 'runs taken by the service', points: at('runs') },
    { title: 'memory of the program, MB', points: at('rssMb') },
    { title: 'open files and sockets', points: at('files') },
    {
      title: 'event loop: longest wait in each second, ms',
      points: loop.map(([, max], n) => [n, max] as const),
    },
  ]
  const end = Math.max(...samples.map((one) => one.seconds), 1)
  const body = curves.map((curve, n) => field(curve, top + n * (height + 44), end)).join('\n')
  const whole = top + curves.length * (height + 44)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width + left + 24} ${whole}" font-family="system-ui, sans-serif" font-size="13">
<title>${images.toLocaleString('en')} images over real HTTP with faults</title>
<rect width="100%" height="100%" fill="#fff"/>
<text x="${left}" y="22" font-size="15" fill="#222">${images.toLocaleString('en')} images over real HTTP with faults, ${Math.round(end / 60)} minutes</text>
${body}
</svg>
`
}

function field({ title, points }: Curve, y: number, end: number): string {
  const most = Math.max(...points.map(([, value]) => value), 1)
  // At most one point for each pixel: the largest value there.
  const columns = new Map<number, number>()
  for (const [seconds, value] of points) {
    const x = Math.round(left + (Math.min(seconds, end) / end) * width)
    columns.set(x, Math.max(columns.get(x) ?? 0, value))
  }
  const path = [...columns].map(
    ([x, value]) => `${x},${(y + 18 + height - (value / most) * height).toFixed(1)}`,
  )
  return `<text x="${left}" y="${y + 10}" fill="#222">${title}</text>
<line x1="${left}" x2="${left + width}" y1="${y + 18 + height}" y2="${y + 18 + height}" stroke="#999"/>
<text x="${left - 6}" y="${y + 24}" text-anchor="end" fill="#555">${Math.round(most).toLocaleString('en')}</text>
<text x="${left - 6}" y="${y + 18 + height}" text-anchor="end" fill="#555">0</text>
<polyline points="${path.join(' ')}" fill="none" stroke="#2563a8" stroke-width="1.5"/>`
}
