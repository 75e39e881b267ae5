import { Logo } from '../ui/Logo.tsx'
import { ToastRegion } from '../ui/ToastRegion.tsx'
import { createToasts } from '../ui/toasts.ts'
import { ControlsColumn } from './ControlsColumn.tsx'
import { Inspectors } from './Inspectors.tsx'
import { OverlaysColumn } from './OverlaysColumn.tsx'
import { TokensColumn } from './TokensColumn.tsx'

const toasts = createToasts()

const columns = {
  tokens: <TokensColumn />,
  controls: <ControlsColumn />,
  overlays: <OverlaysColumn toasts={toasts} />,
}

/**
 * Every component in its states, for looking at and for tests; not part of the product.
 * @param only the name of a column, or `inspectors`: the whole takes seconds to draw on a small machine
 */
export function ComponentSheet({ only }: { readonly only: string | null }) {
  const isShown = (name: string) => only === null || only === name
  return (
    <main className="dev">
      <header>
        <Logo size={26} />
        <h1>Vitrine components</h1>
        <span className="f3">Every value is a token in styles/tokens.css.</span>
      </header>
      {Object.entries(columns).map(([name, column]) => isShown(name) && <div key={name}>{column}</div>)}
      {isShown('inspectors') && <Inspectors />}
      <ToastRegion toasts={toasts} undoKeys="⌘Z" />
    </main>
  )
}
