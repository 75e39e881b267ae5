import { createContext, useContext, useSyncExternalStore } from 'react'
import { useStore } from 'zustand'
import type { CompareState } from './compare-session.ts'
import type { Comparison, Looking, Surround } from './comparison.ts'
import type { StageState } from './stage.ts'

export const ComparisonContext = createContext<Comparison | undefined>(undefined)

export function useComparison(): Comparison {
  const comparison = useContext(ComparisonContext)
  if (!comparison) throw new Error('No comparison around this component.')
  return comparison
}

export function useCompare<T>(choose: (state: CompareState) => T): T {
  return useStore(useComparison().session.state, choose)
}

export function useLooking<T>(choose: (looking: Looking) => T): T {
  return useStore(useComparison().looking, choose)
}

/** One value of the stage; renders again when that value is another one, not at every frame. */
export function useStage<T extends string | number | boolean | undefined>(
  choose: (state: StageState) => T,
): T | undefined {
  const { stage } = useComparison().session
  return useSyncExternalStore(stage.subscribe, () => stage.state && choose(stage.state))
}

export function useSurround(): Surround {
  const comparison = useComparison()
  const chosen = useStore(comparison.workspace.mirrors.preferences, ({ value }) => value?.surround)
  return useLooking((looking) => looking.surround) ?? chosen ?? 'dark'
}
