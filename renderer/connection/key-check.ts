import { useEffect, useRef, useState } from 'react'
import type { BalanceRecord } from '../../shared/contract/records.ts'
import { Fault } from '../../shared/rpc/fault.ts'
import { day, plural } from '../app/format.ts'
import type { ProgramClient } from '../app/line.ts'
import { useWorkspace } from '../app/workspace-context.ts'
import { t } from '../../shared/language/text.ts'

/** What a person has typed, and how it was answered. */
export interface KeyEntry {
  readonly baseUrl: string
  readonly key: string
}

export type KeyState =
  | { readonly kind: 'untried' | 'checking' }
  | { readonly kind: 'accepted'; readonly baseUrl: string; readonly balance: BalanceRecord }
  | { readonly kind: 'refused'; readonly field: 'baseUrl' | 'key' | 'service'; readonly message: string }

/** The answer of a check as the form shows it. */
export function answered(answer: Awaited<ReturnType<ProgramClient['connections']['check']>>): KeyState {
  return answer.ok
    ? { kind: 'accepted', baseUrl: answer.baseUrl, balance: answer.balance }
    : { kind: 'refused', field: answer.field, message: answer.message }
}

export function failed(error: unknown): KeyState {
  const message = error instanceof Fault ? error.message : t`The key could not be checked. Try again.`
  return { kind: 'refused', field: 'service', message }
}

/**
 * Checks an address and a key by asking for the balance; an answer to what was typed before is dropped. Where a key is
 * kept is asked meanwhile, so that the form takes its final shape at once: a line that came later would move the button
 * under the pointer that presses it.
 */
export function useKeyCheck() {
  const { api } = useWorkspace()
  const [protection, setProtection] = useState<Protection>()
  const [state, setState] = useState<KeyState>({ kind: 'untried' })
  const asked = useRef<AbortController>(undefined)
  useEffect(() => () => asked.current?.abort(), [])
  const reset = () => {
    asked.current?.abort()
    setState({ kind: 'untried' })
  }
  const check = async (entry: KeyEntry): Promise<KeyState> => {
    asked.current?.abort()
    const ends = new AbortController()
    asked.current = ends
    setState({ kind: 'checking' })
    const [next, kept] = await Promise.all([
      api.connections.check(entry, { signal: ends.signal }).then(answered, failed),
      api.connections.protection({}, { signal: ends.signal }).catch(() => undefined),
    ])
    if (ends.signal.aborted) return next
    setProtection(kept)
    setState(next)
    return next
  }
  return { state, setState, protection, check, reset }
}

export interface Protection {
  readonly available: boolean
  readonly sentence: string | null
  readonly choice: boolean
}

/** Whether keys are protected by the system here; undefined until the engine has said so. */
export function useProtection(): Protection | undefined {
  const { api } = useWorkspace()
  const [protection, setProtection] = useState<Protection>()
  useEffect(() => {
    const ends = new AbortController()
    api.connections.protection({}, { signal: ends.signal }).then(setProtection, () => undefined)
    return () => ends.abort()
  }, [api])
  return protection
}

/** "1,284 credits · Pro · credits don’t expire". */
export function balanceWords(balance: BalanceRecord): string {
  return [
    plural(balance.total, 'credit'),
    balance.tier,
    balance.expires === null ? t`credits don’t expire` : t`until ${day(balance.expires)}`,
  ]
    .filter((part) => part !== null)
    .join(' · ')
}

/** A name for a connection, from its address. */
export function nameFor(baseUrl: string): string {
  try {
    return new URL(baseUrl).host
  } catch {
    return t`Account`
  }
}
