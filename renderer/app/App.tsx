import { Suspense, useEffect, useLayoutEffect } from 'react'
import { useStore } from 'zustand'
import { BatchScreen } from '../batches/BatchScreen.tsx'
import { Sidebar } from '../batches/Sidebar.tsx'
import { StartScreen } from '../batches/StartScreen.tsx'
import { FirstRun } from '../connection/FirstRun.tsx'
import { DropOverlay } from '../intake/DropOverlay.tsx'
import { ToastRegion } from '../ui/ToastRegion.tsx'
import { keepLanguage } from './language.ts'
import { later, loadLater } from './later.ts'
import { LineLost, LineNotice } from './LineNotice.tsx'
import { LiveRegions } from './LiveRegions.tsx'
import { Overlays } from './Overlays.tsx'
import { useActionKeys } from './use-action-keys.ts'
import { useDesktopCommands, useTitleBar } from './use-desktop.ts'
import { useKeys, useWorkspace } from './workspace-context.ts'

const HistoryScreen = later(async () => (await import('../history/HistoryScreen.tsx')).HistoryScreen)
const PresetsScreen = later(async () => (await import('../presets/PresetsScreen.tsx')).PresetsScreen)
const PreferencesScreen = later(
  async () => (await import('../preferences/PreferencesScreen.tsx')).PreferencesScreen,
)

function Main() {
  const screen = useStore(useWorkspace().view, (view) => view.screen)
  switch (screen.kind) {
    case 'start':
      return <StartScreen />
    case 'batch':
      return <BatchScreen key={screen.batch} id={screen.batch} />
    case 'history':
      return <HistoryScreen />
    case 'presets':
      return <PresetsScreen />
    case 'preferences':
      return <PreferencesScreen page={screen.page} />
  }
}

function useTheme() {
  const theme = useStore(useWorkspace().mirrors.preferences, ({ value }) => value?.theme ?? 'system')
  useLayoutEffect(() => {
    document.documentElement.dataset['theme'] = theme
  }, [theme])
}

function useLanguage() {
  const choice = useStore(useWorkspace().mirrors.preferences, ({ value }) => value?.language)
  useEffect(() => {
    if (choice && keepLanguage(choice, localStorage, navigator.languages)) location.reload()
  }, [choice])
}

/** The whole window: first run, or the columns with whatever lies over them. */
export function App() {
  const workspace = useWorkspace()
  const line = useStore(workspace.line.state)
  const connections = useStore(workspace.mirrors.connections)
  // Without them the window would flash in the wrong theme.
  const hasPreferences = useStore(workspace.mirrors.preferences, ({ known }) => known)
  const keys = useKeys()
  const titleBar = useTitleBar()
  useEffect(loadLater, [])
  useTheme()
  useLanguage()
  useActionKeys()
  useDesktopCommands()

  if (!connections.known || !hasPreferences || line.state === 'outdated') {
    return (
      <div className="win" data-title-bar={titleBar}>
        <LineLost state={line.state} failures={line.failures} />
      </div>
    )
  }
  const isFirstRun = connections.value.length === 0
  return (
    <div className="win" data-title-bar={titleBar}>
      {isFirstRun ? (
        <FirstRun />
      ) : (
        <>
          <Sidebar />
          <Suspense fallback={<main className="main" />}>
            <Main />
          </Suspense>
          <DropOverlay />
        </>
      )}
      <Overlays />
      {line.state === 'reconnecting' && <LineNotice failures={line.failures} />}
      <ToastRegion toasts={workspace.toasts} undoKeys={keys('mod+z')} />
      <LiveRegions />
    </div>
  )
}
