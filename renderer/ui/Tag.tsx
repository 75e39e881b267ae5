import type { ReactNode } from 'react'

export interface TagProps {
  readonly children: ReactNode
  readonly tone?: 'neutral' | 'accent' | 'amber' | 'red' | 'line'
}

const toneClass = { neutral: '', accent: 'acc', amber: 'amb', red: 'red', line: 'line' } as const

/** A short word on something: "edited", "Practice". Not a control. */
export function Tag({ children, tone = 'neutral' }: TagProps) {
  return <span className={`tag ${toneClass[tone]}`}>{children}</span>
}
