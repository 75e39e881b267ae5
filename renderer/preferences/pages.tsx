import type { PreferencesRecord } from '../../shared/contract/preference-records.ts'
import { figure } from '../app/format.ts'
import { PickFolder } from '../app/PickFolder.tsx'
import { useWorkspace } from '../app/workspace-context.ts'
import { nameParts } from '../intake/OutputColumn.tsx'
import { MetadataRow } from './MetadataRow.tsx'
import { Button } from '../ui/Button.tsx'
import { Segmented } from '../ui/Segmented.tsx'
import { CommittedField, Row, SwitchRow } from './rows.tsx'
import { t } from '../../shared/language/text.ts'

interface PageProps {
  readonly preferences: PreferencesRecord
}

function useChange() {
  const workspace = useWorkspace()
  return (patch: Partial<PreferencesRecord>) =>
    void workspace.attempt(() => workspace.api.preferences.change(patch))
}

/** The language of everything that a person reads; the languages' own names are never translated. */
function LanguageRow({ preferences }: PageProps) {
  const change = useChange()
  return (
    <Row title={t`Language`} note={t`The window is loaded anew.`}>
      <Segmented
        label={t`Language`}
        size="l"
        value={preferences.language}
        onChange={(language) => change({ language })}
        options={[
          { value: 'system', label: t`System` },
          { value: 'en', label: 'English' },
          { value: 'de', label: 'Deutsch' },
        ]}
      />
    </Row>
  )
}

/** Theme, language, surround, notifications, thumbnails. */
export function GeneralPage({ preferences }: PageProps) {
  const change = useChange()
  return (
    <>
      <Row title={t`Theme`}>
        <Segmented
          label={t`Theme`}
          size="l"
          value={preferences.theme}
          onChange={(theme) => change({ theme })}
          options={[
            { value: 'dark', label: t`Dark` },
            { value: 'light', label: t`Light` },
            { value: 'system', label: t`System` },
          ]}
        />
      </Row>
      <LanguageRow preferences={preferences} />
      <Row title={t`Surround of large pictures`} note={t`Only the canvas changes, never the panels.`}>
        <Segmented
          label={t`Surround`}
          size="l"
          value={preferences.surround}
          onChange={(surround) => change({ surround })}
          options={[
            { value: 'black', label: t`Black` },
            { value: 'dark', label: t`Dark` },
            { value: 'grey', label: t`Mid grey` },
            { value: 'white', label: t`White` },
          ]}
        />
      </Row>
      <SwitchRow
        title={t`Thumbnails of sources`}
        note={t`Fetched only for the pictures in view, and kept within a bound on this computer.`}
        value={preferences.thumbnails}
        onChange={(thumbnails) => change({ thumbnails })}
      />
      <SwitchRow
        title={t`Notify when a batch is finished`}
        note={t`Only while the window is not in front.`}
        value={preferences.notifyFinished}
        onChange={(notifyFinished) => change({ notifyFinished })}
      />
      <SwitchRow
        title={t`Notify when the queue stops`}
        note={t`Out of credits, a rejected key, an output folder that is gone.`}
        value={preferences.notifyStopped}
        onChange={(notifyStopped) => change({ notifyStopped })}
      />
      <SwitchRow
        title={t`Keep zoom and position in Compare`}
        note={t`When the picture changes, the same place stays in view.`}
        value={preferences.keepZoom}
        onChange={(keepZoom) => change({ keepZoom })}
      />
    </>
  )
}

/** Where outputs go and how they are called. */
export function OutputPage({ preferences }: PageProps) {
  const change = useChange()
  return (
    <>
      <CommittedField
        label={t`Output folder`}
        value={preferences.outDir}
        note={t`Each new batch gets a folder of its own in it.`}
        problem={(value) => (value === '' ? t`Type a folder.` : undefined)}
        onCommit={(outDir) => change({ outDir })}
        trailing={
          <PickFolder
            title={t`Output folder`}
            current={preferences.outDir}
            onPick={(outDir) => change({ outDir })}
          />
        }
      />
      <CommittedField
        label={t`File names`}
        mono
        value={preferences.nameTemplate}
        note={t`Parts: ${nameParts.map(([part]) => part).join(' ')}`}
        problem={(value) => (value === '' ? t`Type a pattern.` : undefined)}
        onCommit={(nameTemplate) => change({ nameTemplate })}
      />
      <Row title={t`If a file is already there`} note={t`A file of that name which is not this result.`}>
        <Segmented
          label={t`If a file is already there`}
          size="l"
          value={preferences.onConflict}
          onChange={(onConflict) => change({ onConflict })}
          options={[
            { value: 'rename', label: t`Add “-2”` },
            { value: 'skip', label: t`Skip` },
            { value: 'overwrite', label: t`Replace` },
          ]}
        />
      </Row>
      <MetadataRow value={preferences.metadata} onChange={(metadata) => change({ metadata })} />
    </>
  )
}

/** @param say the sentence for what is no whole number between the two */
function wholeProblem(least: number, most: number, say: (least: string, most: string) => string) {
  return (value: string) => {
    if (value === '') return undefined
    const number = Number(value)
    return Number.isInteger(number) && number >= least && number <= most
      ? undefined
      : say(figure(least), figure(most))
  }
}

const runsProblem = wholeProblem(
  1,
  1000,
  (least, most) => t`Type a whole number from ${least} to ${most} runs.`,
)
const secondsProblem = wholeProblem(
  30,
  3600,
  (least, most) => t`Type a whole number from ${least} to ${most} seconds.`,
)
const portProblem = wholeProblem(
  1,
  65_535,
  (least, most) => t`Type a whole number from ${least} to ${most} for the port.`,
)

function addressProblem(value: string): string | undefined {
  if (value === '') return undefined
  return /^https?:\/\/\S+$/i.test(value) ? undefined : t`An address begins with https://.`
}

/** How the queue works. */
export function QueuePage({ preferences }: PageProps) {
  const change = useChange()
  return (
    <>
      <CommittedField
        label={t`In flight`}
        value={preferences.inFlight === null ? '' : String(preferences.inFlight)}
        placeholder={t`Found by itself`}
        note={t`At most this many runs at the service at a time. Empty: as many as keep the service busy.`}
        problem={runsProblem}
        onCommit={(value) => change({ inFlight: value === '' ? null : Number(value) })}
      />
      <SwitchRow
        title={t`Fewer requests`}
        note={t`Asks the service less often; results are noticed a little later.`}
        value={preferences.frugal}
        onChange={(frugal) => change({ frugal })}
      />
      <CommittedField
        label={t`Waiting time for an open question`}
        value={String(preferences.settleSeconds)}
        note={t`Seconds that a submission without an answer must stay absent from the service’s list before it may be sent again.`}
        problem={(value) => (value === '' ? t`Type a number of seconds.` : secondsProblem(value))}
        onCommit={(value) => change({ settleSeconds: Number(value) })}
      />
      <CommittedField
        label={t`Webhook address`}
        value={preferences.webhookUrl ?? ''}
        placeholder={t`None: an address that reaches nobody is sent`}
        note={t`The public address of a tunnel to this computer, if you have one. Its calls are hints only.`}
        problem={addressProblem}
        onCommit={(value) => change({ webhookUrl: value === '' ? null : value })}
      />
      <CommittedField
        label={t`Port of the tunnel on this computer`}
        value={preferences.webhookPort === null ? '' : String(preferences.webhookPort)}
        placeholder={t`None: nobody listens, and results are found by asking`}
        note={t`Where the tunnel ends. While it brings news of every result, the service is asked less often.`}
        problem={portProblem}
        onCommit={(value) => change({ webhookPort: value === '' ? null : Number(value) })}
      />
    </>
  )
}

/** Shortcuts. */
export function KeysPage({ preferences }: PageProps) {
  const workspace = useWorkspace()
  const change = useChange()
  return (
    <>
      <SwitchRow
        title={t`Single letters as shortcuts`}
        note={t`1, 2, X, U, G and the like. They never act while you type in a field.`}
        value={preferences.letterKeys}
        onChange={(letterKeys) => change({ letterKeys })}
      />
      <Row title={t`All shortcuts`}>
        <Button onPress={() => workspace.open({ kind: 'keys' })}>{t`Show`}</Button>
      </Row>
    </>
  )
}
