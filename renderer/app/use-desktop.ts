import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { beginIntake } from '../intake/begin-intake.ts'
import { importPreset } from '../presets/preset-commands.ts'
import { actionById } from './actions.ts'
import type { Workspace } from './workspace.ts'
import { useWorkspace } from './workspace-context.ts'
import { t } from '../../shared/language/text.ts'

type TitleBar = 'inset' | 'overlay' | 'native'

/** How the window's own bar lies: the page leaves room for its buttons. */
export function useTitleBar(): TitleBar {
  const workspace = useWorkspace()
  const [titleBar, setTitleBar] = useState<TitleBar>('native')
  // Before the line is open there is nobody to ask.
  const isOpen = useStore(workspace.line.state, ({ state }) => state === 'open')
  useEffect(() => {
    if (!workspace.isDesktop || !isOpen) return
    const ends = new AbortController()
    workspace.api.shell.info({}, { signal: ends.signal }).then(
      (info) => setTitleBar(info.titleBar),
      () => undefined,
    )
    return () => ends.abort()
  }, [workspace, isOpen])
  return titleBar
}

function obey(workspace: Workspace, id: string) {
  const action = actionById(id)
  if (action?.isEnabled(workspace)) void action.run(workspace)
}

/** Opens the sheet for what the file manager has handed over, with the preset that was chosen there. */
function takeDrop(workspace: Workspace, { drop, preset }: { drop: string; preset?: string | undefined }) {
  const { presets } = workspace.mirrors.presets.getState().value
  if (preset !== undefined && presets.length > 0 && !presets.some((one) => one.preset.name === preset)) {
    workspace.say(t`There is no preset “${preset}” any more, so the usual one is chosen`)
  }
  beginIntake(workspace, null, () => Promise.resolve([{ kind: 'drop', drop }]), preset)
}

/** Does what the window's menu and the system ask for: commands, files opened with the program, preset files. */
export function useDesktopCommands(): void {
  const workspace = useWorkspace()
  useEffect(() => {
    if (!workspace.isDesktop) return
    const ends = new AbortController()
    workspace.line.follow(
      (api, options) => api.shell.commands({}, options),
      (command) => {
        switch (command.kind) {
          case 'command':
            return obey(workspace, command.id)
          case 'show-batch':
            return workspace.go({ kind: 'batch', batch: command.batch })
          case 'preset':
            return void importPreset(workspace, command.text, command.shown)
          case 'drop':
            return takeDrop(workspace, command)
        }
      },
      ends.signal,
    )
    return () => ends.abort()
  }, [workspace])
}
