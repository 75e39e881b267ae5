import type { Workspace } from '../app/workspace.ts'

/** Colours that are kept. */
const most = 12

/** Puts a colour in front of those used lately. */
export function rememberColor(workspace: Workspace, color: string): void {
  const recent = workspace.mirrors.preferences.getState().value?.recentColors ?? []
  const colors = [color, ...recent.filter((one) => one !== color)].slice(0, most)
  void workspace.attempt(() => workspace.api.preferences.change({ recentColors: colors }))
}
