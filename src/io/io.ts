/** A run's access to the outside world. Only main.ts makes one from the process; tests make their own. */

import type { WriteStream } from 'node:tty'
import type { InputBudget } from './input-budget.ts'
import type { StandardInput } from './standard-input.ts'

export interface Sink {
  readonly isTerminal: boolean
  /** The stream itself, for libraries that draw on a terminal; `undefined` off a terminal. */
  readonly stream?: WriteStream | undefined
  /** The current width; 80 off a terminal. */
  columns(): number
  /**
   * Resolves when there is room for more: a slow reader slows the whole pipeline down.
   * @throws BrokenPipeError when the reader has closed it.
   */
  write(text: string | Uint8Array): Promise<void>
}

export interface Io {
  readonly in: StandardInput
  /** Counts what becomes one request. */
  readonly inputBudget: InputBudget
  readonly out: Sink
  readonly err: Sink
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  /** Stops the run; its reason is an InterruptedError or BrokenPipeError. */
  readonly signal: AbortSignal
  /** Milliseconds since 1970. */
  now(): number
  /** Stops the process group, as Ctrl-Z does; resolves when it is continued. */
  suspend(): Promise<void>
  /** Sets the control sequence that is written to the terminal when the process exits; '' for none. */
  restoreAtExit(sequence: string): void
}
