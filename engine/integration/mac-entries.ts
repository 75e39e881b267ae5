import { join } from 'node:path'
import {
  entryMark,
  entryNames,
  wishTitle,
  type Desk,
  type EntryFile,
  type Place,
  type Wish,
} from './entries.ts'
import { presetSwitch, shellWord, xmlText } from './launch.ts'

/** Quick Actions of the Finder: each is a folder of two property lists, which Automator's own runner carries out. */
export function macPlaces(desk: Desk): Place[] {
  const folder = join(desk.userHome, 'Library', 'Services')
  return [
    {
      id: 'finder',
      title: 'Finder (Quick Actions)',
      programs: [],
      folder,
      files: (wishes) =>
        entryNames(wishes).flatMap(({ wish, name }) =>
          quickAction(desk, join(folder, `${name}.workflow`), wish),
        ),
    },
  ]
}

function quickAction(desk: Desk, bundle: string, wish: Wish): EntryFile[] {
  const contents = join(bundle, 'Contents')
  const file = (name: string, value: Value): EntryFile => ({
    kind: 'file',
    path: join(contents, name),
    text: propertyList(value),
    mode: 0o644,
  })
  return [file('Info.plist', serviceOf(wish)), file('document.wflow', workflowOf(desk, wish))]
}

/** The Finder passes whole paths. It waits for a Quick Action's end, so the program is left to itself. */
function scriptOf({ launch }: Desk, { preset }: Wish): string {
  const words = [launch.program, ...launch.args, ...(preset === null ? [] : [presetSwitch(preset)])]
  return `# ${entryMark}\n${words.map(shellWord).join(' ')} -- "$@" >/dev/null 2>&1 </dev/null &\n`
}

function serviceOf(wish: Wish): Value {
  return {
    CFBundleIdentifier: `app.vitrine.file-manager.${Buffer.from(wish.preset ?? '').toString('hex') || 'plain'}`,
    CFBundleName: wishTitle(wish),
    CFBundleShortVersionString: '1.0',
    NSServices: [
      {
        NSMenuItem: { default: wishTitle(wish) },
        NSMessage: 'runWorkflowAsService',
        NSRequiredContext: { NSApplicationIdentifier: 'com.apple.finder' },
        NSSendFileTypes: ['public.item'],
      },
    ],
  }
}

const texts = { Container: 'List', Types: ['com.apple.cocoa.string'] }

function workflowOf(desk: Desk, wish: Wish): Value {
  return {
    AMApplicationBuild: '523',
    AMApplicationVersion: '2.10',
    AMDocumentVersion: '2',
    actions: [
      {
        action: {
          AMAccepts: { ...texts, Optional: true },
          AMActionVersion: '2.0.3',
          AMApplication: ['Automator'],
          AMParameterProperties: {
            COMMAND_STRING: {},
            CheckedForUserDefaultShell: {},
            inputMethod: {},
            shell: {},
            source: {},
          },
          AMProvides: texts,
          ActionBundlePath: '/System/Library/Automator/Run Shell Script.action',
          ActionName: 'Run Shell Script',
          ActionParameters: {
            COMMAND_STRING: scriptOf(desk, wish),
            CheckedForUserDefaultShell: true,
            // Files come as arguments, not as lines.
            inputMethod: 1,
            shell: '/bin/sh',
            source: '',
          },
          BundleIdentifier: 'com.apple.RunShellScript',
          CFBundleVersion: '2.0.3',
          CanShowSelectedItemsWhenRun: false,
          CanShowWhenRun: true,
          Category: ['AMCategoryUtilities'],
          'Class Name': 'RunShellScriptAction',
        },
        isViewVisible: true,
      },
    ],
    connectors: {},
    workflowMetaData: {
      serviceApplicationBundleID: 'com.apple.finder',
      serviceInputTypeIdentifier: 'com.apple.Automator.fileSystemObject',
      serviceOutputTypeIdentifier: 'com.apple.Automator.nothing',
      serviceProcessesInput: 0,
      workflowTypeIdentifier: 'com.apple.Automator.servicesMenu',
    },
  }
}

type Value = string | number | boolean | readonly Value[] | { readonly [key: string]: Value }

function propertyList(value: Value): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    `<!-- ${entryMark} -->`,
    `<plist version="1.0">${xmlOf(value)}</plist>`,
    '',
  ].join('\n')
}

function xmlOf(value: Value): string {
  if (typeof value === 'string') return `<string>${xmlText(value)}</string>`
  if (typeof value === 'number') return `<integer>${value}</integer>`
  if (typeof value === 'boolean') return value ? '<true/>' : '<false/>'
  if (Array.isArray(value)) return `<array>${(value as readonly Value[]).map(xmlOf).join('')}</array>`
  const entries = Object.entries(value).map(([key, one]) => `<key>${xmlText(key)}</key>${xmlOf(one)}`)
  return `<dict>${entries.join('')}</dict>`
}
