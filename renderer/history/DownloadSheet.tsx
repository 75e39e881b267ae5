import { useEffect, useRef, useState } from 'react'
import { Fault } from '../../shared/rpc/fault.ts'
import { bytes, plural } from '../app/format.ts'
import { PickFolder } from '../app/PickFolder.tsx'
import { useWorkspace } from '../app/workspace-context.ts'
import { Button } from '../ui/Button.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { TextField } from '../ui/TextField.tsx'
import { t } from '../../shared/language/text.ts'

interface Progress {
  readonly files: number
  readonly bytes: number
  readonly written: readonly string[]
  readonly problems: readonly string[]
  readonly done: boolean
}

/** Fetches results into a folder; what is written stays where it is when the sheet is closed or stopped. */
function useDownload(runIds: readonly string[]) {
  const { api } = useWorkspace()
  const [progress, setProgress] = useState<Progress>()
  const [trouble, setTrouble] = useState<string>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const start = async (outDir: string) => {
    const ends = new AbortController()
    running.current = ends
    setTrouble(undefined)
    setProgress({ files: 0, bytes: 0, written: [], problems: [], done: false })
    try {
      for await (const item of api.runs.download({ runIds: [...runIds], outDir }, { signal: ends.signal })) {
        setProgress(item)
      }
    } catch (error) {
      if (!ends.signal.aborted) {
        setTrouble(error instanceof Fault ? error.message : t`The results could not be fetched.`)
      }
    }
    setProgress((now) => now && { ...now, done: true })
  }
  return { progress, trouble, start, stop: () => running.current?.abort() }
}

function ProgressWords({ progress }: { readonly progress: Progress }) {
  const fetched = `${plural(progress.files, 'file')}, ${bytes(progress.bytes)}`
  return (
    <div className="col g6" aria-live="polite">
      <p>{progress.done ? fetched : t`Fetching. ${fetched}`}</p>
      {progress.written.length > 0 && (
        <ul className="found-list">
          {progress.written.slice(-6).map((path) => (
            <li key={path}>
              <bdi className="mono ell" title={path}>
                {path}
              </bdi>
            </li>
          ))}
        </ul>
      )}
      {progress.problems.map((problem) => (
        <p key={problem} className="t12 amb">
          {problem}
        </p>
      ))}
    </div>
  )
}

interface FolderProps {
  readonly outDir: string
  readonly onChange: (outDir: string) => void
}

function FolderField({ outDir, onChange }: FolderProps) {
  return (
    <TextField
      label={t`Folder`}
      autoFocus
      value={outDir}
      onChange={onChange}
      trailing={<PickFolder title={t`Download to`} current={outDir} onPick={onChange} />}
    />
  )
}

export interface DownloadSheetProps {
  readonly runIds: readonly string[]
  readonly onClose: () => void
}

/** Results of runs into a folder of one's choice. Fetching again costs nothing. */
export function DownloadSheet({ runIds, onClose }: DownloadSheetProps) {
  const workspace = useWorkspace()
  const [outDir, setOutDir] = useState(workspace.mirrors.preferences.getState().value?.outDir ?? '')
  const { progress, trouble, start, stop } = useDownload(runIds)
  const isRunning = progress !== undefined && !progress.done
  return (
    <Sheet
      title={t`Download ${plural(runIds.length, 'run')} again`}
      subtitle={t`Fetching results again costs nothing.`}
      isOpen
      width={480}
      onClose={onClose}
      footer={
        <>
          <span className="sp" />
          {isRunning ? (
            <Button onPress={stop}>{t`Stop`}</Button>
          ) : (
            <Button variant="ghost" onPress={onClose}>
              {progress ? t`Close` : t`Cancel`}
            </Button>
          )}
          {!progress && (
            <Button
              variant="primary"
              size="l"
              isDisabled={outDir.trim() === ''}
              onPress={() => void start(outDir.trim())}
            >
              {t`Download`}
            </Button>
          )}
        </>
      }
    >
      {progress ? (
        <ProgressWords progress={progress} />
      ) : (
        <FolderField outDir={outDir} onChange={setOutDir} />
      )}
      {trouble !== undefined && <p className="red t12">{trouble}</p>}
    </Sheet>
  )
}
