import type { ReactNode } from 'react'

export interface EmptyStateProps {
  /** A glyph or drawing above the words. */
  readonly art?: ReactNode
  readonly title: string
  readonly children?: ReactNode
  /** One button, or two. */
  readonly actions?: ReactNode
}

/** Where nothing is yet: what will appear here, and what to do about it. */
export function EmptyState({ art, title, children, actions }: EmptyStateProps) {
  return (
    <div className="empty">
      {art}
      <p className="empty-title">{title}</p>
      {children !== undefined && <div className="empty-text">{children}</div>}
      {actions !== undefined && <div className="empty-actions">{actions}</div>}
    </div>
  )
}
