import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '../app/app.css'
import { App } from '../app/App.tsx'
import { followAddress } from '../app/follow-address.ts'
import { platformOf } from '../app/keys.ts'
import { createLine } from '../app/line.ts'
import { stageAnswers } from '../app/testing/stage-answers.ts'
import { StageEngine } from '../app/testing/stage-engine.ts'
import { shellAnswers } from '../app/testing/stage-shell.ts'
import { stageScene, type SceneName } from '../app/testing/stage-scenes.ts'
import { WorkspaceContext } from '../app/workspace-context.ts'
import { Workspace } from '../app/workspace.ts'

/**
 * The program over a made-up engine, for pictures and tests of states that are hard to come by: `?scene=offline`, and
 * `&desktop` for what only a window of its own shows.
 */
const parameters = new URLSearchParams(location.search)
const isDesktop = parameters.has('desktop')
const scene = (parameters.get('scene') ?? 'running') as SceneName
const root = document.getElementById('root')
if (root) {
  const now = Date.now()
  const answers = { ...stageAnswers(now), ...(isDesktop ? shellAnswers() : {}) }
  const engine = new StageEngine(stageScene(scene, now), answers)
  const workspace = new Workspace({
    line: createLine({ openPort: () => Promise.resolve(engine.open()) }),
    bridge: isDesktop ? { port: engine.open(), takeDrop: () => Promise.resolve(null) } : undefined,
    platform: platformOf(navigator.platform),
    storage: undefined,
    hash: location.hash,
    onFrame: (work) => void requestAnimationFrame(work),
  })
  followAddress(workspace.view)
  Object.assign(globalThis, { stage: engine, workspace })
  createRoot(root).render(
    <StrictMode>
      <WorkspaceContext value={workspace}>
        <App />
      </WorkspaceContext>
    </StrictMode>,
  )
}
