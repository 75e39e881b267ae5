import { z } from 'zod'
import { call, stream, type Contract } from '../rpc/contract.ts'
import { updateActs, updateSchema } from './update-records.ts'

const done = z.object({})

/**
 * Entries of the menus that the page carries out, by the names of its actions: the menu decides nothing, and an entry
 * without an action does not compile on the page's side.
 */
export const menuCommands = [
  'new-batch',
  'choose-folder',
  'paste',
  'start',
  'pause',
  'pause-all',
  'retry-failed',
  'review',
  'reveal',
  'open-out-dir',
  'search',
  'palette',
  'arrangement',
  'sidebar',
  'inspector',
  'next-region',
  'history',
  'presets',
  'preferences',
  'command-line',
  'keys',
] as const
export type MenuCommand = (typeof menuCommands)[number]

/**
 * What only a desktop window can do. A page in a browser has no such line, and says what is missing where it would be
 * needed. Paths never go to the page: what is dropped or picked becomes a drop.
 */
export const desktopContract = {
  shell: {
    /**
     * Asks for folders, for files, or for one picture; null when the person thinks better of it. macOS asks for folders and
     * files at once, whichever is wanted; the other systems cannot.
     */
    pickSources: call(
      z.object({ what: z.enum(['folders', 'files', 'picture']).default('folders') }),
      z.object({ drop: z.string().nullable() }),
    ),
    pickFolder: call(
      z.object({ title: z.string().max(100), current: z.string().max(4096) }),
      z.object({ path: z.string().nullable() }),
    ),
    /** Shows an output, or the batch's folder where no image is named, in the file manager. */
    reveal: call(
      z.object({ batch: z.string(), image: z.number().int().optional(), slug: z.string().optional() }),
      done,
    ),
    openSource: call(z.object({ image: z.number().int() }), done),
    copy: call(z.object({ text: z.string().max(100_000) }), done),
    /** Where the service's own pages are: to buy credits, for instance. */
    openService: call(z.object({}), done),
    /** Menu commands and what the system handed over: paths opened with the program, a preset file. */
    commands: stream(
      z.object({}),
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('command'), id: z.enum(menuCommands) }),
        /** A notification about this batch was clicked. */
        z.object({ kind: z.literal('show-batch'), batch: z.string() }),
        /** `preset`: the name of the one that it is to be looked at with; it may be gone by now. */
        z.object({ kind: z.literal('drop'), drop: z.string(), preset: z.string().optional() }),
        z.object({ kind: z.literal('preset'), text: z.string(), shown: z.string() }),
      ]),
    ),
    /** The command `vitrine` for terminals; `sentence` says how it is used, or why it cannot be. */
    commandLine: call(
      z.object({ act: z.enum(['look', 'install', 'remove']) }),
      z.object({ path: z.string(), isInstalled: z.boolean(), sentence: z.string() }),
    ),
    /** Updates of the installed program. */
    updates: stream(z.object({}), updateSchema),
    /** Asks the feed, fetches what is there, or ends the program to install it, which asks where work is under way. */
    update: call(z.object({ act: z.enum(updateActs) }), done),
    info: call(
      z.object({}),
      z.object({
        platform: z.enum(['mac', 'windows', 'linux']),
        version: z.string(),
        titleBar: z.enum(['inset', 'overlay', 'native']),
      }),
    ),
  },
} as const satisfies Contract

export type DesktopContract = typeof desktopContract
