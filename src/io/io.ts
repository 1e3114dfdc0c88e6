/** What a run knows of the outside world. Only main.ts makes one of the process; tests make their own. */

import type { WriteStream } from 'node:tty'
import type { StandardInput } from './standard-input.ts'

export interface Sink {
  readonly isTerminal: boolean
  /** The stream itself, for libraries that draw on a terminal by themselves; absent off a terminal. */
  readonly stream?: WriteStream | undefined
  /** Width in columns at this moment; 80 off a terminal. */
  columns(): number
  /**
   * Resolves when there is room for more, so that a slow reader slows the whole pipeline down.
   * @throws BrokenPipeError when the reading end was closed.
   */
  write(text: string | Uint8Array): Promise<void>
}

export interface Io {
  readonly in: StandardInput
  readonly out: Sink
  readonly err: Sink
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  /** Ends the run when the user or the system asks for it; its reason is an InterruptedError or BrokenPipeError. */
  readonly signal: AbortSignal
  /** Milliseconds since 1970. */
  now(): number
  /** Stops the run and whatever else is in its process group, as the terminal does at Ctrl-Z; resolves when it goes on. */
  suspend(): Promise<void>
  /** What the terminal is written last, however the run ends, so that it is left in order; '' once it is. */
  restoreAtExit(sequence: string): void
}
