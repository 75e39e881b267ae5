import {
  ChevronLeft,
  Columns2,
  Columns3,
  Contrast,
  FlipHorizontal2,
  Images,
  Info,
  Keyboard,
  Layers2,
  Link2,
  ScanSearch,
  ZoomIn,
  ZoomOut,
} from 'lucide-react'
import { Button as AriaButton } from 'react-aria-components'
import { useStore } from 'zustand'
import { useBatch, useWorkspace } from '../app/workspace-context.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { classes } from '../ui/class-names.ts'
import { Segmented } from '../ui/Segmented.tsx'
import type { Mode } from './arrangement.ts'
import { useCompare, useComparison, useLooking, useStage, useSurround } from './compare-context.ts'
import { surrounds, type Surround } from './comparison.ts'
import { percent } from './view.ts'
import { t } from '../../shared/language/text.ts'

/** Where one is, the modes, the zoom, and how pictures are looked at. */
export function CompareHeader() {
  return (
    <header className="head compare-head">
      <Crumbs />
      <Modes />
      <div className="row g4 compare-tools">
        <Zoom />
        <Tools />
      </div>
    </header>
  )
}

function Crumbs() {
  const comparison = useComparison()
  const title = useCompare((state) => state.known?.record.title)
  const batchId = useStore(useWorkspace().images, ({ window }) => window?.query.batch)
  const batch = useBatch(batchId ?? '')
  const isRun = useCompare((state) => 'run' in state.of)
  return (
    <div className="row g6 compare-crumbs">
      <Button variant="ghost" icon={<ChevronLeft size={15} />} onPress={() => comparison.leave()}>
        <span className="ell">{isRun ? t`History` : (batch?.name ?? t`Back`)}</span>
      </Button>
      <span className="f3">/</span>
      <h1 className="ell" title={title} dir="auto">
        {title ?? '…'}
      </h1>
    </div>
  )
}

const modes: readonly { value: Mode; name: string; icon: typeof Columns2 }[] = [
  { value: 'side', name: t`Side by side`, icon: Columns2 },
  { value: 'split', name: t`Split`, icon: FlipHorizontal2 },
  { value: 'flicker', name: t`Flicker`, icon: Layers2 },
  { value: 'difference', name: t`Difference`, icon: Contrast },
]

function Modes() {
  const comparison = useComparison()
  const mode = useCompare((state) => state.mode)
  return (
    <Segmented
      label={t`Mode`}
      size="l"
      value={mode}
      onChange={(next) => comparison.setMode(next)}
      options={modes.map(({ value, name, icon: Icon }) => ({
        value,
        name,
        label: (
          <span className="row g6">
            <Icon size={14} />
            <span className="mode-name">{name}</span>
          </span>
        ),
      }))}
    />
  )
}

function Zoom() {
  const { session } = useComparison()
  const comparison = useComparison()
  const scale = useStage((stage) => stage.view.scale)
  const isFit = useStage((stage) => stage.isFit)
  const isSharp = useStage((stage) => stage.isSharp) ?? false
  const { stage } = session
  return (
    <>
      <IconButton icon={<ZoomOut size={16} />} label={t`Zoom out`} keys="−" onPress={() => stage.step(-1)} />
      <span className={classes('zoom-figure', !isSharp && 'f3')}>
        {scale === undefined ? '' : percent(scale)}
      </span>
      <IconButton icon={<ZoomIn size={16} />} label={t`Zoom in`} keys="+" onPress={() => stage.step(1)} />
      <Toggle name={t`Fit`} keys="0" isOn={isFit === true} onPress={() => stage.fit()} />
      <Toggle
        name="100 %"
        keys="Z"
        isOn={scale === 1 && isFit !== true}
        onPress={() => comparison.toggleFull()}
      />
    </>
  )
}

interface ToggleProps {
  readonly name: string
  readonly keys: string
  readonly isOn: boolean
  readonly onPress: () => void
}

function Toggle({ name, keys, isOn, onPress }: ToggleProps) {
  return (
    <AriaButton className={classes('btn s gh line', isOn && 'on')} aria-pressed={isOn} onPress={onPress}>
      {name}
      <kbd aria-hidden="true">{keys}</kbd>
    </AriaButton>
  )
}

function Tools() {
  const comparison = useComparison()
  const { workspace } = comparison
  const hasLoupe = useLooking((looking) => looking.hasLoupe)
  const hasInfo = useLooking((looking) => looking.hasInfo)
  const hasThree = useCompare((state) => state.slots.length === 3)
  const keepZoom = useStore(workspace.mirrors.preferences, ({ value }) => value?.keepZoom ?? true)
  const keep = () => void workspace.attempt(() => workspace.api.preferences.change({ keepZoom: !keepZoom }))
  return (
    <>
      <span className="gap" />
      <IconButton
        icon={<ScanSearch size={16} />}
        label={t`Loupe`}
        keys="L"
        pressed={hasLoupe}
        onPress={() => comparison.toggleLoupe()}
      />
      <PresetsToggle />
      <IconButton
        icon={<Columns3 size={16} />}
        label={t`With the source`}
        keys="O"
        pressed={hasThree}
        onPress={() => comparison.toggleSource()}
      />
      <IconButton
        icon={<Link2 size={16} />}
        label={t`Keep zoom and place for the next`}
        pressed={keepZoom}
        onPress={keep}
      />
      <Surrounds />
      <IconButton
        icon={<Info size={16} />}
        label={t`Picture information`}
        keys="I"
        pressed={hasInfo}
        onPress={() => comparison.looking.setState({ hasInfo: !hasInfo })}
      />
      <IconButton
        icon={<Keyboard size={16} />}
        label={t`All shortcuts`}
        keys="?"
        onPress={() => comparison.looking.setState({ sheet: 'keys' })}
      />
    </>
  )
}

/** Only where several presets were made of the picture. */
function PresetsToggle() {
  const comparison = useComparison()
  const isOn = useCompare(({ of }) => 'image' in of && of.presets === true)
  const count = useCompare(({ known }) => known?.record.presets ?? 1)
  if (count < 2 && !isOn) return null
  return (
    <IconButton
      icon={<Images size={16} />}
      label={t`All presets of the picture`}
      keys="V"
      pressed={isOn}
      onPress={() => void comparison.togglePresets()}
    />
  )
}

const surroundNames: Readonly<Record<Surround, string>> = {
  black: t`Black surround`,
  dark: t`Dark grey surround`,
  grey: t`Mid grey surround`,
  white: t`White surround`,
}

function Surrounds() {
  const comparison = useComparison()
  const chosen = useSurround()
  return (
    <span className="row surrounds" role="group" aria-label={t`Surround`}>
      {(Object.keys(surrounds) as Surround[]).map((surround) => (
        <AriaButton
          key={surround}
          className={classes('dot-b', chosen === surround && 'on')}
          aria-label={surroundNames[surround]}
          aria-pressed={chosen === surround}
          onPress={() => void comparison.setSurround(surround)}
        >
          <span className={`surround-dot ${surround}`} />
        </AriaButton>
      ))}
    </span>
  )
}
