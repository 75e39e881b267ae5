import { realpath, stat } from 'node:fs/promises'
import { extname, isAbsolute, join, relative } from 'node:path'
import type { BrowserWindow, Clipboard, Dialog, Shell } from 'electron'
import type { Desk } from '../engine/integration/entries.ts'
import { installTool, lookAtTool, removeTool, ToolProblem } from '../engine/integration/command-line-tool.ts'
import type { DesktopContract } from '../shared/contract/desktop-contract.ts'
import type { EngineContract } from '../shared/contract/engine-contract.ts'
import type { HandlerContext, Handlers } from '../shared/rpc/contract.ts'
import { Fault } from '../shared/rpc/fault.ts'
import type { EngineMirror } from './engine-mirror.ts'
import type { ShellCommand } from './hand-over.ts'
import type { OpenAddress } from './open-external.ts'
import type { Outbox } from './outbox.ts'
import type { Updates } from './updates.ts'
import { titleBars, type Platform } from './window-options.ts'
import { t } from '../shared/language/text.ts'

export interface DesktopParts {
  readonly platform: Platform
  readonly desk: Desk
  readonly updates: Updates
  readonly version: string
  readonly engine: Pick<Handlers<EngineContract>, 'images' | 'connections'>
  readonly mirror: Pick<EngineMirror, 'now'>
  readonly addPaths: (paths: readonly string[]) => string
  readonly commands: Outbox<ShellCommand>
  readonly openAddress: OpenAddress
  readonly dialog: Pick<Dialog, 'showOpenDialog'>
  readonly shell: Pick<Shell, 'showItemInFolder' | 'openPath'>
  readonly clipboard: Pick<Clipboard, 'writeText'>
  /** The window that asks; undefined while there is none. */
  readonly window: () => BrowserWindow | undefined
}

/** macOS asks for folders and files in one dialog; the other systems cannot. */
const several = (own: 'openDirectory' | 'openFile', platform: Platform) => [
  ...(platform === 'mac' ? (['openDirectory', 'openFile'] as const) : [own]),
  'multiSelections' as const,
]

const sourceDialogs = {
  folders: (platform) => ({ title: t`Choose folders`, properties: several('openDirectory', platform) }),
  files: (platform) => ({ title: t`Choose files`, properties: several('openFile', platform) }),
  picture: () => ({ title: t`Choose a picture`, properties: ['openFile'] }),
} satisfies Record<string, (platform: Platform) => Electron.OpenDialogOptions>

/** What only a desktop window can do. It translates; what may be done is the engine's and the person's to say. */
export function desktopHandlers(parts: DesktopParts): Handlers<DesktopContract> {
  const { platform, version, engine, addPaths, commands, openAddress, shell, clipboard } = parts
  return {
    shell: {
      pickSources: async ({ what }) => {
        const picked = await ask(parts, sourceDialogs[what](platform))
        return { drop: picked.length === 0 ? null : addPaths(picked) }
      },
      pickFolder: async ({ title, current }) => {
        const [path] = await ask(parts, {
          title,
          properties: ['openDirectory', 'createDirectory'],
          ...(isAbsolute(current) ? { defaultPath: current } : {}),
        })
        return { path: path ?? null }
      },
      reveal: async ({ batch, image, slug }, context) => {
        if (image === undefined) await openFolder(parts, outDirOf(parts, batch))
        else shell.showItemInFolder(await outputPath(parts, { batch, image, slug }, context))
        return {}
      },
      openSource: async ({ image }, context) => {
        const { source } = await engine.images.details({ image }, context)
        await openAddress(source)
        return {}
      },
      copy: async ({ text }) => {
        await clipboard.writeText(text)
        return {}
      },
      openService: async (_, context) => {
        await openAddress(await serviceOrigin(engine.connections, context))
        return {}
      },
      commands: (_, { signal }) => commands.follow(signal),
      commandLine: async ({ act }) => {
        try {
          return await { look: lookAtTool, install: installTool, remove: removeTool }[act](parts.desk)
        } catch (error) {
          throw error instanceof ToolProblem ? new Fault('refused', error.message) : error
        }
      },
      updates: (_, { signal }) => parts.updates.follow(signal),
      update: ({ act }) => {
        if (act === 'install') parts.updates.install()
        else void (act === 'check' ? parts.updates.check() : parts.updates.download())
        return {}
      },
      info: () => ({ platform, version, titleBar: titleBars[platform] }),
    },
  }
}

/** Paths that a person picked; none where they thought better of it. */
async function ask({ dialog, window }: DesktopParts, options: Electron.OpenDialogOptions): Promise<string[]> {
  const over = window()
  const { canceled, filePaths } = await (over
    ? dialog.showOpenDialog(over, options)
    : dialog.showOpenDialog(options))
  return canceled ? [] : filePaths
}

function outDirOf({ mirror }: DesktopParts, batch: string): string {
  const outDir = mirror.now.batches?.get(batch)?.outDir
  if (outDir === undefined) throw new Fault('gone', t`This batch is not in the list any more.`)
  return outDir
}

async function openFolder({ shell, platform }: DesktopParts, folder: string): Promise<void> {
  const isFolder = (await stat(folder).catch(() => undefined))?.isDirectory() ?? false
  // On macOS some folders are programs, which opening would start.
  if (isFolder && platform === 'mac' && extname(folder) !== '') return shell.showItemInFolder(folder)
  const trouble = isFolder ? await shell.openPath(folder) : 'missing'
  if (trouble)
    throw new Fault('refused', t`The folder ${folder} cannot be opened. Check that it is still there.`)
}

/** The file of an output, where it lies in its batch's folder now. */
async function outputPath(
  parts: DesktopParts,
  { batch, image, slug }: { batch: string; image: number; slug: string | undefined },
  context: HandlerContext,
): Promise<string> {
  const details = await parts.engine.images.details({ image }, context)
  if (details.batch !== batch) throw new Fault('gone', t`This image is not in the batch any more.`)
  const output = slug === undefined ? details.outputs[0] : details.outputs.find((one) => one.slug === slug)
  if (!output) throw new Fault('gone', t`There is no file of this image yet.`)
  const folder = outDirOf(parts, batch)
  const [root, file] = await Promise.all(
    [folder, join(folder, output.path)].map((path) => realpath(path).catch(() => undefined)),
  )
  if (root === undefined || file === undefined) {
    throw new Fault('gone', t`The file ${output.path} is not in ${folder} any more.`)
  }
  const below = relative(root, file)
  // A row that was tampered with must not lead the file manager elsewhere.
  if (below.startsWith('..') || isAbsolute(below)) {
    throw new Fault('refused', t`This file lies outside the output folder of its batch, so it is not shown.`)
  }
  return file
}

async function serviceOrigin(
  connections: Handlers<EngineContract>['connections'],
  context: HandlerContext,
): Promise<string> {
  for await (const { connections: all } of connections.watch({}, context)) {
    const active = all.find((one) => one.active)
    if (active?.kind === 'account') return new URL(active.baseUrl).origin
    break
  }
  throw new Fault('refused', t`The practice service has no pages; connect an account first.`)
}
