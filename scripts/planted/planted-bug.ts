/** A text of a source that is replaced by a mistaken one. */
export type Slip = {
  /** Of the project, with forward slashes. */
  readonly file: string
  /** Stands there exactly once. */
  readonly found: string
  readonly planted: string
}

/** A mistake that somebody could make, and the test that has to fail with it. */
export type PlantedBug = {
  /** In plain words, as "commits are not flushed". */
  readonly name: string
  /** The promise of docs/reliability.md that it would break. */
  readonly promise: 1 | 2 | 3 | 4 | 5
  /** More than one where a second layer would make up for the first: then both have slipped. */
  readonly slips: readonly [Slip, ...Slip[]]
  readonly test: PlantedTest
}

/** A test file, and of its tests those whose name has a text; all where that is left out. */
export type PlantedTest = {
  readonly file: string
  readonly named?: string
}

/** A source with the slips of one file in it. @throws Error where a text does not stand there exactly once */
export function slipped(source: string, slips: readonly Slip[]): string {
  return slips.reduce((text, { file, found, planted }) => {
    const [before, after, ...more] = text.split(found)
    if (before === undefined || after === undefined || more.length > 0) {
      throw new Error(`${file} does not hold exactly once: ${found}`)
    }
    return before + planted + after
  }, source)
}
