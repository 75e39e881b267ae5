import { settingRules } from '../../shared/settings.ts'
import type { SettingRule } from '../../shared/settings.ts'

/** One parameter of an app, in the words of JSON Schema (the interface shows no shape of its own, 2.6). */
export interface AppParameter {
  readonly name: string
  readonly type: 'string' | 'number' | 'integer' | 'boolean'
  readonly required: boolean
  readonly title: string
  readonly description: string
  readonly format?: 'uri' | 'color'
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: string | number | boolean
}

/** An app that the practice service offers. */
export interface PracticeApp {
  readonly id: string
  readonly title: string
  readonly description: string
  /** Credits of a run before extras. */
  readonly basePrice: number
  /** Retouchers take the settings of 4.7 and charge their extras. */
  readonly retoucher: boolean
  readonly parameters: readonly AppParameter[]
}

const image: AppParameter = {
  name: 'image',
  type: 'string',
  format: 'uri',
  required: true,
  title: 'Image',
  description: 'Address of the source picture.',
}

function parameterOf(rule: SettingRule): AppParameter {
  const common = { name: rule.key, required: false, title: rule.title, description: rule.help }
  switch (rule.kind) {
    case 'choice':
      return { ...common, type: 'string', enum: rule.choices, default: rule.default }
    case 'color':
      return { ...common, type: 'string', format: 'color' }
    case 'switch':
      return { ...common, type: 'boolean' }
    case 'number':
      return { ...common, type: 'number', minimum: rule.min, maximum: rule.max, default: rule.default }
  }
}

const retoucherParameters = [image, ...settingRules.map(parameterOf)]

/** The backdrop colours of the `studio-background` app's styles. */
export const studioStyles: Readonly<Record<string, string>> = {
  white: '#FFFFFF',
  linen: '#EFE8DC',
  blush: '#F3DEDA',
  slate: '#4A4F57',
  velvet: '#1D1A22',
}

/** The two retouchers of the interface and one app that is none, so that generated forms have something to show. */
export const defaultApps: readonly PracticeApp[] = [
  {
    id: 'rescue',
    title: 'Rescue',
    description: 'Strong retouching for pictures taken in poor light.',
    basePrice: 2,
    retoucher: true,
    parameters: retoucherParameters,
  },
  {
    id: 'precision',
    title: 'Precision',
    description: 'Restrained retouching that keeps tones and facets as they are.',
    basePrice: 3,
    retoucher: true,
    parameters: retoucherParameters,
  },
  {
    id: 'studio-background',
    title: 'Studio Background',
    description: 'Sets the item on a plain studio backdrop.',
    basePrice: 2,
    retoucher: false,
    parameters: [
      image,
      {
        name: 'style',
        type: 'string',
        enum: Object.keys(studioStyles),
        default: 'white',
        required: true,
        title: 'Style',
        description: 'The backdrop.',
      },
      {
        name: 'shadow',
        type: 'boolean',
        default: true,
        required: false,
        title: 'Shadow',
        description: 'A soft shadow under the item.',
      },
      {
        name: 'padding',
        type: 'integer',
        minimum: 0,
        maximum: 60,
        default: 20,
        required: false,
        title: 'Padding',
        description: 'Space around the item, in percent of its longest side.',
      },
      {
        name: 'tint',
        type: 'string',
        format: 'color',
        required: false,
        title: 'Tint',
        description: 'A colour of your own instead of the style, #RRGGBB.',
      },
      {
        name: 'strength',
        type: 'number',
        minimum: 0.1,
        maximum: 3,
        default: 1,
        required: false,
        title: 'Shadow strength',
        description: 'Darkness of the shadow.',
      },
    ],
  },
]

/** An app as GET /apps tells it; what a run costs is not part of it (8). */
export function describeApp(app: PracticeApp): Record<string, unknown> {
  return { app_id: app.id, title: app.title, description: app.description, parameters: app.parameters }
}
