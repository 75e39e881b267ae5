import { displayText } from './display-text.ts'
import type { Intake } from './found.ts'
import { say } from '../../shared/language/say.ts'

const count = (n: number) => n.toLocaleString('en')

/** What to tell a person whose sources hold pictures of their own disk; undefined where there are none. */
export function localPicturesSentence(intake: Intake): string | undefined {
  const { localPictures } = intake
  const first = localPictures[0]
  if (first === undefined) return undefined
  return localPictures.length === 1
    ? say`${displayText(first.shown, 300)} cannot be sent: the service reads pictures from the web only; set up own files, which publishes them, or put them on a web server and give a list of their addresses.`
    : say`${count(localPictures.length)} pictures on this computer cannot be sent: the service reads pictures from the web only; set up own files, which publishes them, or put them on a web server and give a list of their addresses.`
}

/** What to tell a person whose sources hold no image at all; undefined where there is one. */
export function nothingFoundSentence(intake: Intake, sources: readonly string[]): string | undefined {
  if (intake.images.length > 0) return undefined
  const where = sources.map((source) => displayText(source, 300)).join(', ')
  const local = localPicturesSentence(intake)
  if (local) return say`No image address was found in ${where}. ${local}`
  const first = intake.problems[0]
  if (intake.problemCount === 1 && first) return problemSentence(first)
  const bad = intake.problemCount
  if (bad === 0)
    return say`No image address was found in ${where}; give a list with one https:// address a line.`
  return bad === 1
    ? say`No image address was found in ${where} (1 line or file could not be read); give a list with one https:// address a line.`
    : say`No image address was found in ${where} (${count(bad)} lines and files could not be read); give a list with one https:// address a line.`
}

/** One problem as one line for a person: where, what stood there, and why it was not taken. */
export function problemSentence(problem: Intake['problems'][number]): string {
  const { file, line, text, reason } = problem
  if (line === undefined && text === undefined)
    return reason.includes(file) ? reason : say`${file}: ${reason}`
  const place = line === undefined ? file : say`${file}, line ${line}`
  return text === undefined
    ? say`${place}: ${reason}`
    : say`${place}: ${reason} (“${displayText(text, 120)}”)`
}

/** How many problems there are beyond those that were kept; undefined where all were. */
export function moreProblemsSentence(intake: Intake): string | undefined {
  const more = intake.problemCount - intake.problems.length
  if (more <= 0) return undefined
  return more === 1
    ? say`1 more line could not be read for reasons of the same kind.`
    : say`${count(more)} more lines could not be read for reasons of the same kind.`
}
