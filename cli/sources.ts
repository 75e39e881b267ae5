import { resolve } from 'node:path'
import type { Intake, Source } from '../engine/intake/found.ts'
import { gather, sourceOfArgument } from '../engine/intake/gather.ts'
import {
  localPicturesSentence,
  moreProblemsSentence,
  nothingFoundSentence,
  problemSentence,
} from '../engine/intake/sentences.ts'
import { plainText } from '../shared/plain-text.ts'
import { usageProblem } from './problem.ts'
import { warn, type Shell } from './shell.ts'
import { counted } from './table.ts'

/** So many bad lines are shown to a person; a script gets all that were kept. */
const problemsShown = 20

/**
 * Reads every SOURCE and tells what was not taken.
 * @param publish makes images of the pictures of this computer that were found
 * @throws Problem (64) where no image address was found.
 */
export async function readSources<T extends Intake>(
  shell: Shell,
  sources: readonly string[],
  publish: (intake: Intake) => Promise<T>,
): Promise<T> {
  const { terminal, io, stop } = shell
  const found = await gather(
    sources.map((source) => absolute(sourceOfArgument(source, io.stdin), io.cwd)),
    {
      signal: stop.signal,
      onProgress: ({ images, current }) => {
        if (current !== '') terminal.live(`Reading ${plainText(current, 200)}: ${counted(images, 'image')}`)
      },
    },
  )
  const intake = await publish(found)
  terminal.live('')
  const nothing = nothingFoundSentence(intake, sources)
  if (nothing === undefined || intake.problemCount > 1) tellProblems(shell, intake)
  if (nothing !== undefined) throw usageProblem(nothing)
  for (const note of intake.notes) warn(shell, plainText(note, 500))
  const local = localPicturesSentence(intake)
  if (local !== undefined) warn(shell, local)
  if (intake.duplicates.length > 0) {
    warn(
      shell,
      `${counted(intake.duplicates.length, 'address was', 'addresses were')} given before and taken once.`,
    )
  }
  return intake
}

/** Paths stay as a person wrote them, for the messages; they only need the folder where that is not the process's. */
function absolute(source: Source, cwd: string): Source {
  return source.kind === 'path' && cwd !== process.cwd()
    ? { ...source, path: resolve(cwd, source.path) }
    : source
}

function tellProblems({ terminal, json }: Shell, intake: Intake) {
  for (const [index, problem] of intake.problems.entries()) {
    if (index < problemsShown) terminal.say(plainText(problemSentence(problem), 700))
    if (!json) continue
    const { file, line = null, text = null, reason } = problem
    terminal.json({ event: 'problem', file, line, text, reason })
  }
  const unseen = intake.problems.length - problemsShown
  if (unseen > 0) terminal.say(`… and ${counted(unseen, 'more line or file', 'more lines and files')}.`)
  const more = moreProblemsSentence(intake)
  if (more !== undefined) terminal.say(more)
}
