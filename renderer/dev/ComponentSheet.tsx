import { Logo } from '../ui/Logo.tsx'
import { ToastRegion } from '../ui/ToastRegion.tsx'
import { createToasts } from '../ui/toasts.ts'
import { ControlsColumn } from './ControlsColumn.tsx'
import { Inspectors } from './Inspectors.tsx'
import { OverlaysColumn } from './OverlaysColumn.tsx'
import { TokensColumn } from './TokensColumn.tsx'

const toasts = createToasts()

/** Every component in its states, for looking at and for tests; not part of the product. */
export function ComponentSheet() {
  return (
    <main className="dev">
      <header>
        <Logo size={26} />
        <h1>Vitrine components</h1>
        <span className="f3">Every value is a token in styles/tokens.css.</span>
      </header>
      <div>
        <TokensColumn />
      </div>
      <div>
        <ControlsColumn />
      </div>
      <div>
        <OverlaysColumn toasts={toasts} />
      </div>
      <Inspectors />
      <ToastRegion toasts={toasts} undoKeys="⌘Z" />
    </main>
  )
}
