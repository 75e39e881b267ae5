import { useEffect, useState, useSyncExternalStore } from 'react'
import { Button } from './Button.tsx'
import { toastStay, type ToastMessage, type Toasts } from './toasts.ts'
import { t } from '../../shared/language/text.ts'

interface ToastProps {
  readonly message: ToastMessage
  readonly undoKeys: string
  readonly onDone: () => void
}

function Toast({ message, undoKeys, onDone }: ToastProps) {
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(onDone, toastStay)
    return () => clearTimeout(timer)
  }, [isHeld, onDone])
  return (
    <div
      className="toast"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onDone()
      }}
    >
      <span>{message.text}</span>
      {message.undo !== undefined && (
        <Button
          size="s"
          variant="line"
          keys={undoKeys}
          onPress={() => {
            // What is undone may say so itself, and must not be taken away.
            onDone()
            message.undo?.()
          }}
        >
          {t`Undo`}
        </Button>
      )}
    </div>
  )
}

export interface ToastRegionProps {
  readonly toasts: Toasts
  /** "⌘Z" or "Ctrl Z". */
  readonly undoKeys: string
}

/** The place where toasts appear: one at a time, 6 s, longer under pointer or focus. Put it once into the page. */
export function ToastRegion({ toasts, undoKeys }: ToastRegionProps) {
  const message = useSyncExternalStore(toasts.subscribe, toasts.current)
  const [count, setCount] = useState(0)
  const [last, setLast] = useState(message)
  // Each message gets a toast of its own, so that its time starts anew.
  if (message !== last) {
    setLast(message)
    setCount(count + 1)
  }
  return (
    <div className="toasts" role="status">
      {message !== undefined && (
        <Toast key={count} message={message} undoKeys={undoKeys} onDone={toasts.dismiss} />
      )}
    </div>
  )
}
