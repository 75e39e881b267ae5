import { Component, type ReactNode } from 'react'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Logo } from '../ui/Logo.tsx'
import { t } from '../../shared/language/text.ts'

interface BoundaryProps {
  readonly children: ReactNode
}

/** Where a fault of the page itself ends: the queue does not depend on it, and a reload brings the page back. */
export class Boundary extends Component<BoundaryProps, { readonly isBroken: boolean }> {
  override readonly state = { isBroken: false }

  static getDerivedStateFromError() {
    return { isBroken: true }
  }

  override render() {
    if (!this.state.isBroken) return this.props.children
    return (
      <main className="win lost">
        <EmptyState
          art={<Logo size={36} />}
          title={t`This page has a fault`}
          actions={
            <Button variant="primary" size="l" onPress={() => location.reload()}>
              {t`Reload`}
            </Button>
          }
        >
          {t`The queue goes on without it and nothing is lost. Reload to see how it stands.`}
        </EmptyState>
      </main>
    )
  }
}
