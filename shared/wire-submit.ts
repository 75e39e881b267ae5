import { z } from 'zod'
import { effectiveSettings, retoucherSettingsSchema, settingRule } from './settings.ts'
import { say } from './language/say.ts'
import type { RetoucherSettings } from './settings.ts'

/** One submission (service interface, 4.1 and 4.7). */
export interface Submission {
  readonly appId: string
  /** The source's address, sent byte for byte as given. */
  readonly image: string
  /** Retoucher keys; an absent one is not sent, one that would be ignored neither. */
  readonly settings: RetoucherSettings
  /** Parameters of other apps; `image` and retoucher keys among them give way to the fields above. */
  readonly parameters: Readonly<Record<string, unknown>>
  readonly webhookUrl: string
}

/** A submission that must not be sent: its message names the field. Never the service's fault. */
export class SubmissionError extends Error {
  override readonly name = 'SubmissionError'
}

const filled = z.string().min(1)
const parametersSchema = z.record(z.string(), z.json())

/**
 * The body of POST /api/v1/run. Strict, and the same submission always gives the same bytes: `image` first, then the
 * retoucher keys in the order of the table, then the rest by name.
 * @throws SubmissionError where a field is empty, out of range or no JSON.
 */
export function submitBody(submission: Submission): string {
  const { appId, image, webhookUrl } = submission
  for (const [field, value] of Object.entries({ app_id: appId, image, webhook_url: webhookUrl })) {
    if (!filled.safeParse(value).success) throw new SubmissionError(say`The submission has no ${field}.`)
  }
  const settings = retoucherSettingsSchema.safeParse(submission.settings)
  if (!settings.success) {
    const field = settings.error.issues[0]?.path.map(String).join('.') || 'settings'
    throw new SubmissionError(say`The setting ${field} of the submission is not valid.`)
  }
  const parameters = parametersSchema.safeParse(submission.parameters)
  if (!parameters.success) {
    const field = parameters.error.issues[0]?.path.map(String).join('.') || 'parameters'
    throw new SubmissionError(say`The parameter ${field} of the submission cannot be written as JSON.`)
  }
  const others = Object.entries(parameters.data)
    .filter(([key]) => key !== 'image' && !settingRule(key))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  const all = [['image', image], ...Object.entries(effectiveSettings(settings.data).sent), ...others]
  return JSON.stringify({ app_id: appId, parameters: Object.fromEntries(all), webhook_url: webhookUrl })
}
