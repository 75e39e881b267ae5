import type { Box } from '../../shared/framing.ts'
import { frameAround } from '../../shared/framing.ts'
import { contactShadow } from '../../shared/matte/contact-shadow.ts'
import type { ShadowShape } from '../../shared/matte/contact-shadow.ts'
import type { Matte } from '../../shared/matte/estimate-matte.ts'
import { estimateMatte } from '../../shared/matte/estimate-matte.ts'
import type { RetoucherSettings, SettingValue } from '../../shared/settings.ts'
import { checkSetting, settingRule, settingRules } from '../../shared/settings.ts'
import { onColor, onNothing } from './background.ts'
import { debanded } from './deband.ts'
import { framed } from './frame.ts'
import type { OutputFormat, Picture } from './picture.ts'
import { decodePicture, encodePicture, thumbnailOf } from './picture.ts'
import type { ImageApp } from './retouch.ts'
import { retouchPlan, retouched } from './retouch.ts'

/** The account's saved shadow values (4.7 rule 3). */
export type ShadowDefaults = Required<
  Pick<RetoucherSettings, 'shadow_intensity' | 'shadow_size' | 'shadow_softness' | 'shadow_distance'>
>

export interface ProcessedOutput {
  readonly label: string
  readonly slug: string
  readonly format: OutputFormat
  readonly data: Buffer
  readonly width: number
  readonly height: number
}

export interface Processed {
  /** The primary output first, then the extra ones. */
  readonly outputs: readonly ProcessedOutput[]
  /** JPEG, longer side at most 512. */
  readonly thumbnail: Buffer
}

/**
 * Retouches one picture as the service would (interface document 4.7). Without settings the retouched picture comes
 * back in its own size and format; with `debanding` there are two outputs, "De-Banded" and "Original".
 * The same bytes in give the same bytes out.
 *
 * @throws Error with one sentence for people when the input cannot be decoded or is too large.
 */
export async function processImage(
  input: Buffer,
  app: ImageApp,
  settings: RetoucherSettings,
  accountDefaults: Partial<ShadowDefaults> = {},
): Promise<Processed> {
  const wanted = clamped(settings)
  const { picture, format, exif } = await decodePicture(input)
  const matte = matteOf(picture)
  const plan = retouchPlan(picture, app, matte)
  const dressed = (source: Picture): Picture =>
    finished(retouched(source, plan, matte), matte, wanted, accountDefaults)
  const variants = wanted.debanding
    ? [
        { label: 'De-Banded', slug: 'debanded', picture: dressed(debanded(picture, matte)) },
        { label: 'Original', slug: 'original', picture: dressed(picture) },
      ]
    : [{ label: 'Result', slug: 'result', picture: dressed(picture) }]
  const outputs: ProcessedOutput[] = []
  const target = wanted.bg_mode === 'transparent' ? 'png' : format
  for (const { label, slug, picture } of variants) {
    const data = await encodePicture(picture, target, exif)
    outputs.push({ label, slug, format: target, data, width: picture.width, height: picture.height })
  }
  return { outputs, thumbnail: await thumbnailOf(variants[0]!.picture) }
}

/** Numbers brought into their range (4.7 rule 1); values of a wrong kind are taken as absent. */
function clamped(settings: RetoucherSettings): RetoucherSettings {
  const out: Record<string, SettingValue> = {}
  for (const rule of settingRules) {
    const value = settings[rule.key]
    if (value === undefined) continue
    const checked = checkSetting(rule, value)
    if (checked.ok) out[rule.key] = checked.value
  }
  return out
}

/** The matte: the picture's own opacity where it has one (an item already cut out), else estimated. */
function matteOf(picture: Picture): Matte {
  const matte = estimateMatte(picture)
  return picture.opacity ? { ...matte, alpha: picture.opacity } : matte
}

function finished(
  picture: Picture,
  matte: Matte,
  settings: RetoucherSettings,
  accountDefaults: Partial<ShadowDefaults>,
): Picture {
  const mode = settings.bg_mode ?? 'off'
  const color = rgb(mode === 'solid' ? (settings.bg_color ?? '#FFFFFF') : '#FFFFFF')
  const frame = frameOf(matte, settings)
  const cut = mode === 'off' ? picture : onNothing(picture, matte)
  const placed = framed(cut, frame, mode, matte)
  if (mode !== 'solid') return placed
  const shadow = settings.bg_shadow
    ? contactShadow(placed.opacity!, placed.width, placed.height, shadowShape(settings, accountDefaults))
    : undefined
  return onColor(placed, color, shadow)
}

/** Where the output lies in the source: the whole, or the frame around the item (4.7, framing). */
function frameOf(matte: Matte, settings: RetoucherSettings): Box {
  const whole = { left: 0, top: 0, width: matte.width, height: matte.height }
  if (!settings.framing_enabled || !matte.box) return whole
  const pad = (side: 'top' | 'right' | 'bottom' | 'left'): number => settings[`framing_pad_${side}`] ?? 15
  const pads = { top: pad('top'), right: pad('right'), bottom: pad('bottom'), left: pad('left') }
  return frameAround(matte.box, pads, { width: matte.width, height: matte.height })
}

function shadowShape(settings: RetoucherSettings, defaults: Partial<ShadowDefaults>): ShadowShape {
  const value = (key: keyof ShadowDefaults): number => {
    const rule = settingRule(key)
    if (rule?.kind !== 'number') return 1
    const checked = checkSetting(rule, settings[key] ?? defaults[key] ?? rule.default)
    return checked.ok ? Number(checked.value) : rule.default
  }
  return {
    intensity: value('shadow_intensity'),
    size: value('shadow_size'),
    softness: value('shadow_softness'),
    distance: value('shadow_distance'),
  }
}

function rgb(hex: string): readonly [number, number, number] {
  const value = Number.parseInt(hex.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}
