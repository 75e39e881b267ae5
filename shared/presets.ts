import { z } from 'zod'
import { t } from './language/text.ts'
import { retoucherSettingsSchema, type RetoucherSettings } from './settings.ts'

/** A named set of retoucher settings and an app. `parameters` holds the values of apps that are no retouchers. */
export interface Preset {
  readonly name: string
  readonly appId: string
  readonly settings: RetoucherSettings
  readonly parameters: Readonly<Record<string, unknown>>
}

/** Version of the preset file format; a newer file is refused with a sentence, an older one is migrated. */
const presetFileVersion = 1
/** Ending of a preset file, with the dot. */
export const presetFileEnding = '.vitrinepreset'

const presetName = z
  .string()
  .trim()
  .min(1)
  .max(80)
  // Names become file names and lines on a terminal: no control characters.
  .regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u)

export const presetSchema: z.ZodType<Preset> = z.object({
  name: presetName,
  appId: z.string().trim().min(1).max(200),
  settings: retoucherSettingsSchema,
  parameters: z.record(z.string().max(200), z.unknown()).default({}),
})

const presetFile = z.object({
  vitrinePreset: z.literal(presetFileVersion),
  preset: presetSchema,
})

/** The text of a preset file: versioned JSON, one preset, with an end of line. */
export function formatPresetFile(preset: Preset): string {
  return `${JSON.stringify({ vitrinePreset: presetFileVersion, preset }, null, 2)}\n`
}

export type ParsedPreset =
  | { readonly ok: true; readonly preset: Preset }
  | { readonly ok: false; readonly problem: string }

/** Reads a preset file's text. A problem is a sentence without the file's name, which the caller puts before it. */
export function parsePresetFile(text: string): ParsedPreset {
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return { ok: false, problem: t`it is not JSON.` }
  }
  const version = z.object({ vitrinePreset: z.unknown() }).safeParse(value).data?.vitrinePreset
  if (version === undefined)
    return { ok: false, problem: t`it is not a Vitrine preset ("vitrinePreset" is missing).` }
  if (typeof version === 'number' && version > presetFileVersion) {
    return {
      ok: false,
      problem: t`it was made by a newer Vitrine (format ${version}; this one reads up to ${presetFileVersion}).`,
    }
  }
  const parsed = presetFile.safeParse(value)
  if (parsed.success) return { ok: true, preset: parsed.data.preset }
  const issue = parsed.error.issues[0]
  const field = issue?.path.slice(1).join('.') || issue?.path.join('.') || 'vitrinePreset'
  return { ok: false, problem: fieldProblem(field, issue?.message ?? 'unknown problem') }
}

/** What zod says of a value of the wrong kind, for a person. */
function fieldProblem(field: string, message: string): string {
  if (message.endsWith('received undefined')) return t`its field "${field}" is missing.`
  const [, expected = ''] = /^Invalid input: expected (\w+)/.exec(message) ?? []
  switch (expected) {
    case 'string':
      return t`its field "${field}" should be a text.`
    case 'number':
      return t`its field "${field}" should be a number.`
    case 'boolean':
      return t`its field "${field}" should be true or false.`
    case 'object':
    case 'record':
      return t`its field "${field}" should be an object.`
    case 'array':
      return t`its field "${field}" should be a list.`
    default:
      return t`its field "${field}" is not right: ${message}.`
  }
}

/** Presets to start from. "rescue" and "precision" are the retouchers named in the service interface, section 1. */
export const builtInPresets: readonly Preset[] = [
  preset('Catalogue white', 'precision', {
    bg_mode: 'solid',
    bg_color: '#FFFFFF',
    bg_shadow: true,
    framing_enabled: true,
    framing_pad_top: 15,
    framing_pad_right: 15,
    framing_pad_bottom: 15,
    framing_pad_left: 15,
    debanding: true,
  }),
  preset('Cut-out', 'precision', { bg_mode: 'transparent', framing_enabled: true, debanding: true }),
  preset('Soft grey', 'rescue', {
    bg_mode: 'solid',
    bg_color: '#ECECEC',
    bg_shadow: true,
    shadow_softness: 1.6,
    framing_enabled: true,
    debanding: true,
  }),
  preset('Retouch only', 'rescue', {}),
]

function preset(name: string, appId: string, settings: RetoucherSettings): Preset {
  return { name, appId, settings, parameters: {} }
}

/** What a person reads for a preset: those that come with the program have a name in each language, others their own. */
export function presetTitle(name: string): string {
  switch (name) {
    // The engine's word where there is none.
    case 'No preset':
      return t`No preset`
    case 'Catalogue white':
      return t`Catalogue white`
    case 'Cut-out':
      return t`Cut-out`
    case 'Soft grey':
      return t`Soft grey`
    case 'Retouch only':
      return t`Retouch only`
    default:
      return name
  }
}
