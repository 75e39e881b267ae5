import type { Chroma, PaperColor } from './chroma.ts'
import { chromaOf, distanceOf, paperColor, paperDistance } from './chroma.ts'
import { stepEvidence, stepThreshold } from './evidence.ts'
import { filledFrom } from './paper.ts'
import type { Plane } from './pixels.ts'
import type { Regions } from './regions.ts'
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
  // Where the edge of a grey item has a gap, paper would leak in. Wider seals close gaps; a region behind one is then
  // judged by its own colour.
  const wide = connectedRegions(inverted(dilated(edge, width, height, 4)), width, height)
  const seeds = new Int8Array(width * height)
  const paper = judged(evidence, wide, color, seeds, new Uint8Array(width * height))
  const covered = new Set<number>()
  for (let i = 0; i < seeds.length; i++) if (seeds[i] !== 0) covered.add(fine.labels[i]!)
  const rest = { labels: fine.labels, list: fine.list.filter((region) => !covered.has(region.label)) }
  judged(evidence, rest, color, seeds, paper)
  return spreadSeeds(open, seeds, width, height)
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
  const reach = dilated(
    known,
    evidence.width,
    evidence.height,
    Math.round(Math.max(evidence.width, evidence.height) * 0.02),
  )
  const near = regionsWithin(regions, reach)
  const expected = meanOver(regions, shade.data)
  for (const region of regions.list) {
    if (verdict.has(region.label)) continue
    const hole = isHole(means[region.label]!, expected[region.label]!, near.has(region.label), total, color)
    verdict.set(region.label, hole ? 1 : -1)
  }
  mark(regions, verdict, seeds, known)
  return known
}

/**
 * Whether an enclosed region is paper seen through the item: the paper's colour, no brighter than paper would be
 * there, and smooth. Small grey facets of a stone pass that too, so a small region must also lie close to other paper.
 */
function isHole(
  mean: RegionMeans,
  expected: number,
  near: boolean,
  total: number,
  color: PaperColor,
): boolean {
  const scatter = Math.max(0.012, 2.2 * color.spread)
  const light = mean.luma / Math.max(1, expected)
  if (mean.distance > scatter || mean.slope > 3) return false
  if (light > 1.3 || light < 0.3) return false
  if (mean.area > total * 0.004) return true
  return near && light < 1.04 && mean.area > total * 0.00003
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

function regionsWithin({ labels }: Regions, mask: Uint8Array): ReadonlySet<number> {
  const found = new Set<number>()
  for (let i = 0; i < labels.length; i++) if (mask[i] && labels[i]) found.add(labels[i]!)
  return found
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
