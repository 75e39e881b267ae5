import { say } from '../../shared/language/say.ts'
/** Why an image failed or needs a decision, in a person's words. Pure: text in, text out. */
export interface Reason {
  /** A few words, for a cell. */
  readonly short: string
  /** One line, for the details. */
  readonly heading: string
  /** What a person can do; null where nothing helps. */
  readonly advice: string | null
}

interface Entry extends Reason {
  readonly pattern: RegExp
}

/** What a service says in more words than this is not read to its end. */
const longest = 2000

const refusal = /\b400\b|bad request|invalid (?:param|field|value|request)|validation|unprocessable|\b422\b/i

/** The first that fits counts: what is said more exactly stands before what is said in general. */
const entries: readonly Entry[] = [
  {
    pattern:
      /no (?:object|item|piece|subject|foreground|product)|(?:object|item|subject|product)s? (?:was |were )?not (?:found|detected)|nothing (?:was )?(?:found|detected) in/i,
    short: say`No item found`,
    heading: say`No piece was found in the picture`,
    advice: say`Look at the picture: the piece should stand clear of its background. Another background setting may help.`,
  },
  {
    pattern:
      /(?:not|un)\s?supported|format|mime|content.?type|not an? (?:image|picture)|cannot (?:be )?decode|decod(?:e|ing) (?:failed|error)|corrupt|unreadable image|too (?:large|big|many pixels)|exceeds? .*(?:size|pixels|megapixels)/i,
    short: say`Format not accepted`,
    heading: say`The service does not accept this file`,
    advice: say`Save the picture as JPEG or PNG, put it back at its address, and retry.`,
  },
  {
    pattern:
      /could not (?:be )?(?:download|fetch|load|reach|read)|(?:download|fetch)(?:ing)? (?:the )?(?:image|picture|source|input|file|url)?.{0,40}(?:failed|error|timed? ?out)|failed to (?:download|fetch|load|open|retrieve|reach)|(?:not|un)reachable|\b(?:401|403|404|410)\b.{0,60}(?:image|source|url|picture|link)|(?:image|source|url|picture|link).{0,60}\b(?:401|403|404|410)\b|login page|name (?:not|could not be) resolved|getaddrinfo|ENOTFOUND|ECONNREFUSED|timed out.{0,30}(?:image|source|url)/i,
    short: say`Link not reachable`,
    heading: say`The picture’s link is not reachable`,
    advice: say`Open the link: it must show the picture without a login. Then retry, or pick a file in its place.`,
  },
]

/** The words for a failed image. @param error the service's own text. @param about `refused` where the service never took it. */
export function failureReason(error: string | null, about: { readonly refused: boolean }): Reason {
  // Bounded before the patterns see it.
  const text = (error ?? '').slice(0, longest)
  const found = entries.find(({ pattern }) => pattern.test(text))
  if (found) return { short: found.short, heading: found.heading, advice: found.advice }
  if (about.refused || refusal.test(text)) {
    const field = fieldOf(text)
    return {
      short: say`Request refused`,
      heading: field ? say`The service refused the setting ${field}` : say`The service refused the request`,
      advice: field
        ? say`Change ${field} in the settings, then retry.`
        : say`Look at the settings, then retry.`,
    }
  }
  return {
    short: say`Service error`,
    heading: say`The service could not retouch this picture`,
    advice: say`Retry it; if it fails again, copy the report and ask the service.`,
  }
}

/** The words for an image of which it is not known whether the service took it. */
export function reviewReason(error: string | null): Reason {
  return {
    short: say`Needs review`,
    heading: say`Was this picture sent?`,
    advice: error ?? say`Sending it again could charge twice, so you decide.`,
  }
}

/** The words for a result that is there and could not be fetched or kept. */
export function undeliveredReason(): Reason {
  return {
    short: say`Result not saved`,
    heading: say`The result is at the service, but could not be saved`,
    advice: say`Retry fetches it again without a new charge.`,
  }
}

/** A parameter that the service's text names. */
function fieldOf(text: string): string | undefined {
  return /\b(bg_mode|bg_color|bg_shadow|shadow_(?:intensity|size|softness|distance)|framing_(?:enabled|pad_(?:top|right|bottom|left))|debanding|app_id|webhook_url|image)\b/i.exec(
    text,
  )?.[1]
}
