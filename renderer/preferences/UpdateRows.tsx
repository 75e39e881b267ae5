import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { UpdateRecord, updateActs } from '../../shared/contract/update-records.ts'
import { dayTime } from '../app/format.ts'
import { useWorkspace } from '../app/workspace-context.ts'
import { Button } from '../ui/Button.tsx'
import { Segmented } from '../ui/Segmented.tsx'
import { Row } from './rows.tsx'
import { t } from '../../shared/language/text.ts'

type Act = (typeof updateActs)[number]

function useUpdate(): UpdateRecord | undefined {
  const workspace = useWorkspace()
  const [update, setUpdate] = useState<UpdateRecord>()
  useEffect(() => {
    const ends = new AbortController()
    workspace.line.follow((api, options) => api.shell.updates({}, options), setUpdate, ends.signal)
    return () => ends.abort()
  }, [workspace])
  return update
}

function wordsOf(update: UpdateRecord): string {
  switch (update.kind) {
    case 'no-feed':
      return update.byPackageManager
        ? t`This program came as a package of your system, which sees to its updates.`
        : t`This program was built without a feed of updates, so none is ever asked for.`
    case 'current':
      return update.checked === null
        ? t`Not looked for yet.`
        : t`This is the newest version, as of ${dayTime(update.checked)}.`
    case 'checking':
      return t`Looking for updates …`
    case 'available':
      return t`Vitrine ${update.version} is there. It is fetched when nothing is running.`
    case 'downloading':
      return t`Vitrine ${update.version} is being fetched: ${update.percent} %`
    case 'ready':
      return t`Vitrine ${update.version} is installed when the program ends.`
    case 'failed':
      return update.sentence
  }
}

/** What can be done now. */
function actOf(update: UpdateRecord): readonly [Act, string] | undefined {
  switch (update.kind) {
    case 'current':
    case 'failed':
      return ['check', t`Look now`]
    case 'available':
      return ['download', t`Fetch now`]
    case 'ready':
      return ['install', t`Quit and install`]
    case 'no-feed':
    case 'checking':
    case 'downloading':
      return undefined
  }
}

/** Updates of the installed program: how they stand, what is new in them, and which ones are wanted. */
export function UpdateRows() {
  const workspace = useWorkspace()
  const update = useUpdate()
  const preferences = useStore(workspace.mirrors.preferences, ({ value }) => value)
  if (!update) return undefined
  const act = actOf(update)
  const notes = 'notes' in update ? update.notes : ''
  return (
    <>
      <Row title={t`Updates`} note={<span role="status">{wordsOf(update)}</span>}>
        {act && (
          <Button onPress={() => void workspace.attempt(() => workspace.api.shell.update({ act: act[0] }))}>
            {act[1]}
          </Button>
        )}
      </Row>
      {notes !== '' && (
        <section aria-label={t`What is new`}>
          <h3 className="m">{t`What is new`}</h3>
          {/* Whoever publishes writes them; they are never anything but text. */}
          <p className="release-notes f2 select-text">{notes}</p>
        </section>
      )}
      {preferences && update.kind !== 'no-feed' && (
        <Row title={t`Versions`} note={t`Beta versions come earlier and may have faults.`}>
          <Segmented
            label={t`Versions`}
            size="l"
            value={preferences.updateChannel}
            onChange={(updateChannel) =>
              void workspace.attempt(() => workspace.api.preferences.change({ updateChannel }))
            }
            options={[
              { value: 'stable', label: t`Stable` },
              { value: 'beta', label: t`Beta` },
            ]}
          />
        </Row>
      )}
    </>
  )
}
