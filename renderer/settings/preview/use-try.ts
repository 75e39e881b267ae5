import { useEffect, useRef, useState } from 'react'
import type { z } from 'zod'
import type { previewGroup } from '../../../shared/contract/preview-records.ts'
import type { ImageRecord } from '../../../shared/contract/records.ts'
import type { Workspace } from '../../app/workspace.ts'
import type { Recipe } from '../recipe.ts'
import type { PreviewFeed } from './preview-feed.ts'

export type PlannedTry = z.output<(typeof previewGroup)['planTry']['output']>

/** Milliseconds for which settings rest before their price is asked for. */
const settleMs = 250

/** The price of the settings as they stand; undefined while they change. */
export function usePlan(workspace: Workspace, image: number, feed: PreviewFeed, round: unknown) {
  const [plan, setPlan] = useState<PlannedTry>()
  useEffect(() => {
    const ends = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = async () => {
      const { appId, settings, parameters } = feed.recipe
      const recipe = { appId, settings, parameters: { ...parameters } }
      const next = await workspace.api.preview.planTry({ image, recipe }, { signal: ends.signal })
      if (!ends.signal.aborted) setPlan(next)
    }
    const settle = () => {
      // The price of settings that are no more must not stand on the button.
      setPlan(undefined)
      clearTimeout(timer)
      timer = setTimeout(() => {
        // What cannot be had now is asked for again with the next change.
        ask().catch(() => undefined)
      }, settleMs)
    }
    settle()
    const leave = feed.subscribe(settle)
    return () => {
      leave()
      clearTimeout(timer)
      ends.abort()
    }
  }, [workspace, image, feed, round])
  return plan
}

export interface RunningTry {
  /** The image that was tried on. */
  readonly of: number
  readonly recipe: Recipe
  readonly record: ImageRecord
}

export interface TryDesk {
  readonly current: RunningTry | undefined
  /** True from the press until the engine has taken it. */
  readonly isStarting: boolean
  readonly start: (plan: PlannedTry) => void
}

/** One try at a time, followed until its result is there. */
export function useTry(workspace: Workspace, image: number, feed: PreviewFeed): TryDesk {
  const [current, setCurrent] = useState<RunningTry>()
  const [isStarting, setStarting] = useState(false)
  const isBusy = useRef(false)
  const ends = useRef<AbortController>(undefined)
  useEffect(() => () => ends.current?.abort(), [image])

  const follow = async (tried: number, recipe: Recipe, signal: AbortSignal) => {
    for await (const record of workspace.api.preview.follow({ image: tried }, { signal })) {
      setCurrent({ of: image, recipe, record })
    }
  }
  const start = (plan: PlannedTry) => {
    // A second press before the first is drawn would be a second question; the plan itself is carried out once.
    if (isBusy.current) return
    isBusy.current = true
    setStarting(true)
    const { recipe } = feed
    ends.current?.abort()
    ends.current = new AbortController()
    const { signal } = ends.current
    const work = async () => {
      const made = await workspace.attempt(() => workspace.api.preview.try({ plan: plan.plan }))
      isBusy.current = false
      setStarting(false)
      if (made) await follow(made.image, recipe, signal)
    }
    // The line is gone, or another picture is looked at: the queue shows how it stands.
    work().catch(() => undefined)
  }
  return { current: current?.of === image ? current : undefined, isStarting, start }
}
