import { CloudUpload, Copy, Folder, FolderOpen, ImageOff, Info, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { Button as AriaButton } from 'react-aria-components'
import type { FoundRecord, ProblemRecord } from '../../shared/contract/intake-records.ts'
import { figure, plural } from '../app/format.ts'
import { useWorkspace } from '../app/workspace-context.ts'
import { Button } from '../ui/Button.tsx'
import { Checkbox } from '../ui/Checkbox.tsx'
import type { Choice } from './first-choice.ts'
import { ownPictureWords, problemTitle, someOf } from './found-words.ts'
import { said } from '../../shared/language/said.ts'
import { t } from '../../shared/language/text.ts'

export interface ColumnProps {
  readonly found: FoundRecord
  readonly choice: Choice
  readonly onChoose: (change: Partial<Choice>) => void
}

/** Rows that are shown at once; the rest is counted. */
const shownFolders = 100

function ticked(found: FoundRecord, choice: Choice): number {
  const without = new Set(choice.without)
  return found.folders.reduce((sum, { folder, images }) => (without.has(folder) ? sum : sum + images), 0)
}

function Folders({ found, choice, onChoose }: ColumnProps) {
  const [isAll, setAll] = useState(false)
  const without = new Set(choice.without)
  const put = (folder: string, isOn: boolean) => {
    if (isOn) without.delete(folder)
    else without.add(folder)
    onChoose({ without: [...without] })
  }
  const shown = isAll ? found.folders : found.folders.slice(0, 9)
  const rest = found.folders.slice(shown.length)
  const isTop = (folder: string) => folder === ''
  return (
    <div className="found-box" role="group" aria-label={t`Folders`}>
      {found.folders.length > 1 && (
        <div className="found-row top">
          <Checkbox
            isSelected={without.size === 0}
            isIndeterminate={without.size > 0 && without.size < found.folders.length}
            onChange={(isOn) => onChoose({ without: isOn ? [] : found.folders.map(({ folder }) => folder) })}
          >
            <FolderOpen size={14} aria-hidden="true" />
            <b>{t`Everything`}</b>
          </Checkbox>
          <span className="sp" />
          <span className="f2">{figure(found.images)}</span>
        </div>
      )}
      {shown.slice(0, shownFolders).map(({ folder, images }) => (
        <div key={folder} className="found-row">
          <Checkbox isSelected={!without.has(folder)} onChange={(isOn) => put(folder, isOn)}>
            <Folder size={14} aria-hidden="true" />
            <bdi className="ell" title={folder}>
              {isTop(folder) ? t`Not in a folder` : folder.split('/').join(' / ')}
            </bdi>
          </Checkbox>
          <span className="sp" />
          <span className="f3">{figure(images)}</span>
        </div>
      ))}
      {rest.length > 0 && (
        <div className="found-row">
          <AriaButton className="link f3" onPress={() => setAll(true)}>
            {t`and ${plural(rest.length, 'more folder', 'more folders')}`}
          </AriaButton>
          <span className="sp" />
          <span className="f3">{figure(rest.reduce((sum, { images }) => sum + images, 0))}</span>
        </div>
      )}
    </div>
  )
}

function Duplicates({ found, choice, onChoose }: ColumnProps) {
  const [isShown, setShown] = useState(false)
  if (found.duplicateCount === 0) return null
  const names = found.duplicates.map(({ url }) => url.split('/').at(-1) ?? url)
  return (
    <section className="found-note" aria-label={t`Duplicates`}>
      <div className="row g8">
        <Copy size={14} className="f2" aria-hidden="true" />
        <span className="m">
          {choice.includeDuplicates
            ? plural(found.duplicateCount, 'duplicate included', 'duplicates included')
            : plural(found.duplicateCount, 'duplicate skipped', 'duplicates skipped')}
        </span>
        <span className="sp" />
        <AriaButton className="link t12" aria-expanded={isShown} onPress={() => setShown(!isShown)}>
          {isShown ? t`Hide` : t`Show`}
        </AriaButton>
        <AriaButton
          className="link t12"
          onPress={() => onChoose({ includeDuplicates: !choice.includeDuplicates })}
        >
          {choice.includeDuplicates ? t`Skip them` : t`Include anyway`}
        </AriaButton>
      </div>
      {isShown ? (
        <ul className="found-list">
          {found.duplicates.map(({ url, first }, index) => (
            <li key={`${url} ${index}`}>
              <bdi className="mono ell" title={url}>
                {url}
              </bdi>
              <bdi className="f3 ell" title={first}>{t`same as ${first}`}</bdi>
            </li>
          ))}
          {found.duplicateCount > found.duplicates.length && (
            <li className="f3">{t`and ${figure(found.duplicateCount - found.duplicates.length)} more`}</li>
          )}
        </ul>
      ) : (
        <p className="t12 f3 indent ell">
          <bdi>{someOf(names, found.duplicateCount)}</bdi>
        </p>
      )}
    </section>
  )
}

interface ProblemProps {
  readonly problem: ProblemRecord
  readonly isRepaired: boolean
  readonly onRepair: (isOn: boolean) => void
}

function Problem({ problem, isRepaired, onRepair }: ProblemProps) {
  return (
    <li>
      <span className="line-no">
        {problem.line !== null && <span className="hidden-text">{t`Line`} </span>}
        {problem.line ?? ''}
      </span>
      <span className="grow">
        {problem.text !== null && (
          <bdi className="mono ell" title={problem.text}>
            {problem.text}
          </bdi>
        )}
        <span className="t12 amb">{problem.reason}</span>
        <bdi className="t11 f3 ell" title={problem.file}>
          {problem.file}
        </bdi>
      </span>
      {problem.repair === null ? (
        <span className="t12 f3">{t`Skipped`}</span>
      ) : (
        <Button size="s" variant={isRepaired ? 'line' : 'default'} onPress={() => onRepair(!isRepaired)}>
          {isRepaired ? t`Repaired, undo` : said(problem.repair)}
        </Button>
      )}
    </li>
  )
}

function Problems({ found, choice, onChoose }: ColumnProps) {
  if (found.problemCount === 0) return null
  const repairs = new Set(choice.repairs)
  return (
    <section className="found-note" aria-label={t`Problems`}>
      <div className="row g8">
        <TriangleAlert size={14} className="amb" aria-hidden="true" />
        <span className="m">{problemTitle(found)}</span>
      </div>
      <ul className="found-problems">
        {found.problems.map((problem) => (
          <Problem
            key={problem.index}
            problem={problem}
            isRepaired={repairs.has(problem.index)}
            onRepair={(isOn) => {
              if (isOn) repairs.add(problem.index)
              else repairs.delete(problem.index)
              onChoose({ repairs: [...repairs] })
            }}
          />
        ))}
        {found.problemCount > found.problems.length && (
          <li className="f3">{t`and ${figure(found.problemCount - found.problems.length)} more`}</li>
        )}
      </ul>
    </section>
  )
}

/** Of what was found, the pictures of this computer, and how they reach the service. */
function OwnPictures({ found }: Pick<ColumnProps, 'found'>) {
  const words = ownPictureWords(found)
  if (!words) return null
  return (
    <section className="found-note" aria-label={t`Own files`}>
      <div className="row g8">
        <CloudUpload size={14} className="f2" aria-hidden="true" />
        <span className="m">{words.title}</span>
      </div>
      <p className="t12 f2 indent">{words.text}</p>
    </section>
  )
}

/** From here to where own files are set up; what was dropped is dropped once more then. */
function SetUpLink() {
  const workspace = useWorkspace()
  return (
    <AriaButton
      className="link t12 indent"
      onPress={() => {
        workspace.intake.getState().current?.discard()
        workspace.closeOverlay()
        workspace.go({ kind: 'preferences', page: 'files' })
      }}
    >
      {t`Set up own files`}
    </AriaButton>
  )
}

/** What was found: folders to tick, duplicates, lines that could not be read, pictures of this computer. */
export function FoundColumn(props: ColumnProps) {
  const { found, choice } = props
  return (
    <div className="found">
      <div className="row">
        <h3>{t`What was found`}</h3>
        <span className="sp" />
        {found.folders.length > 0 && (
          <span className="t12 f3">{t`${figure(ticked(found, choice))} of ${figure(found.images)} ticked`}</span>
        )}
      </div>
      {found.folders.length > 0 && <Folders {...props} />}
      {found.stopped && (
        <p className="found-note row g8 t12">
          <Info size={14} className="f3" aria-hidden="true" />
          {t`Stopped early: this is what was found until then.`}
        </p>
      )}
      <OwnPictures found={found} />
      {found.localPictures > 0 && (
        <section className="found-note" aria-label={t`Pictures on this computer`}>
          <div className="row g8">
            <ImageOff size={14} className="amb" aria-hidden="true" />
            <span className="m">
              {plural(found.localPictures, 'picture on this computer', 'pictures on this computer')}
            </span>
          </div>
          <p className="t12 f2 indent">{said(found.localPicturesSentence ?? '')}</p>
          <SetUpLink />
        </section>
      )}
      <Duplicates {...props} />
      <Problems {...props} />
      {found.notes.map((note) => (
        <p key={note} className="found-note row g8 t12 f2">
          <Info size={14} className="f3" aria-hidden="true" />
          <span>{note}</span>
        </p>
      ))}
    </div>
  )
}
