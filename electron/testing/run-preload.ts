import { resolve } from 'node:path'
import { runInNewContext } from 'node:vm'
import { build } from 'vite'
import type { DesktopBridge } from '../../shared/contract/desktop-bridge.ts'
import type { StandInContents } from './stand-in-ipc.ts'

const root = resolve(import.meta.dirname, '..', '..')

/** The preload as it ships: the text of the one file that the build makes. */
export async function builtPreload(): Promise<string> {
  const built = await build({
    root,
    configFile: resolve(root, 'vite.main.config.ts'),
    mode: 'preload',
    logLevel: 'error',
    build: { write: false },
  })
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((one) =>
    'output' in one ? one.output : [],
  )
  const [only, ...more] = outputs
  if (only?.type !== 'chunk' || more.length > 0) throw new Error('The preload is more than one file.')
  return only.code
}

export interface RunPreload {
  /** What the page sees, by name. */
  readonly world: Readonly<Record<string, unknown>>
  readonly bridge: DesktopBridge
  /** Modules that it asked for. */
  readonly required: string[]
}

/**
 * Runs a built preload as a sandboxed window would: no Node but a `require` that knows `electron`, of that only what a
 * sandboxed preload is given, and a bridge over which functions are wrapped and values cloned.
 * @param paths paths of files, by the object that stands for a `File`; others have none
 */
export function runPreload(
  code: string,
  contents: StandInContents,
  paths = new Map<unknown, string>(),
): RunPreload {
  const world: Record<string, unknown> = {}
  const required: string[] = []
  const electron = {
    ipcRenderer: contents.ipcRenderer,
    webUtils: { getPathForFile: (file: unknown) => paths.get(file) ?? '' },
    contextBridge: {
      exposeInMainWorld: (name: string, api: unknown) => {
        world[name] = across(api, (value) => paths.has(value))
      },
    },
  }
  runInNewContext(code, {
    require: (name: string) => {
      required.push(name)
      if (name !== 'electron') throw new Error(`module not found: ${name}`)
      return electron
    },
  })
  return { world, bridge: world['vitrine'] as DesktopBridge, required }
}

/** A value as it is on the other side of the bridge: functions become other functions, the rest is copied. */
function across(value: unknown, isFile: (value: unknown) => boolean): unknown {
  if (isFile(value)) return value
  if (typeof value === 'function') {
    return (...args: unknown[]) => {
      const result: unknown = value(...args.map((arg) => across(arg, isFile)))
      return isPromise(result) ? result.then((settled) => across(settled, isFile)) : across(result, isFile)
    }
  }
  if (Array.isArray(value)) return value.map((item) => across(item, isFile))
  if (typeof value !== 'object' || value === null) return value
  // Anything with a prototype of its own loses it: only its own properties come across.
  return Object.freeze(
    Object.fromEntries(Object.entries(value).map(([key, item]) => [key, across(item, isFile)])),
  )
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value
}
