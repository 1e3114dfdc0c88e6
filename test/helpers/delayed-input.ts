/** Runs in this process whose standard input comes when the test says so. */

import { Readable } from 'node:stream'
import { runSyn, type Outcome, type RunOptions } from './run-syn.ts'

export interface DelayedInput {
  /** Resolves when standard input is read. */
  readonly isAwaited: Promise<void>
  /** What standard input is, from here to its end. */
  end(input: string | Uint8Array): void
  readonly ended: Promise<Outcome>
}

export function runWithDelayedInput(argv: string[], options: Omit<RunOptions, 'stdin'> = {}): DelayedInput {
  let isRead = (): void => undefined
  const isAwaited = new Promise<void>((resolve) => (isRead = resolve))
  const stdin = new Readable({ read: () => isRead() })
  const end = (input: string | Uint8Array): void => {
    stdin.push(input)
    stdin.push(null)
  }
  return { isAwaited, end, ended: runSyn(argv, { ...options, stdin }) }
}
