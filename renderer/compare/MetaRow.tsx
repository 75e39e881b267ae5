import { Copy } from 'lucide-react'
import { Button as AriaButton } from 'react-aria-components'
import { useStore } from 'zustand'
import type { ComparedRecord, Look, PictureInfo } from '../../shared/contract/compare-records.ts'
import { presetTitle } from '../../shared/presets.ts'
import { settingTitle } from '../../shared/setting-words.ts'
import { settingRules } from '../../shared/settings.ts'
import { bytes, duration, plural } from '../app/format.ts'
import { copyText } from '../batches/image-commands.ts'
import { classes } from '../ui/class-names.ts'
import { IconButton } from '../ui/Button.tsx'
import type { Known } from './arrangement.ts'
import { useComparison, useLooking } from './compare-context.ts'
import { grounds } from './comparison.ts'
import { chosenOf } from './presets.ts'
import type { GroundChoice } from './stage.ts'
import { t } from '../../shared/language/text.ts'

/** What the files are and how they were made. */
export function MetaRow() {
  const comparison = useComparison()
  const { known, split, arranged, preset } = useStore(comparison.session.state)
  if (!known) return <div className="meta" />
  const { record } = known
  const infos = comparison.shown
    .filter(({ role }) => role !== 'source')
    .map(({ which }) => known.looks[which])
  const source = record.pictures.find(({ role }) => role === 'source')
  return (
    <div className="meta" role="region" aria-label={t`Picture information`}>
      <FileFacts looks={infos} />
      {source && <SourceFacts look={known.looks[source.which]} />}
      <Ground known={known} />
      <span className="sp" />
      {arranged?.mode === 'split' && <Fact name={t`Split`} value={`${Math.round(split * 100)} %`} />}
      <RunFacts record={{ ...record, ...chosenOf(record, preset) }} />
    </div>
  )
}

interface FactProps {
  readonly name: string
  readonly value: string
  readonly title?: string | undefined
  /** Left out where there is little room. */
  readonly isLess?: boolean
}

function Fact({ name, value, title, isLess = false }: FactProps) {
  return (
    <span title={title} className={isLess ? 'less' : undefined}>
      {name}
      <b>{value}</b>
    </span>
  )
}

const isPicture = (look: Look | undefined): look is Extract<Look, { kind: 'picture' }> =>
  look?.kind === 'picture'

function FileFacts({ looks }: { readonly looks: readonly (Look | undefined)[] }) {
  const infos = looks.filter(isPicture).map(({ info }) => info)
  const [first] = infos
  if (!first) return null
  const formats = [...new Set(infos.map(formatOf))]
  const sizes = [...new Set(infos.map(sizeOf))]
  return (
    <>
      <Fact name={t`Output`} value={sizes.join(' / ')} />
      <Fact name={t`Format`} value={formats.join(' / ')} title={formats.join(' / ')} />
      <Fact
        isLess
        name={infos.length > 1 ? t`Sizes` : t`Size`}
        value={infos.map((info) => bytes(info.bytes)).join(' / ')}
      />
    </>
  )
}

function SourceFacts({ look }: { readonly look: Look | undefined }) {
  if (!isPicture(look)) return null
  const { info } = look
  return (
    <Fact
      name={t`Source`}
      value={`${sizeOf(info)} ${info.format}`}
      title={`${formatOf(info)}, ${bytes(info.bytes)}`}
    />
  )
}

const sizeOf = (info: PictureInfo) => `${info.width} × ${info.height}`

/** "PNG · sRGB · 8-bit" */
function formatOf(info: PictureInfo): string {
  const colours = info.profile ?? (info.channels === 'RGB' ? t`untagged` : info.channels)
  return [info.format, colours, t`${info.bits}-bit`, ...(info.alpha ? [t`alpha`] : [])].join(' · ')
}

const groundNames: Readonly<Record<string, string>> = {
  checker: t`Checkerboard`,
  '#ffffff': t`White`,
  '#808080': t`Grey`,
  '#000000': t`Black`,
}

/** What lies under transparent pictures; only where there are some. */
function Ground({ known }: { readonly known: Known }) {
  const comparison = useComparison()
  const chosen = useLooking((looking) => looking.ground)
  const isTransparent = comparison.shown.some(({ which }) => {
    const look = known.looks[which]
    return isPicture(look) && look.info.alpha
  })
  if (!isTransparent) return null
  return (
    <span className="row grounds" role="group" aria-label={t`Under transparent pictures`}>
      {t`Under it`}
      {grounds.map((ground) => (
        <AriaButton
          key={ground}
          className={classes('dot-b', chosen === ground && 'on')}
          aria-label={groundNames[ground] ?? ground}
          aria-pressed={chosen === ground}
          onPress={() => comparison.setGround(ground)}
        >
          <span
            className={classes('ground-dot', ground === 'checker' && 'checker')}
            style={ground === 'checker' ? {} : { background: ground }}
          />
        </AriaButton>
      ))}
      <input
        type="color"
        className="ground-pick"
        aria-label={t`A colour of your own under transparent pictures`}
        value={chosen === 'checker' ? '#cfc8be' : chosen}
        onChange={(event) => comparison.setGround(event.target.value as GroundChoice)}
      />
    </span>
  )
}

function RunFacts({ record }: { readonly record: ComparedRecord }) {
  const comparison = useComparison()
  const { runId, app, credits, took, differs, preset } = record
  return (
    <>
      {runId !== null && (
        <span className="row">
          {t`Run`}
          <b className="mono">{shortRun(runId)}</b>
          <IconButton
            size="s"
            icon={<Copy size={12} />}
            label={t`Copy run id`}
            tooltipPlacement="top"
            onPress={() => void copyText(comparison.workspace, runId, t`Run id`)}
          />
        </span>
      )}
      {app !== null && <Fact name={t`Retoucher`} value={app} />}
      {preset !== null && (
        <Fact
          isLess
          name={t`Preset`}
          value={
            differs.length === 0
              ? presetTitle(preset)
              : `${presetTitle(preset)}, ${plural(differs.length, 'setting differs', 'settings differ')}`
          }
          title={differs
            .map(
              ({ key, here, preset: there }) =>
                t`${titleWords(key)}: ${valueWords(here)} (preset: ${valueWords(there)})`,
            )
            .join('\n')}
        />
      )}
      {credits !== null && <Fact name={t`Charged`} value={plural(credits, 'credit')} />}
      {took !== null && <Fact isLess name={t`Took`} value={duration(took)} />}
    </>
  )
}

/** A setting's title as the engine has it, or what else differs, in words. */
function titleWords(title: string): string {
  const rule = settingRules.find((one) => one.title === title)
  if (rule) return settingTitle(rule.key)
  return title === 'Retoucher' ? t`Retoucher` : title
}

/** A setting's value as the engine writes it, in words where it is one. */
function valueWords(value: string): string {
  const words: Readonly<Record<string, string>> = {
    'account default': t`account default`,
    true: t`true`,
    false: t`false`,
    off: t`off`,
    solid: t`solid`,
    transparent: t`transparent`,
  }
  return words[value] ?? value
}

/** Run ids may be of any length. */
function shortRun(runId: string): string {
  return runId.length > 16 ? `${runId.slice(0, 15)}…` : runId
}
