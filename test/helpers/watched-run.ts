/** Runs the program in this process. The test can wait for output, delay writes and stop the run. */

import type { Sink } from '../../src/io/io.ts'
import { run } from '../../src/cli/run.ts'
import { searchOutput } from './canary.ts'
import { testIo, unreadInput, type Outcome } from './run-syn.ts'

export interface Watch {
  /** Called for each write to standard output; the write completes when it resolves. */
  onWrite?: (text: string) => Promise<void> | void
  /** The same for standard error. */
  onNotice?: (text: string) => Promise<void> | void
}

export interface WatchedRun {
  readonly outcome: Promise<Outcome>
  /** Resolves when standard output contains the text. */
  written(text: string): Promise<void>
  /** Aborts the run, as a signal does. */
  stop(reason: Error): void
}

export function watchSyn(argv: string[], env: Record<string, string>, { onWrite, onNotice }: Watch = {}): WatchedRun {
  const stopping = new AbortController()
  let [out, err] = ['', '']
  let waiting: { text: string; resolve: () => void }[] = []
  const notify = (): void => {
    for (const { text, resolve } of waiting) if (out.includes(text)) resolve()
    waiting = waiting.filter(({ text }) => !out.includes(text))
  }
  const io = testIo({
    in: unreadInput(),
    out: sink(async (text) => {
      out += text
      notify()
      await onWrite?.(text)
    }),
    err: sink(async (text) => {
      err += text
      await onNotice?.(text)
    }),
    env,
    signal: stopping.signal,
  })
  return {
    outcome: run(argv, io).then((code) => {
      searchOutput(argv.join(' '), out, err)
      return { code, out, err }
    }),
    written: (text) =>
      new Promise((resolve) => {
        waiting.push({ text, resolve })
        notify()
      }),
    stop: (reason) => stopping.abort(reason),
  }
}

function sink(take: (text: string) => Promise<void>): Sink {
  return { isTerminal: false, columns: () => 80, write: (text) => take(Buffer.from(text).toString()) }
}
