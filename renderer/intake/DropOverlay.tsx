import { FileText, Files, Folder, Globe, Image, Plus } from 'lucide-react'
import { useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { useStore } from 'zustand'
import { presetFileEnding } from '../../shared/presets.ts'
import type { Workspace } from '../app/workspace.ts'
import { useWorkspace } from '../app/workspace-context.ts'
import { importPresetFiles } from '../presets/preset-commands.ts'
import { classes } from '../ui/class-names.ts'
import { rich } from '../ui/rich.tsx'
import { plural } from '../app/format.ts'
import { beginIntake } from './begin-intake.ts'
import { countItems, isTakeable, takeTransfer } from './dropped-files.ts'
import { t } from '../../shared/language/text.ts'

type Zone = 'new' | 'add'

interface Drag {
  readonly count: number
  readonly zone: Zone
  readonly x: number
  readonly y: number
}

function take(workspace: Workspace, transfer: DataTransfer, addTo: string | null) {
  const dropped = takeTransfer(transfer)
  const isPresets =
    dropped.files.length > 0 && dropped.files.every(({ name }) => name.endsWith(presetFileEnding))
  if (isPresets) return void importPresetFiles(workspace, dropped.files)
  if (dropped.files.length === 0 && dropped.text.trim() === '')
    return workspace.say(t`Nothing in it to work with`)
  beginIntake(workspace, addTo, (intake) => intake.handOver(dropped))
}

function zoneAt(target: EventTarget | null): Zone {
  return target instanceof Element && target.closest('[data-zone="add"]') ? 'add' : 'new'
}

/** Follows a drag over the window; undefined while there is none, or a sheet is open. */
function useDrag(addTo: string | undefined): Drag | undefined {
  const workspace = useWorkspace()
  const [drag, setDrag] = useState<Drag>()
  const depth = useRef(0)
  // Before the first picture of the page: what is dropped on it at once must not be lost.
  useLayoutEffect(() => {
    const isWanted = (event: DragEvent) =>
      isTakeable(event.dataTransfer) && workspace.view.getState().overlay === undefined
    const end = () => {
      depth.current = 0
      setDrag(undefined)
    }
    const listeners: Partial<
      Record<'dragenter' | 'dragover' | 'dragleave' | 'drop' | 'dragend', (event: DragEvent) => void>
    > = {
      dragenter: (event) => {
        if (!isWanted(event)) return
        event.preventDefault()
        depth.current += 1
      },
      dragover: (event) => {
        if (!event.dataTransfer) return
        // What is not taken must not make the browser leave the page either.
        event.preventDefault()
        if (!isWanted(event)) return void (event.dataTransfer.dropEffect = 'none')
        event.dataTransfer.dropEffect = 'copy'
        setDrag({
          count: countItems(event.dataTransfer),
          zone: zoneAt(event.target),
          x: event.clientX,
          y: event.clientY,
        })
      },
      dragleave: () => {
        depth.current -= 1
        if (depth.current <= 0) end()
      },
      drop: (event) => {
        event.preventDefault()
        const wanted = isWanted(event)
        const zone = zoneAt(event.target)
        end()
        if (wanted && event.dataTransfer) {
          take(workspace, event.dataTransfer, zone === 'add' ? (addTo ?? null) : null)
        }
      },
      dragend: end,
    }
    const entries = Object.entries(listeners) as [keyof DocumentEventMap, (event: Event) => void][]
    for (const [name, listener] of entries) document.addEventListener(name, listener)
    return () => {
      for (const [name, listener] of entries) document.removeEventListener(name, listener)
    }
  }, [workspace, addTo])
  return drag
}

function Kind({ icon, words }: { readonly icon: ReactNode; readonly words: string }) {
  return (
    <span className="drop-kind">
      <span>{icon}</span>
      {words}
    </span>
  )
}

/** Where the sidebar ends, in pixels. */
function besideSidebar(): number {
  return document.querySelector('.side')?.getBoundingClientRect().right ?? 0
}

/** Over everything but the sidebar while something is dragged: a new batch, or one more for the open one. */
export function DropOverlay() {
  const workspace = useWorkspace()
  const screen = useStore(workspace.view, (view) => view.screen)
  const batch = useStore(workspace.mirrors.batches, ({ value }) =>
    screen.kind === 'batch' ? value.byId.get(screen.batch) : undefined,
  )
  const drag = useDrag(batch?.id)
  if (!drag) return null
  return (
    <div className="drop-over" aria-hidden="true" style={{ left: besideSidebar() }}>
      <div className={classes('drop-zone', drag.zone === 'new' && 'on')} data-zone="new">
        <div className="row drop-kinds">
          <Kind icon={<Folder size={22} />} words={t`Folders`} />
          <Kind icon={<FileText size={22} />} words=".txt .csv .json" />
          <Kind icon={<Globe size={22} />} words=".url .webloc" />
          <Kind icon={<Image size={22} />} words={t`Pictures`} />
        </div>
        <p className="drop-title">{t`Drop for a new batch`}</p>
        <p className="f2">{t`Nothing starts yet. You see what was found and what it costs first.`}</p>
      </div>
      {batch && (
        <div className={classes('drop-zone', 'add', drag.zone === 'add' && 'on')} data-zone="add">
          <Plus size={16} />
          <span>
            <b>{rich`Add to “${<bdi>{batch.name}</bdi>}”`}</b>
            <span className="t12 f3">{t`Same output folder · joins the end of the queue`}</span>
          </span>
        </div>
      )}
      <span className="drop-count" style={{ left: drag.x + 14, top: drag.y + 14 }}>
        <Files size={15} />
        {plural(drag.count, 'item')}
      </span>
    </div>
  )
}
