import { useEffect, useRef, useState, type RefObject } from 'react'
import { useStore } from 'zustand'
import type { Subject } from '../../shared/contract/compare-records.ts'
import { useWorkspace } from '../app/workspace-context.ts'
import { listenToKeys } from './commands.ts'
import { ComparisonContext, useCompare, useComparison, useLooking } from './compare-context.ts'
import { CompareHeader } from './CompareHeader.tsx'
import { CompareKeysSheet } from './CompareKeysSheet.tsx'
import { Comparison } from './comparison.ts'
import { Filmstrip } from './Filmstrip.tsx'
import { MetaRow } from './MetaRow.tsx'
import { PlaceSheet } from './PlaceSheet.tsx'
import { StageView } from './StageView.tsx'
import './compare.css'

/** Comparing the pictures of one image with each other; next and previous go through the rows behind it. */
export function CompareScreen({ of }: { readonly of: Subject }) {
  const workspace = useWorkspace()
  const [comparison, setComparison] = useState<Comparison>()
  useEffect(() => {
    const made = new Comparison(workspace, of)
    setComparison(made)
    const end = listenToKeys(made)
    return () => {
      end()
      made.close()
    }
    // A comparison goes on to other images by itself: only the first one is taken from outside.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [workspace])
  if (!comparison) return null
  return (
    <ComparisonContext value={comparison}>
      <Screen />
    </ComparisonContext>
  )
}

function Screen() {
  const root = useRef<HTMLDivElement>(null)
  const hasInfo = useLooking((looking) => looking.hasInfo)
  const sheet = useLooking((looking) => looking.sheet)
  const hasBatch = useStore(useWorkspace().images, ({ window }) => window !== undefined)
  const isRun = useCompare((state) => 'run' in state.of)
  useFocusWithin(root)
  useFlicker()
  return (
    <div className="compare" ref={root}>
      <CompareHeader />
      <StageView />
      {hasInfo && <MetaRow />}
      {hasBatch && !isRun && <Filmstrip />}
      {sheet === 'keys' && <CompareKeysSheet />}
      {sheet === 'place' && <PlaceSheet />}
    </div>
  )
}

/** Takes the focus and lets nothing behind it be reached; gives both back to where they were. */
function useFocusWithin(root: RefObject<HTMLDivElement | null>) {
  useEffect(() => {
    const before = document.activeElement
    const behind: HTMLElement[] = []
    for (let at = root.current?.previousElementSibling; at; at = at.previousElementSibling) {
      if (at instanceof HTMLElement && !at.inert) behind.push(at)
    }
    for (const element of behind) element.inert = true
    root.current?.querySelector('main')?.focus()
    return () => {
      for (const element of behind) element.inert = false
      if (before instanceof HTMLElement) before.focus()
    }
  }, [root])
}

/** Lets the two pictures take turns while a person has it so. */
function useFlicker() {
  const isOn = useCompare((state) => state.isFlickering && state.mode === 'flicker')
  const rate = useCompare((state) => state.rate)
  const { session } = useComparison()
  useEffect(() => {
    if (!isOn) return undefined
    const timer = setInterval(() => {
      session.set({ turn: session.state.getState().turn === 0 ? 1 : 0 })
    }, 1000 / rate)
    return () => clearInterval(timer)
  }, [isOn, rate, session])
}
