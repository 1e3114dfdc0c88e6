/** A spinner on a terminal. The only import site of ora, which is loaded only when a spinner appears. */

import { defer } from '../io/defer.ts'
import type { Activity, Io } from '../io/io.ts'
import type { SafeText } from '../io/text/safe-text.ts'
import { startTimer } from '../io/time/time.ts'
import { reflowsCursorRow } from './reflow.ts'
import type { LoadStyle } from './style.ts'

export interface SpinnerDeps {
  readonly io: Io
  /** Notices appear on the same terminal: a spinner or a progress bar is erased before each. */
  readonly notices: { readonly isQuiet: boolean; beforeWrite: (() => void) | undefined }
  readonly loadStyle: LoadStyle
}

/** In milliseconds, so that it does not flash before a quick answer. */
export const activityDelay = 150

/** Columns before the text. */
const symbolWidth = 2

/**
 * @param text Such as `waiting for the answer`.
 * @returns `undefined` if output is not a terminal, or with `--quiet`.
 */
export async function showSpinner(
  text: SafeText,
  { io, notices, loadStyle }: SpinnerDeps,
): Promise<Activity | undefined> {
  if (notices.isQuiet) return undefined
  if (io.err.isTerminal && io.err.footer) return io.err.footer.showActivity(text)
  const { stream } = io.err
  // Without a known width (in `script`, `ssh -tt` and containers) ora would draw endlessly.
  if (!io.out.isTerminal || !stream?.columns || io.isPlain?.()) return undefined
  const { hasColor } = await loadStyle(io.err)
  const reflows = reflowsCursorRow(io.env)
  let drawn: { text: string; clear(): void; stop(): void } | undefined
  let current = text
  let timer: NodeJS.Timeout | undefined
  // ora erases as many rows as the line took when it was drawn, which is too few after a reflow.
  let eraseWrapped = (): void => undefined
  const setText = (next: SafeText): void => {
    current = next
    if (drawn) drawn.text = next
  }
  const resume = (next: SafeText): void => {
    setText(next)
    if (timer) return
    const started = startTimer(activityDelay, () => {
      void Promise.all([import('ora'), import('./width.ts')]).then(([{ default: ora }, { widthOf }]) => {
        if (timer !== started) return
        eraseWrapped = () => {
          const rows = Math.floor((symbolWidth + widthOf(current) - 1) / stream.columns)
          if (rows > 0) stream.write(`\r\u001b[K${'\u001b[A\u001b[K'.repeat(rows)}`)
        }
        if (reflows) stream.on('resize', eraseWrapped)
        const color = hasColor ? 'cyan' : false
        // `discardStdin` would swallow keys that are typed meanwhile for the shell. `isEnabled` is set because ora's own
        // check is different, and a disabled ora still prints its text.
        drawn = ora({ text: current, stream, color, isEnabled: true, discardStdin: false, hideCursor: false }).start()
      })
    })
    timer = started
  }
  resume(text)
  notices.beforeWrite = () => drawn?.clear()
  return {
    setText,
    stop: () => {
      clearTimeout(timer)
      timer = undefined
      stream.off('resize', eraseWrapped)
      drawn?.stop()
      // A second `stop` of ora would erase the line of the answer.
      drawn = undefined
    },
    resume,
  }
}

/** Shows a spinner until the work is done. */
export async function withSpinner<Result>(
  text: SafeText,
  deps: SpinnerDeps,
  work: () => Promise<Result>,
): Promise<Result> {
  const spinner = await showSpinner(text, deps)
  using _spinner = defer(() => spinner?.stop())
  return await work()
}
