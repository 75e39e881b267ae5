import type { CSSProperties } from 'react'
import type { StepPart } from './item-look.ts'

const partClass = { empty: '', full: 'f', failed: 'e', question: 'q' } as const
const names = ['submit', 'queue', 'process', 'save']

/** The four-step track. Hidden from readers: the state's word says the same. */
export function Steps({ parts }: { readonly parts: readonly StepPart[] }) {
  return (
    <div className="steps" aria-hidden="true">
      {parts.map((part, index) =>
        typeof part === 'number' ? (
          <i
            key={names[index]}
            className="c"
            style={{ '--p': `${Math.round(part * 100)}%` } as CSSProperties}
          />
        ) : (
          <i key={names[index]} className={partClass[part]} />
        ),
      )}
    </div>
  )
}
