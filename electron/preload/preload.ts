import { contextBridge, ipcRenderer, webUtils } from 'electron'
import type { DesktopBridge } from '../../shared/contract/desktop-bridge.ts'
import { channels } from './channels.ts'

/**
 * All that a page has of the program: one line of frames, and a way to hand over what was dropped. Functions with names,
 * never `ipcRenderer` or one of its events; paths of files stay on this side.
 */
const listeners = new Set<(frame: unknown) => void>()
const closers = new Set<() => void>()
let open = false

ipcRenderer.on(channels.frame, (_, frame: unknown) => {
  for (const listener of listeners) listener(frame)
})
ipcRenderer.on(channels.closed, () => {
  open = false
  listeners.clear()
  const told = [...closers]
  closers.clear()
  for (const closer of told) closer()
})

const bridge: DesktopBridge<File> = {
  port: {
    send: (frame) => ipcRenderer.send(channels.frame, frame),
    onFrame(listener) {
      listeners.add(listener)
      // The first frame comes when somebody listens for it: none is lost, and none has to be kept.
      if (!open) ipcRenderer.send(channels.open)
      open = true
      return () => void listeners.delete(listener)
    },
    onClose: (listener) => void closers.add(listener),
  },
  takeDrop: async (files) => {
    const paths = files.map((file) => webUtils.getPathForFile(file)).filter((path) => path !== '')
    if (paths.length === 0) return null
    const drop: unknown = await ipcRenderer.invoke(channels.takeDrop, paths)
    return typeof drop === 'string' ? drop : null
  },
}

contextBridge.exposeInMainWorld('vitrine', bridge)
