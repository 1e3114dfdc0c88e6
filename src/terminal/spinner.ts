/** What is waited for, on a terminal: in the footer of the chat, elsewhere on a line with a spinner. */

import { atEnd } from '../io/at-end.ts'
import type { Activity } from '../io/io.ts'
import { safe, type SafeText } from '../io/text/safe-text.ts'
import { startTimer } from '../io/time/timer.ts'
import { type LiveLine, type LiveLineDeps, startLiveLine } from './progress.ts'
import type { LoadStyle } from './style.ts'

export interface SpinnerDeps extends LiveLineDeps {
  readonly loadStyle: LoadStyle
}

const symbols = [safe`⠋`, safe`⠙`, safe`⠹`, safe`⠸`, safe`⠼`, safe`⠴`, safe`⠦`, safe`⠧`, safe`⠇`, safe`⠏`] as const

/** In milliseconds, from one symbol to the next. */
const symbolTime = 80

/** In columns, with the space after it. */
const symbolWidth = 2

/**
 * @param text Such as `waiting for the answer`.
 * @returns `undefined` if output is not a terminal, or with `--quiet`.
 */
export async function showSpinner(text: SafeText, deps: SpinnerDeps): Promise<Activity | undefined> {
  const { io, notices, loadStyle } = deps
  if (notices.isQuiet) return undefined
  if (io.err.isTerminal && io.err.footer) return io.err.footer.showActivity(text)
  // Of an unknown width are also texts that are kept instead of written.
  if (!io.out.isTerminal || !io.err.stream?.columns) return undefined
  // Loaded here: only a terminal needs it.
  const [style, { cutTo, widthOf }] = await Promise.all([loadStyle(io.err), import('./width.ts')])
  const paint = style.painter(['cyan'])
  let current = text
  let line: LiveLine | undefined
  let timer: NodeJS.Timeout | undefined
  let turns = 0
  const turn = (): void => {
    turns += 1
    line?.draw()
    timer = startTimer(symbolTime, turn)
  }
  const resume = (next: SafeText): void => {
    current = next
    if (line) return
    line = startLiveLine((columns) => {
      const shown = cutTo(current, columns - symbolWidth)
      const symbol = symbols[turns % symbols.length] ?? symbols[0]
      return { text: safe`${paint(symbol)} ${shown}`, width: symbolWidth + widthOf(shown) }
    }, deps)
    turn()
  }
  resume(text)
  return {
    setText: (next) => void (current = next),
    stop: () => {
      clearTimeout(timer)
      line?.stop()
      line = undefined
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
  using _spinner = atEnd(() => spinner?.stop())
  return await work()
}
