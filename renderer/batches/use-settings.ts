import { useEffect, useMemo, useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { z } from 'zod'
import type { engineContract } from '../../shared/contract/engine-contract.ts'
import type { BatchRecord, Target } from '../../shared/contract/records.ts'
import { settingRules, type SettingKey, type SettingValue } from '../../shared/settings.ts'
import type { Workspace } from '../app/workspace.ts'
import { useWorkspace } from '../app/workspace-context.ts'
import { changedRecipe, type RecipeChange, type SharedRecipe } from '../settings/recipe.ts'

export type SettingsAnswer = z.output<(typeof engineContract)['images']['settings']['output']>

/** Milliseconds of quiet before settings are asked for, or a dragged slider's value is kept. */
const settleMs = 120

/** What the inspector edits: the selection, or the whole batch where nothing is selected. */
export function useTarget(batch: BatchRecord): Target {
  const { selection } = useWorkspace()
  const { all, ids } = useStore(selection.state)
  return useMemo<Target>(
    () => (all || ids.size === 0 ? { query: { batch: batch.id, states: [] } } : { ids: [...ids] }),
    [all, ids, batch.id],
  )
}

/** The engine's answer as the form wants it. Where it does not name the values of a mixed key, its range stands for them. */
export function sharedOf(answer: SettingsAnswer): SharedRecipe {
  const mixed = new Map<SettingKey, readonly (SettingValue | undefined)[]>()
  for (const rule of settingRules) {
    if (!answer.mixed.includes(rule.key)) continue
    const named = answer.values?.[rule.key]?.map((value) => value ?? undefined)
    const range = answer.ranges[rule.key]
    mixed.set(rule.key, named ?? (range ? [range.min, range.max] : [undefined]))
  }
  const apps = answer.mixed.includes('appId')
    ? (answer.values?.['appId'] ?? [answer.recipe.appId, '']).map(String)
    : [answer.recipe.appId]
  return { recipe: answer.recipe, mixed, apps }
}

/** The form after a change, before the engine has kept it. */
export function changedShared(shared: SharedRecipe, change: RecipeChange): SharedRecipe {
  const touched = [...Object.keys(change.set ?? {}), ...(change.unset ?? [])]
  return {
    recipe: changedRecipe(shared.recipe, change),
    mixed: new Map([...shared.mixed].filter(([key]) => !touched.includes(key))),
    apps: change.appId === undefined ? shared.apps : [change.appId],
  }
}

function merged(first: RecipeChange, next: RecipeChange): RecipeChange {
  const unset = [...(first.unset ?? []).filter((key) => next.set?.[key] === undefined), ...(next.unset ?? [])]
  const set = Object.fromEntries(
    Object.entries({ ...first.set, ...next.set }).filter(([key]) => !next.unset?.includes(key as SettingKey)),
  )
  const appId = next.appId ?? first.appId
  return {
    ...(appId === undefined ? {} : { appId }),
    set,
    unset,
    parameters: { ...first.parameters, ...next.parameters },
  }
}

export interface TargetSettings {
  readonly answer: SettingsAnswer | undefined
  readonly shared: SharedRecipe | undefined
  readonly change: (change: RecipeChange) => void
  /** Asks again, after something else changed them. */
  readonly reload: () => void
}

function send(workspace: Workspace, target: Target, change: RecipeChange) {
  const unset = Object.fromEntries((change.unset ?? []).map((key) => [key, null]))
  return workspace.attempt(() =>
    workspace.api.images.edit({
      target,
      set: { ...change.set, ...unset },
      ...(change.appId === undefined ? {} : { appId: change.appId }),
      ...(change.parameters === undefined ? {} : { parameters: change.parameters }),
    }),
  )
}

/** Settings of a target. A change shows at once, and is kept as soon as the hand rests. */
export function useSettings(target: Target, reloadOn: unknown): TargetSettings {
  const workspace = useWorkspace()
  const [answer, setAnswer] = useState<SettingsAnswer>()
  const [shared, setShared] = useState<SharedRecipe>()
  const [asked, setAsked] = useState(0)
  const pending = useRef<{ change: RecipeChange; timer: ReturnType<typeof setTimeout> }>(undefined)

  useEffect(() => {
    const ends = new AbortController()
    const ask = async () => {
      const next = await workspace.api.images.settings(target, { signal: ends.signal })
      setAnswer(next)
      // What a hand is changing right now is newer than what the engine says.
      if (!pending.current) setShared(sharedOf(next))
    }
    const timer = setTimeout(() => {
      // What cannot be had now is asked for again with the next change.
      ask().catch(() => undefined)
    }, settleMs)
    return () => {
      clearTimeout(timer)
      ends.abort()
    }
  }, [workspace, target, asked, reloadOn])

  const change = (next: RecipeChange) => {
    setShared((now) => now && changedShared(now, next))
    const before = pending.current
    if (before) clearTimeout(before.timer)
    const whole = before ? merged(before.change, next) : next
    const timer = setTimeout(() => {
      pending.current = undefined
      void send(workspace, target, whole).then(() => setAsked((count) => count + 1))
    }, settleMs)
    pending.current = { change: whole, timer }
  }
  return { answer, shared, change, reload: () => setAsked((count) => count + 1) }
}
