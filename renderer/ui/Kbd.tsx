import type { ReactNode } from 'react'

/** A key cap: "⌘F", "Space". The caller chooses ⌘ or Ctrl by platform. */
export function Kbd({ children }: { readonly children: ReactNode }) {
  return <kbd>{children}</kbd>
}
