/** What keeps the program from starting, in one sentence for the person. */
export class StartProblem extends Error {
  override readonly name = 'StartProblem'
}
