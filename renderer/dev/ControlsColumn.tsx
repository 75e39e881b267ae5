import { Columns2, Ellipsis, PanelRight, Pause, Play, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '../ui/Button.tsx'
import { Checkbox } from '../ui/Checkbox.tsx'
import { Chip } from '../ui/Chip.tsx'
import { ColorField } from '../ui/ColorField.tsx'
import { Kbd } from '../ui/Kbd.tsx'
import { PadBox, type PadSide } from '../ui/PadBox.tsx'
import { RadioCards } from '../ui/RadioCards.tsx'
import { TriState } from '../ui/Segmented.tsx'
import { ComboBox, Select } from '../ui/Select.tsx'
import { SliderRow } from '../ui/SliderRow.tsx'
import { StateGlyph } from '../ui/StateLabel.tsx'
import { Tag } from '../ui/Tag.tsx'
import { TextField } from '../ui/TextField.tsx'
import { Block } from './Block.tsx'

const factor = { min: 0.2, max: 3, step: 0.05, decimals: 2 }

function Buttons() {
  return (
    <Block title="Buttons" note="24 / 28 / 32 px. One accent button per view">
      <div className="row g8">
        <Button variant="primary" size="l" icon={<Play size={15} />} price="1,272 cr" keys="⌘↵">
          Start
        </Button>
        <Button size="l" icon={<Pause size={15} />}>
          Pause
        </Button>
        <Button icon={<Columns2 size={15} />} keys="C">
          Compare
        </Button>
        <Button variant="ghost">Cancel</Button>
      </div>
      <div className="row g8" style={{ marginTop: 10 }}>
        <Button size="s" icon={<RotateCcw size={14} />} price="18 cr">
          Retry 3 failed
        </Button>
        <Button variant="line">Outline</Button>
        <Button isDisabled>Disabled</Button>
        <IconButton icon={<PanelRight size={16} />} label="Inspector" keys="⌘I" pressed={false} />
        <IconButton icon={<PanelRight size={16} />} label="Inspector, shown" pressed />
        <IconButton icon={<Ellipsis size={16} />} label="More" />
      </div>
    </Block>
  )
}

function TriStates() {
  const [on, setOn] = useState<boolean | undefined>(true)
  const [account, setAccount] = useState<boolean>()
  const [softness, setSoftness] = useState<number | undefined>(1.6)
  const [rest, setRest] = useState<number>()
  const [mixed, setMixed] = useState<number | undefined>()
  const [isMixed, setIsMixed] = useState(true)
  return (
    <Block title="Tri-state settings" note="not sent / sent / mixed / n.a.">
      <div className="panel">
        <div className="tri">
          <span className="f3 t11">Account default</span>
          <TriState label="Left to the account" value={account} onChange={setAccount} />
          <span className="t11 f3">key not sent</span>
        </div>
        <div className="tri">
          <i className="ov" />
          <span className="t11">Explicit</span>
          <TriState label="Explicit" value={on} onChange={setOn} />
          <span className="t11 f3">bar at the edge</span>
        </div>
        <div className="tri">
          <i className="ov mixd" />
          <span className="t11">Mixed</span>
          <TriState label="Differs" value={undefined} mixed={[undefined, true]} onChange={() => undefined} />
          <span className="t11 f3">striped</span>
        </div>
        <div className="tri">
          <span className="f3 t11">Not applicable</span>
          <span className="na-dim">
            <TriState label="Not applicable" value={undefined} isDisabled onChange={() => undefined} />
          </span>
          <span className="t11 f3">only with Solid</span>
        </div>
        <SliderRow label="Size" value={rest} onChange={setRest} range={factor} restAt={1} detent={1} />
        <SliderRow
          label="Softness"
          value={softness}
          onChange={setSoftness}
          range={factor}
          restAt={1}
          detent={1}
        />
        <SliderRow
          label="Intensity"
          value={mixed}
          mixed={isMixed ? { min: 0.8, max: 1.6, includesUnset: false } : undefined}
          onChange={(value) => {
            setIsMixed(false)
            setMixed(value)
          }}
          range={factor}
          restAt={1}
        />
      </div>
    </Block>
  )
}

function Pads() {
  const [values, setValues] = useState<Record<PadSide, number | undefined>>({
    top: 15,
    right: 20,
    bottom: undefined,
    left: 20,
  })
  const [isLinked, setLinked] = useState(false)
  return (
    <Block title="Framing pads" note="unlinked, bottom from account">
      <div className="panel">
        <PadBox
          values={values}
          onChange={(side, value) =>
            setValues(
              isLinked
                ? { top: value, right: value, bottom: value, left: value }
                : { ...values, [side]: value },
            )
          }
          isLinked={isLinked}
          onLinkedChange={setLinked}
          range={{ min: 0, max: 100, step: 1, decimals: 0 }}
          restAt={15}
        />
      </div>
    </Block>
  )
}

const quick = [
  { value: '#FFFFFF', name: 'White' },
  { value: '#F5F5F5', name: 'Pale grey' },
  { value: '#D9D9D9', name: 'Light grey' },
  { value: '#1E1E1E', name: 'Near black' },
]

function Fields() {
  const [name, setName] = useState('Autumn lookbook')
  const [color, setColor] = useState<string | undefined>('#FFFFFF')
  const [app, setApp] = useState('More apps')
  const [preset, setPreset] = useState('white')
  return (
    <Block title="Fields">
      <div className="col g12">
        <TextField label="Name" value={name} onChange={setName} note="Shown in the sidebar." />
        <TextField
          label="Output folder"
          value="/Volumes/Card/out"
          onChange={() => undefined}
          error="This folder is read-only. Choose another."
        />
        <Select
          label="Preset"
          value={preset}
          onChange={setPreset}
          badge={<Tag>edited</Tag>}
          options={[
            {
              id: 'white',
              label: 'Catalogue white',
              icon: <span className="sw" style={{ background: '#fff' }} />,
            },
            { id: 'cut', label: 'Cut-out' },
            { id: 'grey', label: 'Soft grey', note: 'Rescue' },
          ]}
        />
        <ComboBox
          label="App"
          value={app}
          onChange={setApp}
          options={[
            { id: 'rescue', label: 'Rescue' },
            { id: 'precision', label: 'Precision' },
          ]}
        />
        <div className="row g8">
          <ColorField
            label="Colour"
            value={color}
            onChange={setColor}
            placeholder="Account"
            quick={quick}
            recent={['#ECECEC', '#0C1F1B']}
          />
        </div>
      </div>
    </Block>
  )
}

function Filters() {
  const [filter, setFilter] = useState('all')
  const chip = (
    id: string,
    label: string,
    count: number,
    look?: 'processing' | 'failed' | 'review',
    tone = '',
  ) => (
    <Chip
      label={label}
      count={count}
      icon={
        look === undefined ? undefined : (
          <span className={tone}>
            <StateGlyph look={look} />
          </span>
        )
      }
      isSelected={filter === id}
      onChange={() => setFilter(id)}
    />
  )
  return (
    <div className="row g4">
      {chip('all', 'All', 212)}
      {chip('active', 'Active', 9, 'processing', 'acc')}
      {chip('failed', 'Failed', 3, 'failed', 'red')}
      {chip('review', 'Needs review', 2, 'review', 'amb')}
    </div>
  )
}

function Ticks() {
  const [ticked, setTicked] = useState(true)
  return (
    <div className="row g16">
      <Checkbox isSelected={ticked} onChange={setTicked}>
        Rings
      </Checkbox>
      <Checkbox isIndeterminate>Necklaces</Checkbox>
      <Checkbox>Earrings</Checkbox>
      <Checkbox isDisabled>Not here</Checkbox>
    </div>
  )
}

function Choices() {
  const [start, setStart] = useState<'all' | 'three'>('all')
  return (
    <Block title="Chips, tags and choices">
      <Filters />
      <div className="row g6" style={{ margin: '10px 0' }}>
        <Tag>edited</Tag>
        <Tag>Mixed</Tag>
        <Tag tone="line">De-Banded</Tag>
        <Tag tone="accent">Likely match</Tag>
        <Tag tone="amber">Practice</Tag>
        <Tag tone="red">Failed</Tag>
        <Kbd>⌘F</Kbd>
        <Kbd>Space</Kbd>
      </div>
      <Ticks />
      <div style={{ marginTop: 10 }}>
        <RadioCards
          label="Start with"
          value={start}
          onChange={setStart}
          cards={[
            { value: 'all', title: 'All 212 images', note: '1,272 credits' },
            { value: 'three', title: '3 first, then wait for my go', note: '18 credits' },
          ]}
        />
      </div>
    </Block>
  )
}

/** Buttons, settings controls, fields and choices. */
export function ControlsColumn() {
  return (
    <>
      <Buttons />
      <TriStates />
      <Pads />
      <Fields />
      <Choices />
    </>
  )
}
