import type { EventEmitter } from 'node:events'

/** A stream that text is written to, as far as the program needs one. */
export interface TextSink extends EventEmitter {
  write(text: string): boolean
  readonly isTTY?: boolean
  readonly columns?: number
  readonly writableNeedDrain: boolean
}

export interface TextSource extends AsyncIterable<Uint8Array> {
  readonly isTTY?: boolean
}

/** All that the program has of the process around it, so that a test can give it something else. */
export interface Io {
  readonly stdin: TextSource
  readonly stdout: TextSink
  readonly stderr: TextSink
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** Calls back at each request to end (SIGINT, SIGTERM, SIGHUP); returns what takes the listener off. */
  readonly onStop: (listener: () => void) => () => void
  /** Ends the process without another word. */
  readonly exit: (status: number) => void
}

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The real process. */
export function processIo(): Io {
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    exit: (status) => process.exit(status),
    onStop(listener) {
      for (const signal of stopSignals) process.on(signal, listener)
      return () => {
        for (const signal of stopSignals) process.off(signal, listener)
      }
    },
  }
}
