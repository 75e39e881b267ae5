import { useEffect, useState } from 'react'
import type { z } from 'zod'
import type { engineContract } from '../../shared/contract/engine-contract.ts'
import { Fault } from '../../shared/rpc/fault.ts'
import { useWorkspace } from '../app/workspace-context.ts'
import { t } from '../../shared/language/text.ts'

/** The evidence about one image. */
export type Evidence = z.output<(typeof engineContract)['review']['candidates']['output']>

/** More images than anybody decides about at a time. */
const most = 10_000

export interface Questions {
  /** Images of a batch that wait for a decision, in queue order. */
  readonly ids: readonly number[]
  /** Which of them is shown. */
  readonly at: number
}

/** The images to decide about, beginning with the one that was asked for; undefined until they are known. */
export function useQuestions(batch: string, first: number | undefined) {
  const workspace = useWorkspace()
  const [questions, setQuestions] = useState<Questions>()
  useEffect(() => {
    let isWanted = true
    const ask = async () => {
      const query = { batch, states: ['review' as const] }
      const answer = await workspace.attempt(() => workspace.api.images.ids({ query, from: 0, to: most }))
      const ids = answer?.ids ?? []
      if (isWanted) setQuestions({ ids, at: first === undefined ? 0 : Math.max(0, ids.indexOf(first)) })
    }
    void ask()
    return () => {
      isWanted = false
    }
  }, [workspace, batch, first])
  return { questions, setQuestions }
}

/** The runs that may be an image's lost submission, asked for again on demand. */
export function useEvidence(image: number) {
  const { api } = useWorkspace()
  const [evidence, setEvidence] = useState<Evidence>()
  const [trouble, setTrouble] = useState<string>()
  const [asked, setAsked] = useState(0)
  useEffect(() => {
    const ends = new AbortController()
    const ask = async () => {
      try {
        setEvidence(await api.review.candidates({ image }, { signal: ends.signal }))
        setTrouble(undefined)
      } catch (error) {
        if (ends.signal.aborted) return
        setTrouble(error instanceof Fault ? error.message : t`The runs could not be asked for. Look again.`)
      }
    }
    void ask()
    return () => ends.abort()
  }, [api, image, asked])
  return { evidence, trouble, lookAgain: () => setAsked((count) => count + 1) }
}
