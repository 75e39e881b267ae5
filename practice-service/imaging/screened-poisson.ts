import type { Plane } from '../../shared/matte/pixels.ts'
import { plane } from '../../shared/matte/pixels.ts'

/**
 * The correction e that makes Σ w·(∇e − j)² + e²/reach² smallest, j being minus the gradient on the steps and nothing
 * elsewhere, w near zero on true edges so that nothing crosses them. Solved from coarse to fine by relaxation.
 */
interface Level {
  readonly width: number
  readonly height: number
  /** Weight of, and wanted difference across, the border to the right and to the lower neighbour. */
  readonly across: Float32Array
  readonly down: Float32Array
  readonly wantAcross: Float32Array
  readonly wantDown: Float32Array
  /** 1 / reach², per pixel of this level. */
  readonly screen: Float32Array
}

/** How firmly the correction is held at nothing on the crest of a step. */
const PIN = 1
const SWEEPS_FINE = 6
const SWEEPS_COARSE = 24

export function solvedCorrection(luma: Plane, calm: Plane, steps: Uint8Array, reach: Plane): Plane {
  // Half-way up a step the surface is as bright as it should be: there the correction is held at nothing.
  const screen = reach.data.map((pixels, i) => 1 / (pixels * pixels) + (steps[i] === 2 ? PIN : 0))
  const levels = [finest(luma, calm, steps, screen)]
  while (levels.at(-1)!.width > 24 && levels.at(-1)!.height > 24) levels.push(coarser(levels.at(-1)!))
  let solution: Plane | undefined
  for (const [depth, level] of [...levels.entries()].reverse()) {
    const start = solution ? enlarged(solution, level.width, level.height) : plane(level.width, level.height)
    relax(level, start.data, depth < 2 ? SWEEPS_FINE : SWEEPS_COARSE)
    solution = start
  }
  return solution!
}

function finest(luma: Plane, calm: Plane, steps: Uint8Array, screen: Float32Array): Level {
  const { width, height } = luma
  const level = empty(width, height, screen)
  const fill = (to: Float32Array, want: Float32Array, stride: number, at: number): void => {
    if (steps[at] && steps[at + stride]) {
      to[at] = 1
      want[at] = luma.data[at]! - luma.data[at + stride]!
      return
    }
    const slope = (calm.data[at + stride]! - calm.data[at]!) / 3
    to[at] = 1 / (1 + slope * slope * slope * slope)
  }
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x
      if (x < width - 1) fill(level.across, level.wantAcross, 1, at)
      if (y < height - 1) fill(level.down, level.wantDown, width, at)
    }
  }
  return level
}

function empty(width: number, height: number, screen: Float32Array): Level {
  const values = (): Float32Array => new Float32Array(width * height)
  return { width, height, across: values(), down: values(), wantAcross: values(), wantDown: values(), screen }
}

/** Half the size: a difference between two cells is that between the middles of the four pixels each stands for. */
function coarser(fine: Level): Level {
  const width = Math.ceil(fine.width / 2)
  const height = Math.ceil(fine.height / 2)
  const coarse = empty(width, height, new Float32Array(width * height))
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x
      coarse.screen[at] = fourOf(fine, x, y)
      if (x < width - 1)
        merge(coarse.across, coarse.wantAcross, at, fine.across, fine.wantAcross, path(fine, x, y, 1, 0))
      if (y < height - 1)
        merge(coarse.down, coarse.wantDown, at, fine.down, fine.wantDown, path(fine, x, y, 0, 1))
    }
  }
  return coarse
}

function fourOf({ screen, width, height }: Level, x: number, y: number): number {
  const right = Math.min(width - 1, 2 * x + 1)
  const lower = Math.min(height - 1, 2 * y + 1) * width
  return (
    screen[2 * y * width + 2 * x]! +
    screen[2 * y * width + right]! +
    screen[lower + 2 * x]! +
    screen[lower + right]!
  )
}

/** Indices of the three differences along each of the two paths from one cell to the next. */
function path({ width, height }: Level, x: number, y: number, right: number, lower: number): number[][] {
  const lines: number[][] = []
  for (let side = 0; side < 2; side++) {
    const px = Math.min(width - 1, 2 * x + (lower ? side : 0))
    const py = Math.min(height - 1, 2 * y + (right ? side : 0))
    const line: number[] = []
    for (let i = 0; i < 3; i++) {
      line.push(Math.min(height - 1, py + lower * i) * width + Math.min(width - 1, px + right * i))
    }
    lines.push(line)
  }
  return lines
}

function merge(
  weights: Float32Array,
  wants: Float32Array,
  at: number,
  fineWeights: Float32Array,
  fineWants: Float32Array,
  lines: readonly (readonly number[])[],
): void {
  for (const [a, b, c] of lines as readonly (readonly [number, number, number])[]) {
    weights[at]! += Math.min(fineWeights[a]!, fineWeights[b]!) / 2
    wants[at]! += (fineWants[a]! / 2 + fineWants[b]! + fineWants[c]! / 2) / 2
  }
}

/** Gauss-Seidel with over-relaxation, forth and back. */
function relax(level: Level, e: Float32Array, sweeps: number): void {
  const { width, height, across, down, wantAcross, wantDown, screen } = level
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const forth = sweep % 2 === 0
    for (let row = 0; row < height; row++) {
      const y = forth ? row : height - 1 - row
      for (let column = 0; column < width; column++) {
        const x = forth ? column : width - 1 - column
        const at = y * width + x
        let sum = 0
        let weight = screen[at]!
        if (x > 0) {
          sum += across[at - 1]! * (e[at - 1]! + wantAcross[at - 1]!)
          weight += across[at - 1]!
        }
        if (x < width - 1) {
          sum += across[at]! * (e[at + 1]! - wantAcross[at]!)
          weight += across[at]!
        }
        if (y > 0) {
          sum += down[at - width]! * (e[at - width]! + wantDown[at - width]!)
          weight += down[at - width]!
        }
        if (y < height - 1) {
          sum += down[at]! * (e[at + width]! - wantDown[at]!)
          weight += down[at]!
        }
        e[at]! += 1.5 * (sum / weight - e[at]!)
      }
    }
  }
}

function enlarged(source: Plane, width: number, height: number): Plane {
  const out = plane(width, height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      out.data[y * width + x] = source.data[(y >> 1) * source.width + (x >> 1)]!
    }
  }
  return out
}
