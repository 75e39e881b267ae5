import { KeyRound, Loader, Pause, Wallet, WifiOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { stepsOf, type ItemLook } from '../ui/item-look.ts'
import { Meter } from '../ui/Meter.tsx'
import { StateLabel } from '../ui/StateLabel.tsx'
import { Steps } from '../ui/Steps.tsx'
import { Block } from './Block.tsx'

const neutrals = [
  ['bg-0', 'behind the window'],
  ['bg-1', 'sidebar, filmstrip'],
  ['bg-2', 'canvas under pictures'],
  ['bg-3', 'panels, cells'],
  ['bg-4', 'controls'],
  ['bg-5', 'hover, selected'],
  ['bg-6', 'pressed, segment'],
  ['line-3', 'control outlines'],
] as const
const signals = [
  ['fg-1', 'primary'],
  ['fg-2', 'secondary'],
  ['fg-3', 'captions'],
  ['accent', 'act, progress, focus'],
  ['red', 'failed'],
  ['amber', 'money, decisions'],
] as const
const states: readonly (readonly [ItemLook, string])[] = [
  ['waiting', 'not sent, not charged'],
  ['held', 'waits for your go'],
  ['submitting', 'request is on its way'],
  ['queue', 'accepted, has a run id'],
  ['processing', 'to the median time, holds at 90 %'],
  ['downloading', 'real bytes'],
  ['done', 'neutral on purpose'],
  ['failed', 'reason replaces the word'],
  ['review', 'outcome unknown, you decide'],
  ['cancelled', 'never sent'],
  ['skipped', 'already delivered'],
]
const queue: readonly (readonly [ReactNode, string])[] = [
  [<i key="d" className="dot" />, 'Running'],
  [<Pause key="p" className="amb" size={13} strokeWidth={2.6} />, 'Paused'],
  [<Loader key="l" className="amb" size={13} strokeWidth={2.4} />, 'Pausing, 5 still at the service'],
  [<WifiOff key="w" className="f2" size={13} />, 'Offline, retry in 20 s'],
  [<Wallet key="c" className="amb" size={13} />, 'Out of credits'],
  [<KeyRound key="k" className="red" size={13} />, 'Key rejected'],
]

function Swatches({ tokens }: { readonly tokens: readonly (readonly [string, string])[] }) {
  return (
    <div className="g2">
      {tokens.map(([token, use]) => (
        <div key={token} className="swt">
          <i style={{ background: `var(--${token})` }} />
          <div>
            <b>{token}</b>
            <br />
            <span className="f3">{use}</span>
          </div>
        </div>
      ))}
    </div>
  )
}

function StateRow({ look, note }: { readonly look: ItemLook; readonly note: string }) {
  const parts = stepsOf(look)
  return (
    <div className="state-row">
      <StateLabel look={look} />
      <span>{parts === undefined ? <span className="f3 t11">no track</span> : <Steps parts={parts} />}</span>
      <span className="f3 t11 nw">{note}</span>
    </div>
  )
}

/** Tokens, states and type. */
export function TokensColumn() {
  return (
    <>
      <Block title="Neutrals" note="R = G = B, always">
        <Swatches tokens={neutrals} />
      </Block>
      <Block title="Text and signal">
        <Swatches tokens={signals} />
      </Block>
      <Block title="Item states" note="icon + word + track, never colour alone">
        {states.map(([look, note]) => (
          <StateRow key={look} look={look} note={note} />
        ))}
      </Block>
      <Block title="Queue states">
        <div className="g2 t12">
          {queue.map(([glyph, words]) => (
            <div key={words} className="row g6 m">
              {glyph}
              {words}
            </div>
          ))}
        </div>
      </Block>
      <Block title="Batch meter" note="1 element, 1 name">
        <Meter counts={{ done: 118, active: 16, failed: 8, review: 12, cancelled: 10, waiting: 60 }} />
      </Block>
      <Block title="Type" note="Inter, tabular figures">
        <div className="type">
          <span className="t28">28 Display</span>
          <span className="t20 b">20 Sheet</span>
          <span className="t15 b">15 Title</span>
        </div>
        <div className="type">
          <span>13 Body</span>
          <span className="t12">12 Controls, tables</span>
          <span className="t11">11 Captions</span>
          <span className="mono">12 run_8f2c41d0</span>
        </div>
      </Block>
    </>
  )
}
