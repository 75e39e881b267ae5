/**
 * Where one looks: a centre in fractions of the reference picture and a scale, one value for all panes. Pure geometry
 * in device pixels.
 */

export interface Size {
  readonly width: number
  readonly height: number
}

export interface Point {
  readonly x: number
  readonly y: number
}

export interface Rect extends Point, Size {}

export interface View {
  /** What lies at the pane's middle, in fractions of the reference picture. */
  readonly x: number
  readonly y: number
  /** Device pixels for one pixel of the reference picture. */
  readonly scale: number
}

/** A pane in device pixels. Labels and bars lie over its insets: a whole picture keeps clear of them. */
export interface Pane extends Size {
  readonly insets: { readonly top: number; readonly bottom: number; readonly side: number }
}

/** Steps of the zoom; one is a picture pixel to a device pixel. */
export const zoomSteps: readonly number[] = [0.25, 1 / 3, 0.5, 2 / 3, 1, 2, 4, 8]
const largestScale = 8

/** From this scale on pixels are drawn as squares. */
export const squareFrom = 2

/** The scale at which the whole picture is seen; never above one pixel to a pixel. */
export function fitScale(picture: Size, pane: Pane): number {
  const width = Math.max(1, pane.width - 2 * pane.insets.side)
  const height = Math.max(1, pane.height - pane.insets.top - pane.insets.bottom)
  return Math.min(1, width / picture.width, height / picture.height)
}

export function fitView(picture: Size, pane: Pane): View {
  return { x: 0.5, y: 0.5, scale: fitScale(picture, pane) }
}

/** Where in the pane the view's centre lies. */
function middleOf(pane: Pane): Point {
  return { x: pane.width / 2, y: (pane.insets.top + pane.height - pane.insets.bottom) / 2 }
}

/**
 * Where the reference picture lies in the pane. Its corner is on a whole device pixel, so that every pane draws the
 * same pixels at the same places and whole scales give whole squares.
 */
export function placed(picture: Size, view: View, pane: Pane): Rect {
  const middle = middleOf(pane)
  const width = picture.width * view.scale
  const height = picture.height * view.scale
  return {
    x: Math.round(middle.x - view.x * width),
    y: Math.round(middle.y - view.y * height),
    width,
    height,
  }
}

/** The fraction of the picture that lies at a point of the pane. */
export function fractionAt(point: Point, picture: Size, view: View, pane: Pane): Point {
  const rect = placed(picture, view, pane)
  return { x: (point.x - rect.x) / rect.width, y: (point.y - rect.y) / rect.height }
}

/**
 * Keeps the picture in sight: the pane's middle always shows some of it. No more than that is asked, so that zooming in
 * keeps what lies under the pointer wherever that is.
 */
export function clamped(view: View, picture: Size, pane: Pane): View {
  const smallest = Math.min(zoomSteps[0]!, fitScale(picture, pane))
  const scale = Math.min(largestScale, Math.max(smallest, view.scale))
  return { scale, x: within(view.x), y: within(view.y) }
}

function within(centre: number): number {
  return Number.isFinite(centre) ? Math.min(1, Math.max(0, centre)) : 0.5
}

/** Changes the scale so that what lies at a point of the pane stays there. */
export function zoomedAbout(point: Point, scale: number, view: View, picture: Size, pane: Pane): View {
  const at = fractionAt(point, picture, view, pane)
  const middle = middleOf(pane)
  const next = {
    scale,
    x: at.x - (point.x - middle.x) / (picture.width * scale),
    y: at.y - (point.y - middle.y) / (picture.height * scale),
  }
  return clamped(next, picture, pane)
}

/** Moves the picture by device pixels. */
export function panned(by: Point, view: View, picture: Size, pane: Pane): View {
  const x = view.x - by.x / (picture.width * view.scale)
  const y = view.y - by.y / (picture.height * view.scale)
  return clamped({ ...view, x, y }, picture, pane)
}

/** The next step of the zoom up (1) or down (-1); the scale of the whole picture is one of the steps. */
export function nextStep(scale: number, direction: 1 | -1, fit: number): number {
  const steps = [...new Set([...zoomSteps, fit])].sort((a, b) => a - b)
  // A hair of tolerance: a scale that was a step stays that step.
  const next =
    direction > 0
      ? steps.find((step) => step > scale * 1.001)
      : steps.findLast((step) => step < scale / 1.001)
  return next ?? (direction > 0 ? steps.at(-1)! : steps[0]!)
}

/** Scales above 1.5 are whole numbers: only then is every pixel a square of one size. */
export function wholeAbove(scale: number): number {
  return scale < 1.5 ? scale : Math.min(largestScale, Math.max(squareFrom, Math.round(scale)))
}

/** "27 %" */
export function percent(scale: number): string {
  return `${Math.round(scale * 100)} %`
}
