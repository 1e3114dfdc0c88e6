/** Runs in this process that the test stops, slows down, or gives their standard input. */

import { Readable } from 'node:stream'
import { runSyn, type Outcome, type RunOptions } from './run-syn.ts'

export interface WatchedRun {
  readonly outcome: Promise<Outcome>
  /** Resolves when standard output contains the text. */
  written(text: string): Promise<void>
  /** Aborts the run, as a signal does. */
  stop(reason: Error): void
}

export function watchSyn(
  argv: string[],
  env: Record<string, string>,
  { onWrite, onNotice }: Pick<RunOptions, 'onWrite' | 'onNotice'> = {},
): WatchedRun {
  const stopping = new AbortController()
  let out = ''
  const watchers = new Set<() => void>()
  const outcome = runSyn(argv, {
    env,
    signal: stopping.signal,
    onWrite: async (text) => {
      out += text
      for (const watch of watchers) watch()
      await onWrite?.(text)
    },
    ...(onNotice && { onNotice }),
  })
  const written = (text: string): Promise<void> =>
    new Promise((resolve) => {
      const watch = (): void => void (out.includes(text) && resolve())
      watchers.add(watch)
      watch()
    })
  return { outcome, written, stop: (reason) => stopping.abort(reason) }
}

/** `isAwaited` resolves when standard input is read, which is what `end` is given. */
export function runWithDelayedInput(argv: string[], options: Omit<RunOptions, 'stdin'> = {}) {
  let isRead = (): void => undefined
  const isAwaited = new Promise<void>((resolve) => (isRead = resolve))
  const stdin = new Readable({ read: () => isRead() })
  const end = (input: string | Uint8Array): void => {
    stdin.push(input)
    stdin.push(null)
  }
  return { isAwaited, end, ended: runSyn(argv, { ...options, stdin }) }
}
