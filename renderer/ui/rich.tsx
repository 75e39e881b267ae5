import { Fragment, type ReactNode } from 'react'
import { piecesOf } from '../../shared/language/text.ts'

/** As `t`, with elements as values: rich`${<b>{name}</b>} is ready`. The language decides on their order. */
export function rich(parts: TemplateStringsArray, ...values: readonly ReactNode[]): ReactNode {
  return piecesOf(parts).map((piece, n) => (
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={n}>{typeof piece === 'string' ? piece : values[piece]}</Fragment>
  ))
}
