/** What is said after something was done, with a way to undo it. */
export interface ToastMessage {
  readonly text: string
  readonly undo?: (() => void) | undefined
}

/** Holds the one toast that is shown; a new one takes its place. */
export interface Toasts {
  readonly show: (message: ToastMessage) => void
  readonly dismiss: () => void
  /** For useSyncExternalStore. */
  readonly subscribe: (listener: () => void) => () => void
  readonly current: () => ToastMessage | undefined
}

/** Milliseconds that a toast stays while neither pointer nor focus is on it. */
export const toastStay = 6000

export function createToasts(): Toasts {
  let current: ToastMessage | undefined
  const listeners = new Set<() => void>()
  const put = (message: ToastMessage | undefined) => {
    current = message
    for (const listener of listeners) listener()
  }
  return {
    show: (message) => put({ ...message }),
    dismiss: () => put(undefined),
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    current: () => current,
  }
}
