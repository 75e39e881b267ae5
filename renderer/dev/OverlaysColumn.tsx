import {
  Ban,
  Columns2,
  Copy,
  Ellipsis,
  FlaskConical,
  FolderOpen,
  HardDrive,
  KeyRound,
  RotateCcw,
  Wallet,
  WifiOff,
} from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Banner } from '../ui/Banner.tsx'
import { Button, IconButton } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { lookWords, stepsOf, type ItemLook } from '../ui/item-look.ts'
import { ContextMenu, MenuButton, placeOf, type MenuEntry, type MenuPlace } from '../ui/Menu.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { Showcase } from '../ui/Showcase.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { StateLabel } from '../ui/StateLabel.tsx'
import { Steps } from '../ui/Steps.tsx'
import type { Toasts } from '../ui/toasts.ts'
import { Block } from './Block.tsx'
import halo from './pictures/halo.jpg'
import solitaire from './pictures/solitaire.jpg'

function Banners() {
  return (
    <Block title="Banners" note="one at a time, most severe wins">
      <Banner
        tone="amber"
        icon={<Wallet size={18} />}
        title="Out of credits. 31 images are waiting."
        actions={
          <Button size="s" variant="primary">
            Add credits
          </Button>
        }
      >
        They need 186; you have 4. The queue continues by itself.
      </Banner>
      <Banner
        tone="red"
        icon={<KeyRound size={18} />}
        title="The service rejected the key."
        actions={<Button size="s">Replace key</Button>}
      >
        Nothing is sent until it is replaced. Nothing is lost.
      </Banner>
      <Banner
        tone="neutral"
        icon={<WifiOff size={18} />}
        title="Offline. 4 runs continue at the service."
        actions={<Button size="s">Try now</Button>}
      >
        Results download when the connection is back.
      </Banner>
      <Banner
        tone="neutral"
        icon={<HardDrive size={18} />}
        title="The output folder is not there."
        actions={<Button size="s">Choose folder</Button>}
      >
        ~/Shoots/AW25 was moved or unplugged. Results are kept.
      </Banner>
      <Banner
        tone="neutral"
        icon={<FlaskConical size={18} />}
        title="Practice service. Play credits, stand-in results."
        actions={<Button size="s">Connect</Button>}
      >
        Connect an account for real retouching.
      </Banner>
    </Block>
  )
}

function Cells() {
  const track = stepsOf('processing', 0.7)
  return (
    <Block title="Cells" note="rest / selected / loading">
      <div className="cells">
        <div className="tile">
          <div className="pic">
            <img src={solitaire} alt="" />
          </div>
          <div className="nm">
            <span className="ell grow">R1042-front.tif</span>
            <span className="f3 t11">6 cr</span>
          </div>
          <div className="ln">
            <StateLabel look="done" />
            <span>24 s</span>
          </div>
        </div>
        <div className="tile sel">
          <div className="pic">
            <img src={halo} alt="" />
          </div>
          {track !== undefined && <Steps parts={track} />}
          <div className="nm">
            <span className="ell grow">N2219-top.tif</span>
          </div>
          <div className="ln">
            <StateLabel look="processing" fraction={0.7} />
            <span>26 s</span>
          </div>
        </div>
        <div className="tile">
          <Skeleton height={100} />
          <div style={{ height: 13 }} />
          <Skeleton width="70%" height={9} />
          <div style={{ height: 8 }} />
          <Skeleton width="44%" height={8} />
        </div>
      </div>
    </Block>
  )
}

const active: readonly (readonly [ItemLook, number])[] = [
  ['submitting', 1],
  ['queue', 3],
  ['processing', 4],
  ['downloading', 1],
]

function imageEntries(say: (text: string) => () => void): readonly MenuEntry[] {
  const action = (id: string, label: string, icon: ReactNode, keys?: string): MenuEntry => ({
    kind: 'action',
    id,
    label,
    icon,
    ...(keys === undefined ? {} : { keys }),
    isDisabled: id === 'cancel',
    onAction: say(label),
  })
  return [
    action('compare', 'Compare', <Columns2 size={14} />, 'C'),
    action('folder', 'Show in folder', <FolderOpen size={14} />, '⌘R'),
    action('retry', 'Retry, 6 credits', <RotateCcw size={14} />, 'R'),
    action('copy', 'Copy run id', <Copy size={14} />),
    { kind: 'line', id: 'line' },
    action('cancel', 'Cancel waiting', <Ban size={14} />, '⌫'),
  ]
}

function ActiveMenu() {
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set(active.map(([look]) => look)))
  const checks = active.map(([look, count]) => ({
    id: look,
    label: lookWords[look],
    content: <StateLabel look={look} />,
    count,
    isChecked: shown.has(look),
  }))
  return (
    <MenuButton
      label="Active"
      entries={[{ kind: 'checks', id: 'active', label: 'States at work', checks, onChange: setShown }]}
    >
      <Button>Active {shown.size}</Button>
    </MenuButton>
  )
}

function Menus({ toasts }: { readonly toasts: Toasts }) {
  const [place, setPlace] = useState<MenuPlace>()
  const entries = imageEntries((text) => () => toasts.show({ text }))
  return (
    <Block title="Menus" note="item menu / Active chip / right click here">
      <div
        className="row g8"
        onContextMenu={(event) => {
          event.preventDefault()
          setPlace(placeOf(event))
        }}
      >
        <MenuButton label="Image" entries={entries}>
          <IconButton icon={<Ellipsis size={16} />} label="Image actions" />
        </MenuButton>
        <ActiveMenu />
        <ContextMenu label="Image" entries={entries} place={place} onClose={() => setPlace(undefined)} />
      </div>
    </Block>
  )
}

function Floating({ toasts }: { readonly toasts: Toasts }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Block title="Toast and sheet">
      <div className="row g8">
        <Button
          onPress={() =>
            toasts.show({
              text: 'Moved 3 failed images back to Waiting',
              undo: () => toasts.show({ text: 'Moved back' }),
            })
          }
        >
          Show a toast
        </Button>
        <Button onPress={() => setOpen(true)}>Open a sheet</Button>
      </div>
      <Sheet
        title="Quit while running?"
        subtitle="9 runs are at the service."
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        width={460}
        footer={
          <>
            <span className="sp" />
            <Button variant="ghost" onPress={() => setOpen(false)}>
              Quit
            </Button>
            <Button variant="primary" size="l" autoFocus onPress={() => setOpen(false)}>
              Keep running
            </Button>
          </>
        }
      >
        They finish there; Vitrine fetches them next time.
      </Sheet>
    </Block>
  )
}

/** What floats, what stands in for something, and what lies over the whole width. */
export function OverlaysColumn({ toasts }: { readonly toasts: Toasts }) {
  return (
    <>
      <Banners />
      <Cells />
      <Menus toasts={toasts} />
      <Floating toasts={toasts} />
      <Block title="Empty">
        <EmptyState art={<Showcase />} title="Drop a shoot here" actions={<Button>Choose folder</Button>}>
          Drop folders, URL lists (.txt, .csv, .json), .url/.webloc shortcuts or paste URLs
        </EmptyState>
      </Block>
    </>
  )
}
