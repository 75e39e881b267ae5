import { useStore } from 'zustand'
import type { ImageQuery } from '../../shared/contract/records.ts'
import { sieveOf } from '../app/view.ts'
import { useWorkspace } from '../app/workspace-context.ts'
import { Select } from '../ui/Select.tsx'
import { t } from '../../shared/language/text.ts'

type Marks = NonNullable<ImageQuery['marks']>

const choices: readonly { id: string; label: string; marks: Marks }[] = [
  { id: 'all', label: t`All images`, marks: [] },
  { id: 'open', label: t`Not reviewed`, marks: ['none'] },
  { id: 'kept', label: t`Kept`, marks: ['keep-1', 'keep-2'] },
  { id: 'kept-1', label: t`Kept first output`, marks: ['keep-1'] },
  { id: 'kept-2', label: t`Kept second output`, marks: ['keep-2'] },
  { id: 'rejected', label: t`Rejected`, marks: ['reject'] },
]

/** Which images the strip goes through, by their mark. */
export function MarkFilter() {
  const workspace = useWorkspace()
  const marks = useStore(workspace.view, (view) =>
    view.screen.kind === 'batch' ? sieveOf(view, view.screen.batch).marks.join() : '',
  )
  const chosen = choices.find((choice) => choice.marks.join() === marks) ?? choices[0]!
  return (
    <Select
      label={t`Show by mark`}
      hideLabel
      options={choices}
      value={chosen.id}
      onChange={(id) => workspace.sieve({ marks: choices.find((choice) => choice.id === id)?.marks ?? [] })}
    />
  )
}
