import { useSyncExternalStore } from 'react'
import { useCompare, useComparison } from './compare-context.ts'
import { percent } from './view.ts'

/** The scale under each loupe. */
export function LoupeBadges() {
  const { session } = useComparison()
  const { stage } = session
  const state = useSyncExternalStore(stage.subscribe, () => (stage.state?.loupe ? stage.state : undefined))
  const panes = useCompare(({ arranged }) => arranged?.scene?.panes.length ?? 1)
  if (!state?.loupe) return null
  const { loupe, pane, loupeScale } = state
  return Array.from({ length: panes }, (_, index) => (
    <span
      key={index}
      className="badge loupe-badge"
      style={{ left: index * (pane.width + 1) + loupe.x - 24, top: loupe.y + 116 }}
    >
      {percent(loupeScale)}
    </span>
  ))
}
