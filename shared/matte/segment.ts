import type { Chroma, PaperColor } from './chroma.ts'
import { chromaOf, distanceOf, paperColor, paperDistance, steadyDistance } from './chroma.ts'
import { stepEvidence, stepThreshold } from './evidence.ts'
import { filledFrom } from './paper.ts'
import type { Plane } from './pixels.ts'
import type { Region, Regions } from './regions.ts'
import { connectedRegions, dilated, eroded, inverted } from './regions.ts'

/** The item and the paper at the working size; one byte a pixel, 1 where it is so. */
export interface Segmentation {
  readonly item: Uint8Array
  /** Surely paper, away from every edge. */
  readonly paper: Uint8Array
  readonly width: number
  readonly height: number
}

interface Evidence {
  readonly width: number
  readonly height: number
  readonly chroma: Chroma
  readonly steps: Plane
  readonly slope: Plane
  readonly threshold: number
}

/** What the mean of a region says; single pixels are noise, a region's mean is not. */
interface RegionMeans {
  readonly area: number
  readonly luma: number
  readonly slope: number
  readonly distance: number
}

/**
 * Separates item from paper at the working size (about a thousand pixels).
 *
 * Edges (steps that no shadow makes, and colours that paper does not have) cut the picture into smooth regions. Those
 * at the border are paper; enclosed ones are holes where their mean colour is the paper's and their light could be
 * paper in shade. What is left between the paper's regions is item; paper grows up to the crest of each edge.
 */
export function segmented(channels: readonly [Plane, Plane, Plane]): Segmentation {
  const { width, height } = channels[0]
  const { steps, slope } = stepEvidence(channels)
  const evidence: Evidence = {
    width,
    height,
    chroma: chromaOf(channels),
    steps,
    slope,
    threshold: stepThreshold(slope),
  }
  const first = edges(evidence, undefined)
  const color = paperColor(
    evidence.chroma,
    borderPaper(inverted(dilated(first, width, height, 1)), width, height),
  )
  const edge = edges(evidence, color)
  const core = paperCore(evidence, edge, color)
  const grown = grownToCrest(evidence, core)
  return { item: withoutSpecks(inverted(grown), evidence, color), paper: core, width, height }
}

function edges({ steps, threshold, chroma }: Evidence, color: PaperColor | undefined): Uint8Array {
  const out = new Uint8Array(steps.data.length)
  const limit = color ? Math.max(0.045, 6 * color.spread) : 0
  for (let i = 0; i < out.length; i++) {
    if (steps.data[i]! > threshold || (color && paperDistance(color, chroma, i) > limit)) out[i] = 1
  }
  return out
}

/** The large smooth regions that touch the border: a first idea of the paper. */
function borderPaper(smooth: Uint8Array, width: number, height: number): Uint8Array {
  const { labels, list } = connectedRegions(smooth, width, height)
  const atBorder = list.filter((region) => region.borders > 0)
  const largest = Math.max(0, ...atBorder.map((region) => region.area))
  const paper = new Uint8Array(smooth.length)
  const wanted = new Set(atBorder.filter((r) => r.area >= largest * 0.05).map((r) => r.label))
  for (let i = 0; i < paper.length; i++) paper[i] = wanted.has(labels[i]!) ? 1 : 0
  return paper
}

function paperCore(evidence: Evidence, edge: Uint8Array, color: PaperColor): Uint8Array {
  const { width, height } = evidence
  const open = inverted(dilated(edge, width, height, 1))
  const fine = connectedRegions(open, width, height)
  // Where the edge of a grey item has a gap, paper would leak in. Wider seals close gaps, and patches of another
  // colour than the paper's are closed as well; a region behind them is then judged by itself.
  const tinted = tintedPatches(evidence, open, color)
  const sealed = dilated(edge, width, height, 4)
  const wide = connectedRegions(
    sealed.map((value, i) => (value || tinted[i] ? 0 : 1)),
    width,
    height,
  )
  const seeds = new Int8Array(width * height)
  const paper = judged(evidence, wide, color, seeds, new Uint8Array(width * height))
  const covered = new Set<number>()
  for (let i = 0; i < seeds.length; i++) if (seeds[i] !== 0) covered.add(fine.labels[i]!)
  for (let i = 0; i < seeds.length; i++) if (tinted[i] && covered.has(fine.labels[i]!)) seeds[i] = -1
  const rest = { labels: fine.labels, list: fine.list.filter((region) => !covered.has(region.label)) }
  judged(evidence, rest, color, seeds, paper)
  return spreadSeeds(open, seeds, width, height)
}

/** Smooth patches whose colour is not the paper's, too large to be noise. */
function tintedPatches({ chroma, width, height }: Evidence, open: Uint8Array, color: PaperColor): Uint8Array {
  const limit = Math.max(0.016, 2.5 * color.spread)
  const steady = steadyDistance(chroma, color)
  const mask = open.map((value, i) => (value && steady.data[i]! > limit ? 1 : 0))
  const { labels, list } = connectedRegions(mask, width, height)
  const large = new Set(list.filter((region) => region.area >= 40).map((region) => region.label))
  return mask.map((_, i) => (large.has(labels[i]!) ? 1 : 0))
}

/** Marks regions as paper (1) or item (-1) in `seeds`; returns the paper so far. */
function judged(
  evidence: Evidence,
  regions: Regions,
  color: PaperColor,
  seeds: Int8Array,
  known: Uint8Array,
): Uint8Array {
  const means = regionMeans(evidence, regions, color)
  const verdict = new Map<number, 1 | -1>()
  const total = evidence.width * evidence.height
  for (const region of regions.list) {
    const mean = means[region.label]!
    const ownColor = mean.distance < Math.max(0.014, 2.5 * color.spread)
    if (region.borders > 0 && ownColor && region.area > total * 0.0005) verdict.set(region.label, 1)
  }
  mark(regions, verdict, seeds, known)
  const shade = filledFrom(evidence.chroma.luma, known)
  const expected = meanOver(regions, shade.data)
  const judgedRegions = regions.list
    .filter((region) => !verdict.has(region.label))
    .map((region) => ({
      region,
      mean: means[region.label]!,
      light: means[region.label]!.luma / Math.max(1, expected[region.label]!),
    }))
  const neutral = judgedRegions.filter(
    ({ mean }) => mean.area >= 12 && mean.distance < Math.max(0.024, 3 * color.spread),
  )
  const reachOfKin = Math.max(evidence.width, evidence.height) * 0.05
  for (const candidate of judgedRegions) {
    const hole =
      couldBePaper(candidate, color) &&
      (candidate.mean.area > total * 0.004 ||
        inMetal(candidate, evidence, color) ||
        alike(candidate, neutral, reachOfKin))
    verdict.set(candidate.region.label, hole ? 1 : -1)
  }
  mark(regions, verdict, seeds, known)
  return known
}

interface Candidate {
  readonly region: Region
  readonly mean: RegionMeans
  /** Its luma over that of the paper expected there. */
  readonly light: number
}

/** The paper's colour, smooth, and no brighter than paper could be there (a large opening may have a hot spot). */
function couldBePaper({ mean, light }: Candidate, color: PaperColor): boolean {
  return mean.distance < Math.max(0.0135, 2 * color.spread) && mean.slope < 3 && light > 0.3 && light < 1.3
}

/**
 * Small openings (links, gaps between prongs) and the grey facets of a stone can look the same one by one. Together
 * they do not: openings show the same paper, facets are of every brightness. So the colourless regions around a
 * small one must mostly be as bright as paper in half shade.
 */
function alike(candidate: Candidate, neutral: readonly Candidate[], reach: number): boolean {
  if (candidate.light < 0.72 || candidate.light > 1.07 || candidate.mean.area < 12) return false
  const [x, y] = middle(candidate.region)
  let same = 0
  let other = 0
  for (const each of neutral) {
    const [u, v] = middle(each.region)
    if (Math.hypot(u - x, v - y) > reach) continue
    if (each.light > 0.76 && each.light < 1.06) same += each.mean.area
    else other += each.mean.area
  }
  return other < 0.2 * (same + other)
}

/** Whether what surrounds a small region has one strong colour, as gold has and a white stone has not. */
function inMetal(
  { region, light }: Candidate,
  { chroma, width, height }: Evidence,
  color: PaperColor,
): boolean {
  if (light < 0.72 || light > 1.07 || region.area < 12) return false
  const out = 4
  let [n, luma, redness, blueness] = [0, 0, 0, 0]
  for (let y = region.top - out; y <= region.bottom + out; y++) {
    for (let x = region.left - out; x <= region.right + out; x++) {
      const within =
        x >= region.left - 2 && x <= region.right + 2 && y >= region.top - 2 && y <= region.bottom + 2
      if (within || x < 0 || y < 0 || x >= width || y >= height) continue
      const at = y * width + x
      n++
      luma += chroma.luma.data[at]!
      redness += chroma.redness.data[at]!
      blueness += chroma.blueness.data[at]!
    }
  }
  return n > 0 && distanceOf(color, luma / n, redness / n, blueness / n) > 0.15
}

function middle(region: Region): readonly [number, number] {
  return [(region.left + region.right) / 2, (region.top + region.bottom) / 2]
}

function mark(
  regions: Regions,
  verdict: ReadonlyMap<number, 1 | -1>,
  seeds: Int8Array,
  known: Uint8Array,
): void {
  for (let i = 0; i < seeds.length; i++) {
    const said = verdict.get(regions.labels[i]!)
    if (said === undefined) continue
    seeds[i] = said
    if (said === 1) known[i] = 1
  }
}

function regionMeans({ chroma, slope }: Evidence, regions: Regions, color: PaperColor): RegionMeans[] {
  const luma = meanOver(regions, chroma.luma.data)
  const steep = meanOver(regions, slope.data)
  const redness = meanOver(regions, chroma.redness.data)
  const blueness = meanOver(regions, chroma.blueness.data)
  const means: RegionMeans[] = []
  for (const { label, area } of regions.list) {
    const distance = distanceOf(color, luma[label]!, redness[label]!, blueness[label]!)
    means[label] = { area, luma: luma[label]!, slope: steep[label]!, distance }
  }
  return means
}

function meanOver({ labels, list }: Regions, data: Float32Array): Float64Array {
  const last = list.reduce((most, region) => Math.max(most, region.label), 0)
  const sums = new Float64Array(last + 1)
  const counts = new Int32Array(last + 1)
  for (let i = 0; i < labels.length; i++) {
    const label = labels[i]!
    if (label > last) continue
    sums[label]! += data[i]!
    counts[label]!++
  }
  return sums.map((sum, label) => sum / Math.max(1, counts[label]!))
}

/** Seeds of paper and of item share out the open ground between them, nearest first; returns the paper's. */
function spreadSeeds(open: Uint8Array, seeds: Int8Array, width: number, height: number): Uint8Array {
  const owner = Int8Array.from(seeds)
  const queue = new Int32Array(width * height)
  let end = 0
  for (let i = 0; i < owner.length; i++) if (owner[i] !== 0) queue[end++] = i
  for (let head = 0; head < end; head++) {
    const at = queue[head]!
    const x = at % width
    for (const next of [x > 0 ? at - 1 : -1, x < width - 1 ? at + 1 : -1, at - width, at + width]) {
      if (next < 0 || next >= owner.length || owner[next] !== 0 || !open[next]) continue
      owner[next] = owner[at]!
      queue[end++] = next
    }
  }
  const paper = new Uint8Array(owner.length)
  for (let i = 0; i < owner.length; i++) paper[i] = owner[i] === 1 ? 1 : 0
  return paper
}

/** Paper climbs the slope of each edge, a few pixels at most, and stops at its crest. */
function grownToCrest({ slope, width, height }: Evidence, core: Uint8Array): Uint8Array {
  const paper = Uint8Array.from(core)
  let front: number[] = []
  for (let i = 0; i < core.length; i++) if (core[i]) front.push(i)
  for (let round = 0; round < 4; round++) {
    const next: number[] = []
    for (const at of front) {
      const x = at % width
      for (const to of [x > 0 ? at - 1 : -1, x < width - 1 ? at + 1 : -1, at - width, at + width]) {
        if (to < 0 || to >= paper.length || paper[to]) continue
        if (slope.data[to]! < slope.data[at]! - 0.2) continue
        paper[to] = 1
        next.push(to)
      }
    }
    front = next
  }
  return eroded(dilated(paper, width, height, 1), width, height, 1)
}

/** Dust and grain: pieces of "item" too small to be one, unless they have a colour of their own beside a large piece. */
function withoutSpecks(item: Uint8Array, { width, height, chroma }: Evidence, color: PaperColor): Uint8Array {
  const pieces = connectedRegions(item, width, height, true)
  const least = Math.max(30, (Math.max(width, height) * 0.008) ** 2)
  const largest = Math.max(0, ...pieces.list.map((piece) => piece.area))
  const distance = new Float32Array(item.length)
  for (let i = 0; i < item.length; i++) if (item[i]) distance[i] = paperDistance(color, chroma, i)
  const tint = meanOver(pieces, distance)
  const kept = new Set<number>()
  for (const { label, area } of pieces.list) {
    const limit = tint[label]! > 0.1 ? least / 3 : least
    if (area >= Math.max(limit, largest * 0.0005)) kept.add(label)
  }
  return pieces.labels.reduce((out, label, i) => {
    if (kept.has(label)) out[i] = 1
    return out
  }, new Uint8Array(item.length))
}
