import { Check, ChevronDown, Folder, TriangleAlert } from 'lucide-react'
import { useRef } from 'react'
import { Button as AriaButton } from 'react-aria-components'
import type { EstimateRecord } from '../../shared/contract/intake-records.ts'
import { bytes, figure, plural, range, times } from '../app/format.ts'
import { metadataWords } from '../app/metadata-words.ts'
import { PickFolder } from '../app/PickFolder.tsx'
import { classes } from '../ui/class-names.ts'
import { MenuButton } from '../ui/Menu.tsx'
import { RadioCards } from '../ui/RadioCards.tsx'
import { rich } from '../ui/rich.tsx'
import { TextField } from '../ui/TextField.tsx'
import type { ColumnProps } from './FoundColumn.tsx'
import { PresetChoices } from './PresetChoices.tsx'
import { said } from '../../shared/language/said.ts'
import { t } from '../../shared/language/text.ts'

/** Parts of a name pattern, with what each stands for. */
export const nameParts: readonly (readonly [string, string])[] = [
  ['{folder}', t`Folder of the source`],
  ['{name}', t`Name of the source`],
  ['{suffix}', t`Which output, where there are several`],
  ['{preset}', t`Preset`],
  ['{date}', t`Day`],
  ['{n}', t`Number`],
  ['{ext}', t`Ending`],
]

const conflictWords = {
  rename: t`add “-2”`,
  skip: t`leave it and skip`,
  overwrite: t`replace it`,
} as const

/** The first images that go alone before the rest is let go. */
const testCount = 3

export interface OutputColumnProps extends ColumnProps {
  readonly estimate: EstimateRecord | undefined
  readonly onEditSettings: () => void
}

function OutputFolder({ choice, estimate, onChoose }: OutputColumnProps) {
  return (
    <TextField
      label={t`Output folder`}
      value={choice.outDir}
      onChange={(outDir) => onChoose({ outDir })}
      icon={<Folder size={15} className="f2" aria-hidden="true" />}
      error={said(estimate?.outDirTrouble ?? '') || undefined}
      isDisabled={choice.addTo != null}
      trailing={
        <>
          {estimate?.diskFree != null && (
            <span className="t12 f3 nw">{t`${bytes(estimate.diskFree)} free`}</span>
          )}
          {choice.addTo == null && (
            <PickFolder
              title={t`Output folder`}
              current={choice.outDir}
              onPick={(outDir) => onChoose({ outDir })}
            />
          )}
        </>
      }
    />
  )
}

function Metadata({ choice, onChoose }: Pick<OutputColumnProps, 'choice' | 'onChoose'>) {
  if (choice.addTo != null) return null
  const [, words] = metadataWords.find(([kind]) => kind === choice.metadata) ?? metadataWords[0]!
  return (
    <p className="row g6 t12 f3">
      <span>{t`Written into the files:`}</span>
      <MenuButton
        label={t`Written into the files`}
        entries={metadataWords.map(([metadata, label]) => ({
          kind: 'action' as const,
          id: metadata,
          label,
          onAction: () => onChoose({ metadata }),
        }))}
      >
        <AriaButton className="inline-b">
          {words}
          <ChevronDown size={12} aria-hidden="true" />
        </AriaButton>
      </MenuButton>
    </p>
  )
}

function Examples({ choice, estimate, onChoose }: OutputColumnProps) {
  if (!estimate || estimate.examples.length === 0) return null
  const { collisions } = estimate
  return (
    <div className="examples">
      <dl className={classes(choice.others.length > 0 && 'wide')}>
        {estimate.examples.map(({ label, path }) => (
          <div key={label}>
            <dt className="ell" title={label}>
              <bdi>{label}</bdi>
            </dt>
            <dd className="mono ell">
              <bdi title={path}>{path}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      <p className="row g6 t12 f3">
        {collisions === 0 ? (
          <>
            <Check size={13} aria-hidden="true" />
            {t`All names are different.`}
          </>
        ) : (
          <>
            <TriangleAlert size={13} className="amb" aria-hidden="true" />
            {plural(collisions, 'name would be the same: numbered.', 'names would be the same: numbered.')}
          </>
        )}
        <span>{t`If a file is already there:`}</span>
        <MenuButton
          label={t`If a file is already there`}
          entries={(['rename', 'skip', 'overwrite'] as const).map((how) => ({
            kind: 'action' as const,
            id: how,
            label: conflictWords[how],
            onAction: () => onChoose({ onConflict: how }),
          }))}
        >
          <AriaButton className="inline-b">
            {conflictWords[choice.onConflict]}
            <ChevronDown size={12} aria-hidden="true" />
          </AriaButton>
        </MenuButton>
      </p>
      {choice.others.length > 0 && estimate.nameTemplate !== choice.nameTemplate && (
        <p className="t12 f3">
          {rich`Named by ${<span className="mono">{estimate.nameTemplate}</span>}, so that presets have names of their own.`}
        </p>
      )}
      <Metadata choice={choice} onChoose={onChoose} />
    </div>
  )
}

function NamePattern(props: OutputColumnProps) {
  const { choice, estimate, onChoose } = props
  const field = useRef<HTMLInputElement>(null)
  const insert = (part: string) => {
    const at = field.current?.selectionStart ?? choice.nameTemplate.length
    const end = field.current?.selectionEnd ?? at
    onChoose({
      nameTemplate: `${choice.nameTemplate.slice(0, at)}${part}${choice.nameTemplate.slice(end)}`,
    })
  }
  return (
    <div className="name-pattern">
      <TextField
        label={t`File names`}
        mono
        inputRef={field}
        value={choice.nameTemplate}
        onChange={(nameTemplate) => onChoose({ nameTemplate })}
        error={said(estimate?.templateTrouble ?? '') || undefined}
        isDisabled={choice.addTo != null}
      />
      {choice.addTo == null && (
        <MenuButton
          label={t`Insert a part`}
          placement="bottom end"
          entries={nameParts.map(([part, words]) => ({
            kind: 'action' as const,
            id: part,
            label: words,
            keys: part,
            onAction: () => insert(part),
          }))}
        >
          <AriaButton className="insert t12">{t`Insert {…}`}</AriaButton>
        </MenuButton>
      )}
      <Examples {...props} />
    </div>
  )
}

function Budget({ choice, onChoose }: OutputColumnProps) {
  const text = choice.budget === null ? '' : String(choice.budget)
  return (
    <TextField
      label={t`Budget`}
      value={text}
      placeholder={t`None`}
      size="m"
      trailing={<span className="t12 f3">{t`credits`}</span>}
      onChange={(value) => {
        const credits = Number(value.replace(/[^\d.]/g, ''))
        // Credits are whole; a part of one pays for nothing.
        const whole = Math.min(Math.floor(credits), Number.MAX_SAFE_INTEGER)
        onChoose({ budget: value.trim() === '' || Number.isNaN(credits) ? null : whole })
      }}
    />
  )
}

/** What so many images of each preset cost. */
function costNote(estimate: EstimateRecord | undefined, images: readonly number[]): string {
  const unknown = t`base price not known yet`
  let total = { min: 0, max: 0 }
  for (const [index, count] of images.entries()) {
    const price = estimate?.presets[index]?.pricePerImage ?? null
    if (count === 0) continue
    if (price === null) return unknown
    const cost = times(price, count)
    total = { min: total.min + cost.min, max: total.max + cost.max }
  }
  return estimate ? t`${range(total)} credits` : unknown
}

function StartWith({ choice, estimate, onChoose, found }: OutputColumnProps) {
  const all = estimate ? estimate.toSubmit + estimate.held : found.images
  const presets = estimate?.presets ?? []
  const isSeveral = presets.length > 1
  // With several presets a test is of pictures, each with every preset.
  const tested = presets.map(({ images }) => Math.min(testCount, images))
  return (
    <div className="start-with">
      <span className="field-label">{t`Start with`}</span>
      <RadioCards
        label={t`Start with`}
        value={choice.test === null ? 'all' : 'test'}
        onChange={(value) => onChoose({ test: value === 'test' ? testCount : null })}
        isDisabled={presets.every(({ images }) => images <= testCount) && choice.test === null}
        cards={[
          {
            value: 'all',
            title: t`All ${plural(all, 'image')}`,
            note: costNote(
              estimate,
              presets.map(({ images }) => images),
            ),
          },
          {
            value: 'test',
            title: isSeveral
              ? t`${figure(testCount)} pictures first, then wait for my go`
              : t`${figure(testCount)} first, then wait for my go`,
            note: costNote(estimate, tested),
          },
        ]}
      />
    </div>
  )
}

/** Where the outputs go, how they are called, what is done to the pictures, and how it begins. */
export function OutputColumn(props: OutputColumnProps) {
  const { choice, onChoose, estimate } = props
  return (
    <div className="output-column">
      <TextField
        label={t`Name`}
        value={choice.name}
        isDisabled={choice.addTo != null}
        onChange={(name) => onChoose({ name: name.slice(0, 120) })}
      />
      <OutputFolder {...props} />
      <NamePattern {...props} />
      <PresetChoices {...props} />
      <StartWith {...props} />
      <Budget {...props} />
      {estimate?.words.map((word) => (
        <p key={word} className="t12 f3">
          {word}
        </p>
      ))}
    </div>
  )
}
