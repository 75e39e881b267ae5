import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import type { DesktopBridge } from '../../shared/contract/desktop-bridge.ts'
import './app.css'
import { I18nProvider } from 'react-aria-components'
import { localeOf } from '../../shared/language/text.ts'
import { App } from './App.tsx'
import { Boundary } from './Boundary.tsx'
import { followAddress } from './follow-address.ts'
import { isTextField, platformOf } from './keys.ts'
import { createLine } from './line.ts'
import { openSocketPort } from './socket-port.ts'
import { WorkspaceContext } from './workspace-context.ts'
import { Workspace } from './workspace.ts'

const bridge = (globalThis as { readonly vitrine?: DesktopBridge<File> }).vitrine
// A file that is dropped where nothing takes it would make the browser leave the page for it.
for (const name of ['dragover', 'drop'] as const) {
  addEventListener(name, (event) => {
    if (!isTextField(event.target)) event.preventDefault()
  })
}

const root = document.getElementById('root')
if (root) {
  const workspace = new Workspace({
    line: createLine({
      openPort: (signal) =>
        bridge
          ? Promise.resolve(bridge.port)
          : openSocketPort(new URL('line', location.href.replace(/^http/, 'ws')).href, signal),
    }),
    bridge,
    platform: platformOf(navigator.platform),
    storage: localStorage,
    hash: location.hash,
    onFrame: (work) => void requestAnimationFrame(work),
  })
  followAddress(workspace.view)
  // React Aria follows the machine otherwise, whatever was chosen.
  const locale = localeOf()
  createRoot(root).render(
    <StrictMode>
      <WorkspaceContext value={workspace}>
        <Boundary>
          <I18nProvider {...(locale !== undefined && { locale })}>
            <App />
          </I18nProvider>
        </Boundary>
      </WorkspaceContext>
    </StrictMode>,
  )
}
