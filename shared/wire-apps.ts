import { plainText } from './plain-text.ts'
import { say } from './language/say.ts'
import type { App, Read } from './wire.ts'

const listKeys = ['apps', 'data', 'items', 'results']
const idKeys = ['app_id', 'id', 'slug', 'name']
const titleKeys = ['app_title', 'title', 'display_name', 'name', 'label']
const descriptionKeys = ['description', 'summary', 'details']
const parameterKeys = ['parameters', 'params', 'inputs', 'input_schema', 'schema']
/** More entries than any catalogue has; a longer answer is cut. */
const mostApps = 5000

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function firstOf(fields: Readonly<Record<string, unknown>>, keys: readonly string[]): unknown {
  const key = keys.find((name) => Object.hasOwn(fields, name) && fields[name] !== null && fields[name] !== '')
  return key === undefined ? undefined : fields[key]
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return Number.isSafeInteger(value) ? String(value) : undefined
}

function appOf(raw: unknown, key?: string): App | undefined {
  if (typeof raw === 'string' && key === undefined) {
    return raw === ''
      ? undefined
      : { id: raw, title: raw, description: undefined, parameters: undefined, raw }
  }
  if (!isObject(raw)) return undefined
  const id = textOf(firstOf(raw, key === undefined ? idKeys : idKeys.slice(0, 2))) ?? key
  if (id === undefined) return undefined
  const title = textOf(firstOf(raw, titleKeys))
  const description = textOf(firstOf(raw, descriptionKeys))
  return {
    id,
    title: (title !== undefined && plainText(title, 120)) || id,
    description: description === undefined ? undefined : plainText(description, 1000),
    parameters: firstOf(raw, parameterKeys),
    raw,
  }
}

/**
 * GET /api/v1/apps (4.6). The shape of an app is not shown, so an array, an array under a usual name, and an object
 * of apps by their id are all understood; entries that name no app are passed over, and of several with one id the
 * first counts.
 */
export function readApps(json: unknown): Read<readonly App[]> {
  const entries = entriesOf(json)
  if (!entries) return { ok: false, field: 'apps', problem: say`The answer is not a list of apps.` }
  const apps = new Map<string, App>()
  for (const app of entries) if (app && !apps.has(app.id)) apps.set(app.id, app)
  return { ok: true, value: [...apps.values()] }
}

function entriesOf(json: unknown): (App | undefined)[] | undefined {
  if (Array.isArray(json)) return json.slice(0, mostApps).map((entry: unknown) => appOf(entry))
  if (!isObject(json)) return undefined
  const inner = firstOf(json, listKeys)
  if (Array.isArray(inner)) return inner.slice(0, mostApps).map((entry: unknown) => appOf(entry))
  const byId = Object.entries(isObject(inner) ? inner : json).slice(0, mostApps)
  const apps = byId.map(([key, entry]) => (isObject(entry) ? appOf(entry, key) : undefined))
  return apps.some(Boolean) ? apps : undefined
}
