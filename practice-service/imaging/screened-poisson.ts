/**
 * The plane e that makes Σ w·(e' − e − want)² + screen·e² smallest, over all pairs e, e' of neighbouring pixels. It is
 * found by multigrid: sweeps of relaxation on the picture, and on what is left in pictures of half the size.
 */
interface Problem {
  readonly width: number
  readonly height: number
  /** Weight w of the pair of each pixel and its right neighbour, and its lower one; 0 where nothing may cross. */
  readonly across: Float32Array
  readonly down: Float32Array
  /** How firmly each pixel is held at zero. */
  readonly screen: Float32Array
}

/** A problem whose pixels may be held elsewhere: `held` is screen × the value that a pixel is held at, 0 for none. */
interface HeldProblem extends Problem {
  readonly held: Float32Array
}

interface Level extends Problem {
  /** Sum of the weights of a pixel, inverted; 0 where there are none. */
  readonly inverse: Float32Array
  readonly wanted: Float32Array
  readonly solution: Float32Array
}

const CYCLES = 3
const SWEEPS = 1
const COARSEST = 12
/** Share of the summed weights that a pair of cells of double size has: their middles are twice as far apart. */
const FARTHER = 0.6

/** Solves for differences `wantAcross` and `wantDown` (values per pair); pixels at the very border stay at zero. */
export function solved(problem: HeldProblem, wantAcross: Float32Array, wantDown: Float32Array): Float32Array {
  const levels = [leveled(problem)]
  while (Math.min(levels.at(-1)!.width, levels.at(-1)!.height) > COARSEST)
    levels.push(coarser(levels.at(-1)!))
  const { width, across, down, wanted, solution } = levels[0]!
  wanted.set(problem.held)
  for (let at = 0; at < wanted.length; at++) {
    const right = across[at]! * wantAcross[at]!
    const lower = down[at]! * wantDown[at]!
    wanted[at]! -= right + lower
    if (right !== 0) wanted[at + 1]! += right
    if (lower !== 0) wanted[at + width]! += lower
  }
  for (let i = 0; i < CYCLES; i++) cycle(levels, 0)
  return solution
}

function leveled(problem: Problem): Level {
  const { width, height, across, down, screen } = problem
  const inverse = new Float32Array(width * height)
  for (let y = 1; y < height - 1; y++) {
    for (let at = y * width + 1; at < (y + 1) * width - 1; at++) {
      const sum = across[at]! + across[at - 1]! + down[at]! + down[at - width]! + screen[at]!
      inverse[at] = sum > 1e-6 ? 1 / sum : 0
    }
  }
  const values = (): Float32Array => new Float32Array(width * height)
  return { ...problem, inverse, wanted: values(), solution: values() }
}

/** Half the size: the pairs that lead from one cell to the next together. */
function coarser(fine: Level): Level {
  const width = Math.ceil(fine.width / 2)
  const height = Math.ceil(fine.height / 2)
  const values = (): Float32Array => new Float32Array(width * height)
  const [across, down, screen] = [values(), values(), values()]
  for (let y = 0; y < fine.height; y++) {
    for (let x = 0; x < fine.width; x++) {
      const at = y * fine.width + x
      const to = (y >> 1) * width + (x >> 1)
      screen[to]! += fine.screen[at]!
      if (x & 1) across[to]! += FARTHER * fine.across[at]!
      if (y & 1) down[to]! += FARTHER * fine.down[at]!
    }
  }
  return leveled({ width, height, across, down, screen })
}

function cycle(levels: readonly Level[], depth: number): void {
  const level = levels[depth]!
  const coarse = levels[depth + 1]
  if (!coarse) {
    for (let i = 0; i < 12; i++) relax(level, i % 2 === 0)
    return
  }
  for (let i = 0; i < SWEEPS; i++) relax(level, true)
  coarse.wanted.fill(0)
  coarse.solution.fill(0)
  gatherRest(level, coarse)
  cycle(levels, depth + 1)
  if (depth > 0) cycle(levels, depth + 1)
  const { width, height, solution, inverse } = level
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x
      if (inverse[at]! > 0) solution[at]! += coarse.solution[(y >> 1) * coarse.width + (x >> 1)]!
    }
  }
  for (let i = 0; i < SWEEPS; i++) relax(level, false)
}

/** What is still wanted, summed into the cells of the next level. */
function gatherRest(level: Level, coarse: Level): void {
  const { width, height, across, down, screen, solution: e, wanted } = level
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x
      const own = e[at]!
      const rest =
        wanted[at]! -
        screen[at]! * own -
        across[at]! * (own - e[at + 1]!) -
        across[at - 1]! * (own - e[at - 1]!) -
        down[at]! * (own - e[at + width]!) -
        down[at - width]! * (own - e[at - width]!)
      coarse.wanted[(y >> 1) * coarse.width + (x >> 1)]! += rest
    }
  }
}

/** One sweep of Gauss-Seidel, forth or back. */
function relax({ width, height, across, down, inverse, wanted, solution: e }: Level, forth: boolean): void {
  const step = forth ? 1 : -1
  for (let row = 1; row < height - 1; row++) {
    const y = forth ? row : height - 1 - row
    let at = y * width + (forth ? 1 : width - 2)
    for (let column = 1; column < width - 1; column++, at += step) {
      const scale = inverse[at]!
      if (scale === 0) continue
      const sum =
        wanted[at]! +
        across[at]! * e[at + 1]! +
        across[at - 1]! * e[at - 1]! +
        down[at]! * e[at + width]! +
        down[at - width]! * e[at - width]!
      e[at] = sum * scale
    }
  }
}
