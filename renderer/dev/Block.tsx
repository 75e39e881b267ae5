import type { ReactNode } from 'react'

export interface BlockProps {
  readonly title: string
  readonly note?: string
  readonly children: ReactNode
}

/** One part of the component sheet, under its heading. */
export function Block({ title, note, children }: BlockProps) {
  return (
    <section className="blk" aria-label={title}>
      <h2>
        {title}
        {note !== undefined && <span>{note}</span>}
      </h2>
      {children}
    </section>
  )
}
