import { checkSetting, settingRule, settingRules } from '../../shared/settings.ts'
import type { RetoucherSettings, SettingValue } from '../../shared/settings.ts'
import { studioStyles } from './apps.ts'
import type { AppParameter, PracticeApp } from './apps.ts'

/** A submission that may be charged and queued. */
export interface Submission {
  readonly app: PracticeApp
  /** As they were sent, unknown keys and all. */
  readonly parameters: Readonly<Record<string, unknown>>
  readonly webhookUrl: string
  /** Credits: base price plus extras (8). */
  readonly price: number
}

export type Judged =
  | { readonly ok: true; readonly submission: Submission }
  | { readonly ok: false; readonly problem: string }

const refuse = (problem: string): Judged => ({ ok: false, problem })

/** Judges the body of POST /run (4.1): everything that is answered with 400, and the price of what is not. */
export function judgeSubmission(text: string, apps: ReadonlyMap<string, PracticeApp>): Judged {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return refuse('The request body is not valid JSON.')
  }
  if (!isObject(body)) return refuse('The request body must be a JSON object.')
  const { app_id: appId, parameters, webhook_url: webhookUrl } = body
  if (typeof appId !== 'string' || appId === '') return refuse('app_id is required and must be a string.')
  if (!isObject(parameters)) return refuse('parameters is required and must be an object.')
  if (!isWebAddress(webhookUrl)) return refuse('webhook_url is required and must be an http or https URL.')
  const app = apps.get(appId)
  if (!app) return refuse(`There is no app "${appId.slice(0, 80)}".`)
  const problem = app.retoucher ? retoucherProblem(parameters) : parameterProblem(app.parameters, parameters)
  if (problem !== undefined) return refuse(problem)
  return { ok: true, submission: { app, parameters, webhookUrl, price: priceOf(app, parameters) } }
}

/** Base price plus, for retouchers, 3 for a background mode and 1 for de-banding (4.7, 8). */
function priceOf(app: PracticeApp, parameters: Readonly<Record<string, unknown>>): number {
  if (!app.retoucher) return app.basePrice
  const background = parameters['bg_mode'] === 'solid' || parameters['bg_mode'] === 'transparent' ? 3 : 0
  const debanding = parameters['debanding'] === true ? 1 : 0
  return app.basePrice + background + debanding
}

/** What the image work is asked to do: clamped settings (4.7 rule 1), without any other parameter. */
export function settingsOf(
  app: PracticeApp,
  parameters: Readonly<Record<string, unknown>>,
): RetoucherSettings {
  if (!app.retoucher) return studioSettings(parameters)
  const settings: Record<string, SettingValue> = {}
  for (const rule of settingRules) {
    const value = parameters[rule.key]
    if (value === undefined) continue
    const checked = checkSetting(rule, value)
    if (checked.ok) settings[rule.key] = checked.value
  }
  return settings
}

function studioSettings(parameters: Readonly<Record<string, unknown>>): RetoucherSettings {
  const { style, tint, shadow, padding, strength } = parameters
  const pad = typeof padding === 'number' ? Math.min(60, Math.max(0, padding)) : 20
  const color = typeof tint === 'string' ? tint : studioStyles[typeof style === 'string' ? style : 'white']
  return {
    bg_mode: 'solid',
    bg_color: color ?? '#FFFFFF',
    bg_shadow: shadow !== false,
    shadow_intensity: typeof strength === 'number' ? Math.min(3, Math.max(0.1, strength)) : 1,
    framing_enabled: true,
    framing_pad_top: pad,
    framing_pad_right: pad,
    framing_pad_bottom: pad,
    framing_pad_left: pad,
  }
}

function retoucherProblem(parameters: Readonly<Record<string, unknown>>): string | undefined {
  if (!isFilledString(parameters['image'])) return 'parameters.image is required and must be an image URL.'
  for (const [key, value] of Object.entries(parameters)) {
    const rule = settingRule(key)
    if (!rule) continue
    const checked = checkSetting(rule, value)
    if (!checked.ok) return checked.problem
  }
  return undefined
}

function parameterProblem(
  expected: readonly AppParameter[],
  parameters: Readonly<Record<string, unknown>>,
): string | undefined {
  for (const parameter of expected) {
    const value = parameters[parameter.name]
    if (value === undefined) {
      if (parameter.required) return `parameters.${parameter.name} is required.`
    } else if (!fits(parameter, value)) {
      const choices = parameter.enum ? ` and one of ${parameter.enum.join(', ')}` : ''
      return `parameters.${parameter.name} must be of type ${parameter.type}${choices}.`
    }
  }
  return undefined
}

function fits(parameter: AppParameter, value: unknown): boolean {
  switch (parameter.type) {
    case 'boolean':
      return typeof value === 'boolean'
    case 'number':
      return typeof value === 'number'
    case 'integer':
      return Number.isInteger(value)
    case 'string':
      if (!isFilledString(value)) return false
      if (parameter.format === 'color') return /^#[0-9a-f]{6}$/i.test(value)
      return parameter.enum === undefined || parameter.enum.includes(value)
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isFilledString(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function isWebAddress(value: unknown): value is string {
  if (typeof value !== 'string') return false
  const url = URL.parse(value)
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:')
}
