import { useState } from 'react'
import type { BatchRecord } from '../../shared/contract/records.ts'
import { plural } from '../app/format.ts'
import { PickFolder } from '../app/PickFolder.tsx'
import type { Workspace } from '../app/workspace.ts'
import { useBatch, useWorkspace } from '../app/workspace-context.ts'
import { Button } from '../ui/Button.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { TextField } from '../ui/TextField.tsx'
import { t } from '../../shared/language/text.ts'

export type BatchSheetKind = 'rename-batch' | 'budget' | 'out-dir' | 'remove-batch'

interface AskProps {
  readonly batch: BatchRecord
}

interface OneFieldProps {
  readonly title: string
  readonly action: string
  readonly label: string
  readonly note?: string
  readonly initial: string
  readonly canPickFolder?: boolean
  /** Why a value cannot be taken; undefined where it can. */
  readonly problem: (value: string) => string | undefined
  readonly onTake: (value: string) => Promise<unknown>
}

/** A sheet with one field and one button. */
function OneField(props: OneFieldProps) {
  const workspace = useWorkspace()
  const [value, setValue] = useState(props.initial)
  const [isTried, setTried] = useState(false)
  const problem = props.problem(value.trim())
  const take = async () => {
    setTried(true)
    if (problem !== undefined) return
    const done = await workspace.attempt(async () => {
      await props.onTake(value.trim())
      return true
    })
    if (done) workspace.closeOverlay()
  }
  return (
    <Sheet
      title={props.title}
      isOpen
      isDismissable
      width={440}
      onClose={() => workspace.closeOverlay()}
      footer={
        <>
          <span className="sp" />
          <Button variant="ghost" onPress={() => workspace.closeOverlay()}>
            {t`Cancel`}
          </Button>
          <Button variant="primary" size="l" onPress={() => void take()}>
            {props.action}
          </Button>
        </>
      }
    >
      <TextField
        label={props.label}
        value={value}
        onChange={setValue}
        onEnter={() => void take()}
        autoFocus
        error={isTried ? problem : undefined}
        {...(props.note === undefined ? {} : { note: props.note })}
        trailing={
          props.canPickFolder ? (
            <PickFolder title={props.title} current={value} onPick={setValue} />
          ) : undefined
        }
      />
    </Sheet>
  )
}

function RemoveBatch({ batch }: AskProps) {
  const workspace = useWorkspace()
  const remove = async () => {
    workspace.closeOverlay()
    await workspace.attempt(() => workspace.api.batches.remove({ batch: batch.id }))
  }
  const unsent = batch.counts.waiting + batch.counts.held
  return (
    <Sheet
      title={t`Remove this batch from the list?`}
      isOpen
      isDismissable
      width={440}
      onClose={() => workspace.closeOverlay()}
      footer={
        <>
          <span className="sp" />
          <Button autoFocus variant="ghost" onPress={() => workspace.closeOverlay()}>
            {t`Keep`}
          </Button>
          <Button size="l" tone="red" onPress={() => void remove()}>
            {t`Remove`}
          </Button>
        </>
      }
    >
      <p>
        {t`Its files and its manifest stay in the output folder.`}
        {unsent > 0 &&
          ` ${plural(unsent, 'image that still waits is not sent.', 'images that still wait are not sent.')}`}
      </p>
    </Sheet>
  )
}

function budgetProblem(value: string): string | undefined {
  if (value === '') return undefined
  const credits = Number(value)
  return Number.isSafeInteger(credits) && credits >= 0
    ? undefined
    : t`Type a whole number of credits, or nothing.`
}

function nameProblem(value: string): string | undefined {
  if (value === '') return t`Type a name.`
  return value.length > 120 ? t`A name has up to 120 characters.` : undefined
}

function sheetOf(
  kind: Exclude<BatchSheetKind, 'remove-batch'>,
  batch: BatchRecord,
  { api }: Workspace,
): OneFieldProps {
  switch (kind) {
    case 'rename-batch':
      return {
        title: t`Rename batch`,
        action: t`Rename`,
        label: t`Name`,
        initial: batch.name,
        problem: nameProblem,
        onTake: (name) => api.batches.rename({ batch: batch.id, name }),
      }
    case 'budget':
      return {
        title: t`Budget`,
        action: t`Set budget`,
        label: t`Credits`,
        note: t`Sending stops before more than this is charged. Leave it empty for none.`,
        initial: batch.budget === null ? '' : String(batch.budget),
        problem: budgetProblem,
        onTake: (value) =>
          api.batches.setBudget({ batch: batch.id, budget: value === '' ? null : Number(value) }),
      }
    case 'out-dir':
      return {
        title: t`Output folder`,
        action: t`Use this folder`,
        label: t`Folder`,
        note: t`What is finished already stays where it is.`,
        initial: batch.outDir,
        canPickFolder: true,
        problem: (value) => (value === '' ? t`Type a folder.` : undefined),
        onTake: (outDir) => api.batches.setOutDir({ batch: batch.id, outDir }),
      }
  }
}

/** The small sheets about one batch: name, budget, output folder, removal. */
export function BatchSheets({ kind, batch: id }: { readonly kind: BatchSheetKind; readonly batch: string }) {
  const workspace = useWorkspace()
  const batch = useBatch(id)
  if (!batch) return null
  if (kind === 'remove-batch') return <RemoveBatch batch={batch} />
  return <OneField key={kind} {...sheetOf(kind, batch, workspace)} />
}
